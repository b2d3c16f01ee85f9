import { Text } from '@mantine/core';
import type { DatePickerInputProps } from '@mantine/dates';
import { hebrewMonthsOf, monthOf, plainDay } from '../lib/dates.ts';
import { useLanguage, useWords } from '../lib/language-context.tsx';
import { words } from './words.ts';

/** Date format, headings and button labels for day pickers. */
export function useDayPicker(): Pick<
  DatePickerInputProps<'default'>,
  'ariaLabels' | 'valueFormatter' | 'monthLabelFormat' | 'weekdayFormat'
> {
  const say = useWords(words);
  const { language } = useLanguage();
  return {
    valueFormatter: ({ date }) => (typeof date === 'string' ? plainDay(date, language) : ''),
    monthLabelFormat: (month) => (
      <span style={{ lineHeight: 1.25 }}>
        {monthOf(month, language)}
        <Text span display="block" size="xs" c="dimmed">
          {hebrewMonthsOf(month, language)}
        </Text>
      </span>
    ),
    // Format of the weekdays' names. In Hebrew, `ddd` writes them all alike (with a geresh sign), while `dd` leaves the
    // sign out on Friday.
    weekdayFormat: language === 'he' ? 'ddd' : 'dd',
    ariaLabels: {
      previousMonth: say('previousMonth'),
      nextMonth: say('nextMonth'),
      previousYear: say('previousYear'),
      nextYear: say('nextYear'),
      previousDecade: say('previousDecade'),
      nextDecade: say('nextDecade'),
    },
  };
}
