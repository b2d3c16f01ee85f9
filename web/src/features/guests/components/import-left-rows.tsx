import { Button, Text } from '@mantine/core';
import { useWords } from '../../../lib/language-context.tsx';
import type { LeftRow } from '../api/import.ts';
import { words } from '../import-words.ts';
import classes from './import.module.css';
import { useRowName } from './import-labels.ts';

interface LeftRowsProps {
  rows: readonly LeftRow[];
  isBusy: boolean;
  onTake(ref: string): void;
}

/** Rows that the import left out because they are no guests, such as totals, each with a button to import it. */
export function LeftRows({ rows, isBusy, onTake }: LeftRowsProps) {
  const say = useWords(words);
  const nameOf = useRowName();
  return (
    <>
      <Text>{say('leftRowsAbout')}</Text>
      <ul className={classes.left} aria-label={say('show_left')}>
        {rows.map(({ ref, text, left_because: because }) => (
          <li key={ref} className={classes.leftRow}>
            <div style={{ minWidth: 0, flex: '1 1 200px' }}>
              <bdi>{text}</bdi>
              <Text size="sm" c="dimmed">
                {because} · {nameOf(ref)}
              </Text>
            </div>
            <Button
              variant="subtle"
              size="sm"
              h={44}
              disabled={isBusy}
              aria-label={say('isGuestNamed', { text })}
              onClick={() => onTake(ref)}
            >
              {say('isGuest')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
