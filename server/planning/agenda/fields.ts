import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import * as fieldTypes from '../../kernel/field-types.ts';

const time = fieldTypes.dateTime(DEFAULT_ZONE);

export const agendaFields = {
  starts_at: {
    type: fieldTypes.nonEmpty(
      fieldTypes.withDescription(
        time,
        'ISO 8601. Without an offset it is wall time in Israel. At most a day before the event begins and 31 days after.',
      ),
    ),
    shown: 'Moves with the event’s date.',
    example: '2027-06-15T07:00:00.000Z',
    label: { he: 'תחילה', ar: 'البداية', en: 'Start' },
  },
  ends_at: {
    type: fieldTypes.orNull(
      fieldTypes.withDescription(
        time,
        'ISO 8601. Without an offset it is wall time in Israel. At most 31 days after `starts_at`.',
      ),
    ),
    empty: null,
    shown: 'Moves with the event’s date.',
    example: '2027-06-15T07:45:00.000Z',
    label: { he: 'סיום', ar: 'النهاية', en: 'End' },
  },
  title: {
    type: fieldTypes.nonEmpty(fieldTypes.line(300)),
    example: 'הרצאת פתיחה',
    label: { he: 'כותרת', ar: 'العنوان', en: 'Title' },
  },
  speaker: {
    type: fieldTypes.orNull(fieldTypes.line(200)),
    empty: null,
    example: 'ד״ר דנה לוי',
    label: { he: 'מרצה', ar: 'المتحدث', en: 'Speaker' },
  },
  place: {
    type: fieldTypes.orNull(fieldTypes.line(200)),
    empty: null,
    example: 'אולם א׳',
    label: { he: 'מקום', ar: 'المكان', en: 'Place' },
  },
  description: {
    type: fieldTypes.orNull(fieldTypes.text(2_000)),
    empty: null,
    label: { he: 'תיאור', ar: 'الوصف', en: 'Description' },
  },
} as const;
export type AgendaInput = fieldTypes.ValuesOf<typeof agendaFields>;
