import { Box, Group, Stack, Text } from '@mantine/core';
import { DatePickerInput, type DatePickerInputProps, DatesProvider } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { useQuery } from '@tanstack/react-query';
import 'dayjs/locale/ar-iq';
import 'dayjs/locale/he';
import { type ReactNode, useState } from 'react';
import type { Event, NamedAdvice } from 'simcha-client';
import { daysQuery } from '../lib/calendar-days.ts';
import { DAYJS, hebrewDayLetters, todayInIsrael } from '../lib/dates.ts';
import { useLanguage, useWords } from '../lib/language-context.tsx';
import { Advice, type AdviceWithMessage } from './advice.tsx';
import classes from './day-field.module.css';
import { useDayPicker } from './day-picker.tsx';
import { words } from './words.ts';

interface DayFieldProps extends Omit<DatePickerInputProps<'default'>, 'value' | 'onChange' | 'error'> {
  value?: string | null;
  time: string;
  guestsLanguage: Event['language_pref'];
  error?: ReactNode;
  /** Selects which of the calendar's advice the field shows; absent: all advice about holding an event on the day. */
  adviceFor?: (advice: readonly NamedAdvice[]) => readonly AdviceWithMessage[];
  onChange(value: string | null): void;
}

/** Form field for a future day, with Hebrew dates and the calendar's advice. */
export function DayField(all: DayFieldProps) {
  const { value = null, time, guestsLanguage, adviceFor = ofAnEvent, ...props } = all;
  const say = useWords(words);
  const { language } = useLanguage();
  const [shown, setShown] = useState(value ?? todayInIsrael());
  const month = useQuery(daysQuery({ ...around(shown), language: guestsLanguage }));
  const known = new Map(month.data?.map((day) => [day.date, day]));
  return (
    <DatesProvider settings={{ locale: DAYJS[language], firstDayOfWeek: 0, weekendDays: [5, 6] }}>
      <DatePickerInput
        size="md"
        label={say('date')}
        placeholder={say('pickDate')}
        required
        {...useDayPicker()}
        minDate={todayInIsrael()}
        {...props}
        value={value}
        onDateChange={setShown}
        renderDay={(date) => {
          const day = known.get(date);
          const advice = adviceFor([
            ...(day?.advice_before_sunset ?? []),
            ...(day?.advice_after_sunset ?? []),
          ]);
          const isNotHeld = advice.some(({ strength }) => strength === 'not_held');
          return (
            <span
              className={classes.day}
              data-advice={isNotHeld ? 'not-held' : advice.length > 0 || undefined}
            >
              <span>{Number(date.slice(8))}</span>
              <span className={classes.hebrew} lang="he" aria-hidden>
                {hebrewDayLetters(date)}
              </span>
            </span>
          );
        }}
      />
      {value && <DayAdvice day={value} {...{ time, guestsLanguage, adviceFor }} />}
    </DatesProvider>
  );
}

const ofAnEvent = (advice: readonly NamedAdvice[]): readonly AdviceWithMessage[] => advice;

interface DayAdviceProps extends Required<Pick<DayFieldProps, 'time' | 'guestsLanguage' | 'adviceFor'>> {
  day: string;
}

function DayAdvice({ day, time, guestsLanguage, adviceFor }: DayAdviceProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data } = useQuery(daysQuery({ from: day, to: day, language: guestsLanguage }));
  const known = data?.find(({ date }) => date === day);
  // An empty box has this height until the day's Hebrew date and advice are loaded, so that the fields below do not
  // move.
  if (!known) return <Box mih={28} />;
  const isAfter = time >= known.sunset;
  const hebrew = isAfter ? known.hebrew_date_after_sunset : known.hebrew_date_before_sunset;
  const advice = isAfter ? known.advice_after_sunset : known.advice_before_sunset;
  return (
    <Stack gap={6} mt={8} mih={28} aria-live="polite">
      <Group gap={8}>
        <Text fw={500}>{language === 'he' ? hebrew.letters : hebrew.text}</Text>
        <Text c="dimmed" size="sm">
          {say(isAfter ? 'afterSunset' : 'beforeSunset', { time: known.sunset })}
        </Text>
      </Group>
      <Advice advice={adviceFor(advice)} />
    </Stack>
  );
}

/** Range of days that covers a month in the day picker: the month with the weeks before and after it. */
function around(day: string): { from: string; to: string } {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const iso = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { from: iso(Date.UTC(year, month - 1, -6)), to: iso(Date.UTC(year, month, 14)) };
}
