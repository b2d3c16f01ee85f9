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

/** Schemas of dates in the other calendars, and of advice about them. */

const SUNSET = '`HH:MM` in Israel’s time.';

export const FormattedHebrewDate = Type.Object(
  {
    year: Type.Integer(),
    month: enumSchema(HEBREW_MONTHS),
    day: Type.Integer(),
    text: Type.String({ description: 'As people write it in the language of the answer.' }),
    letters: Type.String({ description: 'The same in Hebrew, whatever the language.' }),
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
  name: Type.String({ description: 'Of an eve or an end, with the name of the day that it is of.' }),
  strength: enumSchema(STRENGTHS, {
    description:
      '`not_held`: weddings are not held by religious law, or celebrations by the law of the land; `customary`: by the custom of many.',
  }),
};

export const NamedAdvice = Type.Object(named, { $id: 'NamedAdvice' });
export type NamedAdvice = Static<typeof NamedAdvice>;

export const CalendarAdvice = Type.Object(
  {
    ...named,
    at_start: Type.Boolean({
      description: 'Whether it holds as the event begins; else it begins before its `event_end`.',
    }),
    custom: enumSchema(CUSTOMS, { description: 'Whose it is.' }),
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
        'Whose sun it is: the event’s own, where its invitation has `coordinates` in Israel, else Jerusalem’s.',
    }),
    date: dateOrNullSchema('The event’s, in Israel; null without one, and then all below is null or empty.'),
    sunset: textOrNullSchema({ description: `At the place, ${SUNSET}` }),
    after_sunset: orNullSchema<boolean>({ type: 'boolean', description: 'Whether it begins in the night.' }),
    hebrew_date: dateOrNone('When the event begins: by night that of the day to come.'),
    hebrew_date_before_sunset: dateOrNone('Of `date` while it is light.'),
    hebrew_date_after_sunset: dateOrNone('Of the evening of `date`.'),
    advice: Type.Array(schemaRef(CalendarAdvice), {
      description: 'What weighs most first; never a refusal.',
    }),
  },
  { $id: 'EventCalendar' },
);
export type EventCalendar = Static<typeof EventCalendar>;

export const CalendarDay = Type.Object(
  {
    date: dateSchema(),
    sunset: Type.String({ description: `In Jerusalem, ${SUNSET}` }),
    hebrew_date_before_sunset: schemaRef(FormattedHebrewDate),
    hebrew_date_after_sunset: schemaRef(FormattedHebrewDate),
    advice_before_sunset: Type.Array(schemaRef(NamedAdvice), { description: 'Of noon.' }),
    advice_after_sunset: Type.Array(schemaRef(NamedAdvice), { description: 'Of nightfall.' }),
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
    summary: 'Read what day it is in other calendars',
    description:
      'The Hebrew date, sunset, and whose holidays, fasts and customs the event’s time falls on. Advice alone.',
  },
  recordAnswer(EventCalendar, 'calendar', 'The date, and what is to be known of it.'),
);

export const calendarDaysSchema = organizerFrames.get({
  tags,
  operationId: 'readCalendarDays',
  summary: 'Read days to choose from',
  description: 'Each day’s Hebrew dates, sunset, and what is to be known of its day and of its evening.',
  querystring: { ...queryOf(daysQuery), required: ['from', 'to'] },
  response: { 200: listAnswer(CalendarDay, 'days', 'The days in their order.') },
});
