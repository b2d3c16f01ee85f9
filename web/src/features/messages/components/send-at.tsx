import type { UseFormReturnType } from '@mantine/form';
import type { Event } from 'simcha-client';
import { DayAndTime } from '../../../components/day-and-time.tsx';
import { DayField } from '../../../components/day-field.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import type { DayAndTimeValues as Value } from '../api/draft.ts';
import { sendingAdvice } from '../api/sending-days.ts';
import { words } from '../words.ts';

interface SendAtProps<V extends Value> {
  form: UseFormReturnType<V>;
  guestsLanguage: Event['language_pref'];
  /** Error about the message's day that the surrounding form found. The field for the day shows it. */
  error?: string | undefined;
}

/** Form fields for a future day and time at which a message is sent. */
export function SendAt<V extends Value>({ form, guestsLanguage, error }: SendAtProps<V>) {
  const say = useWords(words);
  const day = form.getInputProps('date');
  return (
    <DayAndTime
      day={
        <DayField
          time={form.values.time}
          guestsLanguage={guestsLanguage}
          adviceFor={(advice) => sendingAdvice(advice, say)}
          {...day}
          onChange={day.onChange}
          error={day.error ?? error}
        />
      }
      time={{ required: true, ...form.getInputProps('time') }}
    />
  );
}
