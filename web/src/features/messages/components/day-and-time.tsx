import { SimpleGrid } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Event } from 'simcha-client';
import { DayField } from '../../../components/day-field.tsx';
import { TimeInput } from '../../../components/time-input.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import type { DayAndTime as Value } from '../api/draft.ts';
import { words } from '../words.ts';

interface DayAndTimeProps<V extends Value> {
  form: UseFormReturnType<V>;
  guestsLanguage: Event['language_pref'];
  /** Of the day, from elsewhere than the form's own. */
  error?: string | undefined;
}

/** A day and a time to come, in Israel. */
export function DayAndTime<V extends Value>({ form, guestsLanguage, error }: DayAndTimeProps<V>) {
  const say = useWords(words);
  const day = form.getInputProps('date');
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <div>
        <DayField
          time={form.values.time}
          guestsLanguage={guestsLanguage}
          {...day}
          onChange={day.onChange}
          error={day.error ?? error}
        />
      </div>
      <TimeInput
        label={say('time')}
        description={say('israelTime')}
        required
        {...form.getInputProps('time')}
      />
    </SimpleGrid>
  );
}
