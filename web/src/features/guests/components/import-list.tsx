import { Text } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { Card } from '../../../components/card.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import type { ImportChoices, ImportReport, ImportRow } from '../api/import.ts';
import { words } from '../import-words.ts';
import classes from './import.module.css';
import { ImportRowView, type RowParts } from './import-row.tsx';
import { doubtOf, isLeftOut } from './import-rows.ts';
import { useRowMeasures } from './row-measures.ts';

/** Height of an imported row with two lines, in rem; taller rows are measured when they are rendered. */
const ROW_REM = 4.75;
const BEYOND_SIGHT = 6;

interface ImportListProps extends Omit<RowParts, 'isPending' | 'columns'> {
  rows: readonly ImportRow[];
  lists: ImportReport['lists'];
  choices: ImportChoices;
  /** Reference of the imported row that the user changed last. */
  pending: string | undefined;
  isBusy: boolean;
}

/** List of the imported file's rows, which renders only the visible rows: there may be 50,000. */
export function ImportList({ rows, lists, choices, pending, isBusy, ...parts }: ImportListProps) {
  const say = useWords(words);
  const place = useRef<HTMLUListElement>(null);
  const { height, margin } = useRowMeasures(place, ROW_REM);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    overscan: BEYOND_SIGHT,
    scrollMargin: margin,
    getItemKey: (index) => rows[index]?.ref ?? index,
  });
  if (rows.length === 0) {
    return (
      <Card>
        <Text ta="center" py="lg" role="status">
          {say('noneShown')}
        </Text>
      </Card>
    );
  }
  return (
    <ul
      ref={place}
      className={classes.list}
      aria-label={say('rows')}
      aria-busy={isBusy || undefined}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            data-row={row.ref}
            data-last={index === rows.length - 1}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            className={classes.row}
            style={{ transform: `translateY(${start - margin}px)` }}
          >
            <ImportRowView
              {...parts}
              row={row}
              columns={lists[row.list]?.columns ?? []}
              doubt={doubtOf(row, choices.decided)}
              decision={choices.decided[row.ref]?.decision}
              isLeftOut={isLeftOut(row, choices.decided)}
              counted={choices.counted[row.ref]}
              title={lists[row.list]?.title}
              isCorrected={choices.corrections[row.ref] !== undefined}
              isPending={isBusy && pending === row.ref}
            />
          </li>
        );
      })}
    </ul>
  );
}
