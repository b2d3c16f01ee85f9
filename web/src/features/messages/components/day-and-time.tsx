import { SimpleGrid, TextInput } from '@mantine/core';
import { DatePickerInput, DatesProvider } from '@mantine/dates';
import '@mantine/dates/styles.css';
import 'dayjs/locale/ar';
import 'dayjs/locale/he';
import { dayOf } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import type { DayAndTime as Value } from '../api/draft.ts';
import { words } from '../words.ts';

interface DayAndTimeProps {
  value: Value;
  error?: string | undefined;
  onChange(value: Value): void;
}

/** A day and a time to come, in Israel. */
export function DayAndTime({ value: { date, time }, error, onChange }: DayAndTimeProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  return (
    <DatesProvider settings={{ locale: language, firstDayOfWeek: 0, weekendDays: [5, 6] }}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DatePickerInput
          id="send_at"
          size="md"
          label={say('day')}
          placeholder={say('pickDay')}
          required
          valueFormat="D MMMM YYYY"
          minDate={dayOf(new Date().toISOString())}
          value={date}
          error={error}
          onChange={(day) => onChange({ date: day, time })}
        />
        <TextInput
          label={say('time')}
          description={say('israelTime')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="time"
          dir="ltr"
          required
          value={time}
          onChange={({ currentTarget }) => onChange({ date, time: currentTarget.value })}
        />
      </SimpleGrid>
    </DatesProvider>
  );
}
