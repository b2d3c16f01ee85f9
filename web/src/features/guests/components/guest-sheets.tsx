import type { RefObject } from 'react';
import type { Guest } from 'simcha-client';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import { ComingRow, DeskRow, PhoneRow } from './guest-rows.tsx';
import classes from './list.module.css';
import type { QuickChange } from './quick-change.ts';
import { RowCheckbox } from './row-checkbox.tsx';

/** Rendered row of the guest list, with its position among all rows. */
export interface DrawnRow {
  key: string;
  index: number;
  /** Distance of the row from the first row, in pixels. */
  start: number;
  /** Guest shown in the row; undefined while the guest is loading. */
  guest?: Guest | undefined;
}

interface SheetProps {
  place: RefObject<HTMLElement | null>;
  rows: readonly DrawnRow[];
  /** Height of all rows of the guest list together, in pixels. */
  height: number;
  rowHeight: number;
  total: number;
  isBusy: boolean;
  chosen: ReadonlySet<string>;
  onChoose(id: string, isChosen: boolean): void;
  change: QuickChange | undefined;
}

const COLUMNS = ['name', 'party', 'answer', 'coming', 'phone', 'tags'] as const;

const placeOf = (row: DrawnRow, { rowHeight, total, chosen }: SheetProps) => ({
  'data-chosen': row.guest !== undefined && chosen.has(row.guest.id),
  'data-last': row.index === total - 1,
  style: { height: rowHeight, transform: `translateY(${row.start}px)` },
});

/** Guest table of which only some rows are rendered. ARIA attributes give the number of rows and their positions. */
export function DeskSheet(props: SheetProps & { onChooseAll(isChosen: boolean): void }) {
  const { place, rows, height, total, isBusy, chosen, onChoose, onChooseAll, change } = props;
  const say = useWords(words);
  const isAll = total > 0 && chosen.size >= total;
  return (
    <table
      className={classes.sheet}
      aria-label={say('list')}
      aria-rowcount={total + 1}
      aria-busy={isBusy || undefined}
    >
      <thead className={classes.head}>
        <tr aria-rowindex={1} className={classes.columns}>
          {change ? (
            <th>
              <RowCheckbox
                label={say('chooseAll')}
                checked={isAll}
                indeterminate={!isAll && chosen.size > 0}
                onChange={() => onChooseAll(!isAll)}
              />
            </th>
          ) : (
            <td />
          )}
          {COLUMNS.map((name) => (
            <th key={name} className={classes.headCell}>
              {say(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={place as RefObject<HTMLTableSectionElement>} className={classes.rows} style={{ height }}>
        {rows.map((row) => (
          <tr
            key={row.key}
            aria-rowindex={row.index + 2}
            className={`${classes.row} ${classes.columns}`}
            {...placeOf(row, props)}
          >
            {row.guest ? (
              <DeskRow
                guest={row.guest}
                isChosen={chosen.has(row.guest.id)}
                onChoose={onChoose}
                change={change}
              />
            ) : (
              <td className={classes.wide}>
                <ComingRow />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function PhoneSheet(props: SheetProps) {
  const { place, rows, height, total, isBusy, chosen, onChoose, change } = props;
  const say = useWords(words);
  return (
    <ul
      ref={place as RefObject<HTMLUListElement>}
      className={`${classes.sheet} ${classes.rows}`}
      aria-label={say('list')}
      aria-busy={isBusy || undefined}
      style={{ height }}
    >
      {rows.map((row) => (
        <li
          key={row.key}
          aria-setsize={total}
          aria-posinset={row.index + 1}
          className={`${classes.row} ${row.guest ? classes.card : ''}`}
          {...placeOf(row, props)}
        >
          {row.guest ? (
            <PhoneRow
              guest={row.guest}
              isChosen={chosen.has(row.guest.id)}
              onChoose={onChoose}
              change={change}
            />
          ) : (
            <ComingRow />
          )}
        </li>
      ))}
    </ul>
  );
}
