import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './questions.module.css';

export interface Bar {
  key: string;
  label: ReactNode;
  value: number;
  /** The number as people read it. */
  said: string;
  note?: string;
}

/** Numbers beside each other; what is seen as a length stands there in digits. `most` is what the whole width stands for. */
export function Bars({
  bars,
  most = Math.max(1, ...bars.map(({ value }) => value)),
}: {
  bars: readonly Bar[];
  most?: number;
}) {
  return (
    <ul className={classes.plain}>
      {bars.map(({ key, label, value, said, note }) => (
        <li key={key} className={classes.row}>
          <Text>{label}</Text>
          <Text className={classes.value}>
            {said}
            {note && (
              <Text span size="sm" c="dimmed" fw={400}>
                {' '}
                {note}
              </Text>
            )}
          </Text>
          <div className={classes.bar} aria-hidden>
            <div style={{ inlineSize: `${Math.min(100, (100 * value) / most)}%` }} />
          </div>
        </li>
      ))}
    </ul>
  );
}
