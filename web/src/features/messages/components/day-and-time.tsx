import { DayAndTime as Field } from '../../../components/day-and-time.tsx';
import { today } from '../../../lib/dates.ts';
import type { DayAndTime as Value } from '../api/draft.ts';

interface DayAndTimeProps {
  value: Value;
  error?: string | undefined;
  onChange(value: Value): void;
}

/** When it goes out: both are needed, and to come. */
export function DayAndTime({ value: { date, time }, error, onChange }: DayAndTimeProps) {
  return (
    <Field
      day={{
        id: 'send_at',
        required: true,
        clearable: false,
        minDate: today(),
        value: date,
        error,
        onChange: (day) => onChange({ date: day, time }),
      }}
      time={{
        required: true,
        value: time,
        onChange: ({ currentTarget }) => onChange({ date, time: currentTarget.value }),
      }}
    />
  );
}
