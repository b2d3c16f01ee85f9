import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './questions.module.css';

export interface Bar {
  key: string;
  label: ReactNode;
  value: number;
  /** Value of a bar in the chart as formatted text. */
  valueText: string;
  note?: string;
}

/** Bar chart that also shows each value in digits. `most` is the value of a bar of full width. */
export function Bars({
  bars,
  most = Math.max(1, ...bars.map(({ value }) => value)),
}: {
  bars: readonly Bar[];
  most?: number;
}) {
  return (
    <ul className={classes.plain}>
      {bars.map(({ key, label, value, valueText, note }) => (
        <li key={key} className={classes.row}>
          <Text>{label}</Text>
          <Text className={classes.value}>
            {valueText}
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
