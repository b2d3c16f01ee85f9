import type { Command } from 'commander';
import { type Figures, readFigures } from 'simcha-client';
import { usageError } from '../errors.ts';
import type { Output } from '../output/output.ts';
import { bytesText, duration, spanOf } from '../output/time.ts';
import { aboutSite, beginWithApplication, type CommandOf } from './begin.ts';

const DEFAULT_SPAN = '24h';
/** Intervals of a table that fits on a screen: of each span, the first step with at most this many is requested. */
const MOST_ROWS = 30;
const STEPS = [60, 300, 3_600, 21_600, 86_400] as const;

export function defineFigureCommands(commandOf: CommandOf): void {
  aboutSite(commandOf('figures'))
    .option('--since <time>', 'Since then: 1h, 7d (at most 30d), or a time.', DEFAULT_SPAN)
    .action(async (_options, command: Command) => {
      const { options, output, client, path, query } = await beginWithApplication<{ since: string }>(command);
      const since = instantOf(options.since);
      const seconds = (Date.now() - since) / 1_000;
      const step = STEPS.find((one) => seconds / one <= MOST_ROWS) ?? 86_400;
      const { data } = await readFigures({
        client,
        path,
        query: { ...query, since: new Date(since).toISOString(), step },
      });
      output.result(data, (figures) => describe(figures, output));
    });
}

function instantOf(since: string): number {
  const span = spanOf(since);
  const instant = span === undefined ? Date.parse(since) : Date.now() - span;
  if (!Number.isNaN(instant)) return instant;
  throw usageError(`--since is "${since}"; expected a span such as 7d, or a time such as 2027-06-15T19:30Z.`);
}

/** Intervals and processes in two tables; the last row of the first has the sums. */
function describe({ intervals, total, processes, step }: Figures, output: Output): string {
  const rows = [
    ...intervals.map(({ at, ...counts }) => ({ name: output.time(at, localTime), ...counts })),
    { name: 'total', ...total },
  ];
  const requests = output.table(
    [
      { heading: 'from', text: ({ name }) => name },
      { heading: 'requests', text: ({ requests: count }) => String(count), isRight: true },
      { heading: '4xx', text: ({ responses }) => String(responses['4xx']), isRight: true },
      {
        heading: '5xx',
        text: ({ responses }) => String(responses['5xx']),
        style: (text, { responses }) => (responses['5xx'] > 0 ? output.status(text, 'failed') : text),
        isRight: true,
      },
      { heading: 'p50', text: ({ p50_ms: ms }) => milliseconds(ms), isRight: true },
      { heading: 'p95', text: ({ p95_ms: ms }) => milliseconds(ms), isRight: true },
      { heading: 'p99', text: ({ p99_ms: ms }) => milliseconds(ms), isRight: true },
      { heading: 'in', text: ({ bytes_in: bytes }) => bytesText(bytes), isRight: true },
      { heading: 'out', text: ({ bytes_out: bytes }) => bytesText(bytes), isRight: true },
    ],
    rows,
  );
  const used = output.table(
    [
      { heading: 'process', text: ({ process }) => process },
      {
        heading: 'memory',
        text: ({ intervals: all }) => bytesText(all.at(-1)?.memory_bytes ?? 0),
        isRight: true,
      },
      {
        heading: 'largest',
        text: ({ intervals: all }) => bytesText(Math.max(...all.map(({ memory_bytes }) => memory_bytes))),
        isRight: true,
      },
      { heading: 'processor', text: ({ intervals: all }) => processorShare(all, step), isRight: true },
    ],
    processes,
  );
  return [requests, ...(used === '' ? [] : [used])].join(output.stdout.isTerminal ? '\n\n' : '\n');
}

/** Share of one processor that a process used in all measured intervals, such as `3.1 %`. */
function processorShare(intervals: readonly { processor_ms: number }[], step: number): string {
  const used = intervals.reduce((sum, { processor_ms: ms }) => sum + ms, 0);
  return `${((used / (intervals.length * step * 1_000)) * 100).toFixed(1)} %`;
}

function milliseconds(ms: number | null): string {
  if (ms === null) return '';
  return ms < 1_000 ? `${Number(ms.toPrecision(3))} ms` : duration(ms);
}

/** Local date and time of day. */
function localTime(instant: string): string {
  return new Date(instant).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' });
}
