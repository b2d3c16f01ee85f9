import { type Static, Type } from 'typebox';
import { listAnswer, queryOf, recordAnswer } from '../../kernel/http/resource.ts';
import {
  dateOrNullSchema,
  dateSchema,
  enumSchema,
  orNullSchema,
  schemaRef,
  textOrNullSchema,
} from '../../kernel/http/shapes.ts';
import { eventFrames, organizerFrames } from '../events/area.ts';
import { ADVICE_CODES, type AdviceCode } from './advice.ts';
import { daysQuery } from './fields.ts';
import { HEBREW_MONTHS } from './hebrew-dates.ts';
import { messages } from './messages.ts';
import { CUSTOMS, STRENGTHS } from './occasions.ts';

/** Schemas of dates in the Hebrew and Islamic calendars, and of advice about them. */

const SUNSET = '`HH:MM` in Israel’s time.';

export const FormattedHebrewDate = Type.Object(
  {
    year: Type.Integer(),
    month: enumSchema(HEBREW_MONTHS),
    day: Type.Integer(),
    text: Type.String({ description: 'The date in the language of the answer.' }),
    letters: Type.String({ description: 'The date in Hebrew letters, in any language.' }),
  },
  {
    $id: 'HebrewDate',
    examples: [
      {
        year: 5787,
        month: 'sivan',
        day: 11,
        text: 'eve of 11 Sivan 5787',
        letters: 'אור לי״א בסיוון תשפ״ז',
      },
    ],
  },
);
export type FormattedHebrewDate = Static<typeof FormattedHebrewDate>;

const Code = Type.Unsafe<AdviceCode>({ $id: 'AdviceCode', type: 'string', enum: [...ADVICE_CODES] });

const named = {
  code: Type.Unsafe<AdviceCode>({ $ref: 'AdviceCode#' }),
  name: Type.String({ description: 'For an eve or an end, it includes the name of the day.' }),
  strength: enumSchema(STRENGTHS, {
    description:
      '`not_held`: religious law rules weddings out, or state law rules celebrations out; `customary`: many avoid them by custom.',
  }),
};

export const NamedAdvice = Type.Object(named, { $id: 'NamedAdvice' });
export type NamedAdvice = Static<typeof NamedAdvice>;

export const CalendarAdvice = Type.Object(
  {
    ...named,
    at_start: Type.Boolean({
      description: 'True if it applies when the event begins; otherwise it begins before the `event_end`.',
    }),
    custom: enumSchema(CUSTOMS, { description: 'The people who keep it.' }),
    custom_name: Type.String(),
    message: Type.String(),
  },
  {
    $id: 'CalendarAdvice',
    examples: [
      {
        code: 'lag_baomer',
        name: messages.occasions.lag_baomer.name.en,
        strength: 'good_to_know',
        at_start: true,
        custom: 'ashkenazi',
        custom_name: messages.customs.ashkenazi.en,
        message: messages.occasions.lag_baomer.says.en,
      },
    ],
  },
);
export type CalendarAdvice = Static<typeof CalendarAdvice>;

const dateOrNone = (description: string) =>
  Type.Unsafe<FormattedHebrewDate | null>({
    anyOf: [schemaRef(FormattedHebrewDate), { type: 'null' }],
    description,
  });

export const EventCalendar = Type.Object(
  {
    place: Type.String({
      description:
        'Place for the times of the sun: the venue if the invitation has `coordinates` in Israel, else Jerusalem.',
    }),
    date: dateOrNullSchema(
      'Date of the event in Israel; null without one, and then all fields below are null or empty.',
    ),
    sunset: textOrNullSchema({ description: `Sunset at the place, ${SUNSET}` }),
    after_sunset: orNullSchema<boolean>({
      type: 'boolean',
      description: 'True if the event begins at night.',
    }),
    hebrew_date: dateOrNone('Hebrew date when the event begins; at night, the date of the coming day.'),
    hebrew_date_before_sunset: dateOrNone('Hebrew date of the daylight of `date`.'),
    hebrew_date_after_sunset: dateOrNone('Hebrew date of the evening of `date`.'),
    advice: Type.Array(schemaRef(CalendarAdvice), {
      description: 'The most important first. Advice only: nothing is refused.',
    }),
  },
  { $id: 'EventCalendar' },
);
export type EventCalendar = Static<typeof EventCalendar>;

export const CalendarDay = Type.Object(
  {
    date: dateSchema(),
    sunset: Type.String({ description: `Sunset in Jerusalem, ${SUNSET}` }),
    hebrew_date_before_sunset: schemaRef(FormattedHebrewDate),
    hebrew_date_after_sunset: schemaRef(FormattedHebrewDate),
    advice_before_sunset: Type.Array(schemaRef(NamedAdvice), { description: 'Advice for noon.' }),
    advice_after_sunset: Type.Array(schemaRef(NamedAdvice), { description: 'Advice for nightfall.' }),
  },
  { $id: 'CalendarDay' },
);
export type CalendarDay = Static<typeof CalendarDay>;

export const sharedSchemas = [
  Code,
  FormattedHebrewDate,
  NamedAdvice,
  CalendarAdvice,
  EventCalendar,
  CalendarDay,
];

const tags = ['calendar'];

export const eventCalendarSchema = eventFrames(tags).get(
  {
    operationId: 'readEventCalendar',
    summary: 'Read an event’s date in other calendars',
    description:
      'The Hebrew date, sunset, and the holidays, fasts and customs at the time of the event. Advice only.',
  },
  recordAnswer(EventCalendar, 'calendar', 'The date, and advice about it.'),
);

export const calendarDaysSchema = organizerFrames.get({
  tags,
  operationId: 'readCalendarDays',
  summary: 'Read days to choose from',
  description: 'Each day’s Hebrew dates, sunset, and advice about its daytime and its evening.',
  querystring: { ...queryOf(daysQuery), required: ['from', 'to'] },
  response: { 200: listAnswer(CalendarDay, 'days', 'The days in their order.') },
});
