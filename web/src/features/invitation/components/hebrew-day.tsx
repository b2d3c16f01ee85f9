import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Event } from 'simcha-client';
import { daysQuery } from '../../../lib/calendar-days.ts';
import { useLanguage } from '../../../lib/language-context.tsx';

interface HebrewDayProps {
  day: string | null;
  time: string;
  guestsLanguage: Event['language_pref'];
}

/** Hebrew date of a day and time, before or after sunset. The page reserves its space while it loads. */
export function HebrewDay({ day, time, guestsLanguage }: HebrewDayProps) {
  const { language } = useLanguage();
  const asked = { from: day ?? '', to: day ?? '', language: guestsLanguage };
  const { data } = useQuery({ ...daysQuery(asked), enabled: day !== null });
  const known = data?.find(({ date }) => date === day);
  const hebrew =
    known && (time >= known.sunset ? known.hebrew_date_after_sunset : known.hebrew_date_before_sunset);
  return (
    <Text c="dimmed" size="sm" mih={22} mt={4} aria-live="polite">
      {hebrew && (language === 'he' ? hebrew.letters : hebrew.text)}
    </Text>
  );
}
