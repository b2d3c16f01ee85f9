import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { LARGEST_INTEGER } from '../../kernel/fields.ts';
import { LANGUAGE_NAMES, type Words } from '../../kernel/languages.ts';
import { flag, oneOf } from '../../kernel/query-types.ts';
import { EVENT_STATUSES } from './lifecycle.ts';

export const KASHRUT_LEVELS = ['none', 'regular', 'mehadrin', 'chalav_yisrael'] as const;

/**
 * Field of an event that a request may leave out; its value is then `empty`. Values that also count as left out are
 * decided in input.ts.
 */
function optional<T, E extends T | null>(field: fieldTypes.FieldType<T>, empty: E): OptionalField<T, E> {
  const { schema, shows } = empty === null ? fieldTypes.orNull(field) : fieldTypes.orEmpty(field, empty as T);
  return { type: { read: field.read, schema, ...(shows && { shows }) }, empty };
}

interface OptionalField<T, E> {
  type: fieldTypes.FieldType<E extends null ? T | null : T>;
  empty: E;
}

const count = fieldTypes.wholeNumber(0, LARGEST_INTEGER);

/**
 * Type of a field that accepts any value and reads it as true or false by JavaScript's rules: the API's contract
 * defines no more.
 */
const truth: fieldTypes.FieldType<boolean> = {
  ...fieldTypes.yesOrNo(),
  read: (_field, value) => Boolean(value),
};

/** Fields of an event that its organizer sets in a request. */
export const eventFields = {
  title: {
    type: fieldTypes.nonEmpty(fieldTypes.text(300)),
    example: 'החתונה של נועה ואיתי',
    label: { he: 'שם האירוע', ar: 'اسم المناسبة', en: 'Title' },
  },
  event_date: {
    type: fieldTypes.nonEmpty(
      fieldTypes.withDescription(
        fieldTypes.dateTime(DEFAULT_ZONE),
        'ISO 8601. Without an offset it is wall time in Israel. Not in the past.',
      ),
    ),
    example: '2027-06-15T16:30:00.000Z',
    label: { he: 'מועד האירוע', ar: 'موعد المناسبة', en: 'Date' },
  },
  venue_name: {
    type: fieldTypes.nonEmpty(fieldTypes.text(300)),
    example: 'גן האירועים עדן',
    label: { he: 'שם המקום', ar: 'اسم المكان', en: 'Venue' },
  },
  venue_address: {
    type: fieldTypes.orNull(fieldTypes.text(500)),
    empty: null,
    example: 'דרך השרון 12, הוד השרון',
    label: { he: 'כתובת המקום', ar: 'عنوان المكان', en: 'Address of the venue' },
  },
  description: {
    type: fieldTypes.orNull(fieldTypes.text(10_000)),
    empty: null,
    example: 'חופה בשקיעה, ריקודים עד הלילה',
    label: { he: 'תיאור', ar: 'الوصف', en: 'Description' },
  },
  max_guests: {
    ...optional(count, null),
    example: 320,
    label: { he: 'מספר המוזמנים המרבי', ar: 'الحد الأقصى للمدعوين', en: 'Maximum guests' },
  },
  venue_capacity: {
    ...optional(count, null),
    example: 400,
    label: { he: 'תפוסת המקום', ar: 'سعة المكان', en: 'Capacity of the venue' },
  },
  max_plus_ones_buffer: {
    ...optional(count, 30),
    label: { he: 'מספר המלווים הנוספים', ar: 'عدد المرافقين الإضافيين', en: 'Extra plus-ones' },
  },
  kashrut_level: {
    ...optional(fieldTypes.oneOf(KASHRUT_LEVELS), 'none'),
    example: 'mehadrin',
    label: { he: 'רמת הכשרות', ar: 'مستوى الكوشير', en: 'Kashrut' },
  },
  noise_curfew_time: {
    ...optional(fieldTypes.timeOfDay(), '23:00'),
    shown: '`HH:MM`, in Israel’s time.',
    label: { he: 'שעת סיום הרעש', ar: 'ساعة انتهاء الضجيج', en: 'Noise curfew' },
  },
  language_pref: {
    ...optional(fieldTypes.oneOf(LANGUAGE_NAMES), 'hebrew'),
    label: { he: 'שפת האירוע', ar: 'لغة المناسبة', en: 'Language' },
  },
  budget: {
    ...optional(fieldTypes.withDescription(fieldTypes.amount(), 'New shekels, at most two decimals.'), null),
    example: 185_000,
    label: { he: 'תקציב', ar: 'الميزانية', en: 'Budget' },
  },
  retention_policy_days: {
    ...optional(count, 365),
    label: { he: 'ימי שמירת המידע', ar: 'أيام حفظ البيانات', en: 'Days data is kept' },
  },
  compliance_dismissed: optional(truth, false),
} as const satisfies Readonly<Record<string, fieldTypes.FieldTable[string] & { label?: Words }>>;

export type NewEvent = fieldTypes.ValuesOf<typeof eventFields>;

/** Values of an event's optional fields when the request gives none. */
export const EVENT_DEFAULTS = fieldTypes.emptyOf(eventFields);

/**
 * Type of a field whose values only the database checks: the contract of the API requires a 500 for an unknown value.
 */
function checkedByDatabase<T>(field: { type: fieldTypes.FieldType<T> }): {
  type: fieldTypes.FieldType<unknown>;
} {
  // Lists and objects of an event become JSON text before they reach the database, because its two drivers would
  // convert them differently.
  const read = (_field: string, value: unknown) =>
    typeof value === 'string' ? value.trim() : JSON.stringify(value);
  return { type: { ...field.type, read } };
}

const { retention_policy_days: _, compliance_dismissed: __, ...changeable } = eventFields;
const { kashrut_level, language_pref, max_plus_ones_buffer } = changeable;

/** Fields of a change of an event, except its status. Fields that are not given keep their stored values. */
export const eventChangeFields = fieldTypes.toChangeTable({
  ...changeable,
  kashrut_level: checkedByDatabase(kashrut_level),
  language_pref: checkedByDatabase(language_pref),
  max_plus_ones_buffer: {
    type: {
      ...max_plus_ones_buffer.type,
      schema: {
        ...count.schema,
        type: ['integer', 'string'],
        pattern: '^\\s*\\d{1,10}\\s*$',
        description: 'A text of digits is accepted too.',
      },
    },
  },
});

export const changeQuery = {
  dry_run: flag('Nothing is saved: the answer shows the result of the change, and its warnings.'),
};

export const eventFilter = { status: oneOf(EVENT_STATUSES) };
