import { SimpleGrid, TextInput, type TextInputProps } from '@mantine/core';
import type { DatePickerInputProps } from '@mantine/dates';
import type { ReactNode } from 'react';
import { useWords } from '../lib/language-context.tsx';
import { DayInput } from './day-input.tsx';
import { words } from './words.ts';

interface DayAndTimeProps {
  day: DatePickerInputProps<'default'>;
  time: TextInputProps;
  /** Below the day. */
  children?: ReactNode;
}

/** A day and a time, in Israel. */
export function DayAndTime({ day, time, children }: DayAndTimeProps) {
  const say = useWords(words);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <div>
        <DayInput label={say('day')} placeholder={say('pickDay')} {...day} />
        {children}
      </div>
      <TextInput
        label={say('time')}
        description={say('israelTime')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        type="time"
        dir="ltr"
        {...time}
      />
    </SimpleGrid>
  );
}
