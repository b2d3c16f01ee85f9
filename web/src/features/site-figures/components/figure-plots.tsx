import { SimpleGrid } from '@mantine/core';
import { useWords } from '../../../lib/language-context.tsx';
import type { SiteFigures, Span } from '../api/figures.ts';
import { formatBytes, formatCount, formatMs, formatShare } from '../api/formats.ts';
import type { Series } from '../api/plots.ts';
import { words } from '../words.ts';
import { Plot, type TimeAxis } from './plot.tsx';

const COLORS = {
  good: 'var(--simcha-yes)',
  warning: 'var(--simcha-maybe)',
  bad: 'var(--simcha-no)',
  calm: 'var(--simcha-waiting)',
};
/** Colors and dashes of processes, in their order; further ones begin again. */
const LINES = [
  { color: COLORS.calm },
  { color: COLORS.good, dashes: '6 4' },
  { color: COLORS.warning, dashes: '2 4' },
  { color: COLORS.bad, dashes: '8 3 2 3' },
];

/** Plots of a site's figures. */
export function FigurePlots({ figures, span }: { figures: SiteFigures; span: Span }) {
  const say = useWords(words);
  const { since, until, intervals, deployments } = figures;
  const axis: TimeAxis = { span, since, until, times: intervals.map(({ at }) => at), deployments };
  const of = (value: (interval: SiteFigures['intervals'][number]) => number | null) => intervals.map(value);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Plot
        title={say('requests')}
        axis={axis}
        isStacked
        format={formatCount}
        series={[
          {
            name: say('others'),
            color: COLORS.good,
            values: of(({ requests, responses }) => requests - responses['4xx'] - responses['5xx']),
          },
          { name: '4xx', color: COLORS.warning, values: of(({ responses }) => responses['4xx']) },
          { name: '5xx', color: COLORS.bad, values: of(({ responses }) => responses['5xx']) },
        ]}
      />
      <Plot
        title={say('errors')}
        axis={axis}
        isStacked
        format={formatCount}
        series={[
          { name: '4xx', color: COLORS.warning, values: of(({ responses }) => responses['4xx']) },
          { name: '5xx', color: COLORS.bad, values: of(({ responses }) => responses['5xx']) },
        ]}
      />
      <Plot
        title={say('durations')}
        axis={axis}
        format={formatMs}
        series={[
          { name: say('median'), color: COLORS.good, values: of(({ p50_ms: ms }) => ms) },
          { name: say('p95'), color: COLORS.warning, dashes: '6 4', values: of(({ p95_ms: ms }) => ms) },
          { name: say('p99'), color: COLORS.bad, dashes: '2 4', values: of(({ p99_ms: ms }) => ms) },
        ]}
      />
      <Plot
        title={say('traffic')}
        axis={axis}
        format={formatBytes}
        series={[
          { name: say('bytesOut'), color: COLORS.calm, values: of(({ bytes_out: bytes }) => bytes) },
          {
            name: say('bytesIn'),
            color: COLORS.good,
            dashes: '6 4',
            values: of(({ bytes_in: bytes }) => bytes),
          },
        ]}
      />
      {figures.processes.length > 0 && (
        <>
          <Plot
            title={say('memory')}
            axis={axis}
            format={formatBytes}
            series={processSeries(figures, ({ memory_bytes: bytes }) => bytes)}
          />
          <Plot
            title={say('processor')}
            axis={axis}
            format={formatShare}
            series={processSeries(figures, ({ processor_ms: ms }) => ms / (figures.step * 1_000))}
          />
        </>
      )}
    </SimpleGrid>
  );
}

type ProcessInterval = SiteFigures['processes'][number]['intervals'][number];

/** A line for each process; intervals without a measurement are gaps. */
function processSeries(
  { processes, intervals }: SiteFigures,
  value: (interval: ProcessInterval) => number,
): Series[] {
  return processes.map(({ process, intervals: measured }, index) => {
    const byStart = new Map(measured.map((one) => [one.at, value(one)]));
    const line = LINES[index % LINES.length] ?? { color: COLORS.calm };
    return { name: process, ...line, values: intervals.map(({ at }) => byStart.get(at) ?? null) };
  });
}
