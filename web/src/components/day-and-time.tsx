import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../lib/language-context.tsx';
import { TimeInput, type TimeInputProps } from './time-input.tsx';
import { words } from './words.ts';

interface DayAndTimeProps {
  /** The field of the day, with what stands below it. */
  day: ReactNode;
  time: TimeInputProps;
}

/** A day and a time, in Israel. */
export function DayAndTime({ day, time }: DayAndTimeProps) {
  const say = useWords(words);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <div>{day}</div>
      <TimeInput label={say('time')} description={say('israelTime')} {...time} />
    </SimpleGrid>
  );
}
