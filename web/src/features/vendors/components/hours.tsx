import { Group, Text } from '@mantine/core';
import { Clock } from 'lucide-react';
import type { Booking } from 'simcha-client';
import { dateAndTime, dayOf, shortDate, timeOfDay } from '../../../lib/dates.ts';
import { useLanguage } from '../../../lib/language-context.tsx';

const HALF_DAY_MS = 43_200_000;

/** Working hours of a vendor as text: "15 Jun 2027, 18:00–02:00". */
export function Hours({ booking: { starts_at: start, ends_at: end } }: { booking: Booking }) {
  const { language } = useLanguage();
  if (!start && !end) return null;
  const isOneNight =
    start && end && (dayOf(start) === dayOf(end) || Date.parse(end) - Date.parse(start) < HALF_DAY_MS);
  return (
    <Group gap={6} c="dimmed" wrap="nowrap">
      <Clock size={16} style={{ flex: 'none' }} aria-hidden />
      <Text size="sm">
        {isOneNight ? (
          <>
            {shortDate(start, language)},{' '}
            <span dir="ltr">
              {timeOfDay(start, language)}–{timeOfDay(end, language)}
            </span>
          </>
        ) : (
          // If only the start or only the end of the working hours is known, that time is shown alone.
          [start, end].flatMap((at) => (at ? dateAndTime(at, language) : [])).join(' – ')
        )}
      </Text>
    </Group>
  );
}
