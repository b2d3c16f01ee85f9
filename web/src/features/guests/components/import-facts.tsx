import type { ImportColumn, ImportRow } from '../api/import.ts';
import classes from './import.module.css';
import { useColumnName } from './import-labels.ts';

/** List of facts, each with its name and its value on one line. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, text: string])[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className={classes.facts}>
      {facts.map(([name, text]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <bdi>{text}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Filled cells of an imported row in the given columns. */
export function RowFacts({ row, columns }: { row: ImportRow; columns: readonly ImportColumn[] }) {
  const nameOf = useColumnName();
  const { cells = {} } = row;
  const filled = columns.filter(({ column }) => cells[column]);
  return <Facts facts={filled.map((column) => [nameOf(column), cells[column.column] ?? ''] as const)} />;
}
