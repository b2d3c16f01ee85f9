import { DatePickerInput, type DatePickerInputProps, DatesProvider } from '@mantine/dates';
import '@mantine/dates/styles.css';
import 'dayjs/locale/ar-iq';
import 'dayjs/locale/he';
import { DAYJS } from '../lib/dates.ts';
import { useLanguage, useWords } from '../lib/language-context.tsx';
import { useDayPicker } from './day-picker.tsx';
import { words } from './words.ts';

/** Form field whose value is a day as `2027-06-15`, or null. */
export function DayInput(props: DatePickerInputProps<'default'>) {
  const say = useWords(words);
  const { language } = useLanguage();
  return (
    <DatesProvider settings={{ locale: DAYJS[language], firstDayOfWeek: 0, weekendDays: [5, 6] }}>
      <DatePickerInput
        size="md"
        placeholder={say('pickDay')}
        {...useDayPicker()}
        clearable
        clearButtonProps={{ 'aria-label': say('clear') }}
        {...props}
      />
    </DatesProvider>
  );
}
