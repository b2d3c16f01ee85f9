import type { DatePickerInputProps } from '@mantine/dates';
import { plainDay } from '../lib/dates.ts';
import { useLanguage, useWords } from '../lib/language-context.tsx';
import { words } from './words.ts';

/** Date format and button labels for day pickers. */
export function useDayPicker(): Pick<DatePickerInputProps<'default'>, 'ariaLabels' | 'valueFormatter'> {
  const say = useWords(words);
  const { language } = useLanguage();
  return {
    valueFormatter: ({ date }) => (typeof date === 'string' ? plainDay(date, language) : ''),
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
