import { Table } from '@mantine/core';
import { type PointerEvent, useState } from 'react';
import type { Figures } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { localDateAndTime } from '../../../lib/durations.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import type { Span } from '../api/figures.ts';
import { formatTick } from '../api/formats.ts';
import { barsPath, HEIGHT, linePath, maximumOf, placeOf, type Series, WIDTH } from '../api/plots.ts';
import { words } from '../words.ts';
import classes from './plot.module.css';

/** Time axis that the plots of a page share. */
export interface TimeAxis {
  span: Span;
  since: string;
  until: string;
  /** Start of each interval. */
  times: readonly string[];
  deployments: Figures['deployments'];
}

interface PlotProps {
  title: string;
  axis: TimeAxis;
  series: readonly Series[];
  /** Bars on top of each other; otherwise lines. */
  isStacked?: boolean;
  format: (value: number, language: Language) => string;
}

const TICKS = 4;

/** Plot of values over time, with its deployments, a legend that has the values below the pointer, and a table. */
export function Plot({ title, axis, series, isStacked = false, format }: PlotProps) {
  const { language } = useLanguage();
  const [pointed, setPointed] = useState<number>();
  const maximum = maximumOf(series, isStacked);
  const { times } = axis;
  const point = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * times.length);
    setPointed(Math.min(times.length - 1, Math.max(0, index)));
  };
  const at = pointed === undefined ? undefined : times[pointed];
  return (
    <Card title={title}>
      <ul className={classes.legend}>
        {series.map(({ name, color, values }) => {
          const value = pointed === undefined ? undefined : values[pointed];
          return (
            <li key={name}>
              <span className={classes.key} style={{ background: color }} aria-hidden />
              <bdi>{name}</bdi>
              {value !== undefined && value !== null && <b>{format(value, language)}</b>}
            </li>
          );
        })}
        {at && <li>{localDateAndTime(at, language)}</li>}
      </ul>
      <div className={classes.plot} aria-hidden>
        <div className={classes.scale}>
          {[maximum, maximum / 2, 0].map((value) => (
            <span key={value} dir={LANGUAGES[language].dir}>
              {format(value, language)}
            </span>
          ))}
        </div>
        <svg
          aria-hidden
          className={classes.drawing}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(undefined)}
        >
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <line key={y} className={classes.grid} x1={0} x2={WIDTH} y1={y} y2={y} />
          ))}
          <DeploymentMarks axis={axis} />
          {series.map((one, index) =>
            isStacked ? (
              <path key={one.name} d={barsPath(series, index, maximum)} fill={one.color} />
            ) : (
              <path
                key={one.name}
                className={classes.line}
                d={linePath(one.values, maximum)}
                stroke={one.color}
                strokeDasharray={one.dashes}
              />
            ),
          )}
          {pointed !== undefined && <Cursor place={(pointed + 0.5) / times.length} />}
        </svg>
        <Ticks axis={axis} />
      </div>
      <PlotTable title={title} axis={axis} series={series} format={format} />
    </Card>
  );
}

function Cursor({ place }: { place: number }) {
  return <line className={classes.cursor} x1={place * WIDTH} x2={place * WIDTH} y1={0} y2={HEIGHT} />;
}

function DeploymentMarks({ axis }: { axis: TimeAxis }) {
  return axis.deployments.map(({ deployment_uuid: id, ended_at: at, status }) => {
    const place = placeOf(at, axis);
    if (place === null) return null;
    const look = status === 'failed' ? `${classes.deployment} ${classes.failed}` : classes.deployment;
    return <line key={id} className={look} x1={place * WIDTH} x2={place * WIDTH} y1={0} y2={HEIGHT} />;
  });
}

function Ticks({ axis: { span, since, until } }: { axis: TimeAxis }) {
  const { language } = useLanguage();
  const [from, to] = [Date.parse(since), Date.parse(until)];
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => from + ((to - from) * index) / TICKS);
  return (
    <div className={classes.times}>
      {ticks.map((tick) => (
        <span key={tick}>{formatTick(tick, span, language)}</span>
      ))}
    </div>
  );
}

/** Values of a plot as a table, newest first. Its rows are made when it is opened. */
function PlotTable({ title, axis, series, format }: Omit<PlotProps, 'isStacked'>) {
  const say = useWords(words);
  const { language } = useLanguage();
  const name = `${say('table')}: ${title}`;
  const [isOpen, setOpen] = useState(false);
  const rows = axis.times.map((time, index) => ({
    time,
    values: series.map(({ values }) => values[index] ?? null),
  }));
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary aria-label={name}>{say('table')}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll the table
        <section className={classes.table} tabIndex={0} aria-label={name}>
          <Table stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{say('time')}</Table.Th>
                {series.map(({ name: column }) => (
                  <Table.Th key={column} scope="col">
                    <bdi>{column}</bdi>
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.toReversed().map(({ time, values }) => (
                <Table.Tr key={time}>
                  <Table.Th scope="row" fw={400}>
                    {localDateAndTime(time, language)}
                  </Table.Th>
                  {values.map((value, index) => (
                    <Table.Td key={series[index]?.name}>
                      {value === null ? '–' : format(value, language)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </details>
  );
}
