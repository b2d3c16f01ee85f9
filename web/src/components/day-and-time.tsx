import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../lib/language-context.tsx';
import { TimeInput, type TimeInputProps } from './time-input.tsx';
import { words } from './words.ts';

interface DayAndTimeProps {
  /** Form field for the day, which also shows the calendar's advice about the day. */
  day: ReactNode;
  time: TimeInputProps;
}

/** Form fields for a day and a time in Israel, side by side. */
export function DayAndTime({ day, time }: DayAndTimeProps) {
  const say = useWords(words);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <div>{day}</div>
      <TimeInput label={say('time')} description={say('israelTime')} {...time} />
    </SimpleGrid>
  );
}
