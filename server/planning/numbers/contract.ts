import type { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { listAnswer, queryOf, recordAnswer } from '../../kernel/http/resource.ts';
import { dateSchema, enumSchema, textOrNullSchema, uuidSchema } from '../../kernel/http/shapes.ts';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import * as queryTypes from '../../kernel/query-types.ts';
import { eventErrors, eventFrames, eventParam, organizerFrames } from '../events/area.ts';
import { DIETS, type Diet } from '../guests/fields.ts';
import { guestFilter } from '../guests/filter.ts';
import { QUESTION_KINDS } from '../questions/fields.ts';

/** Schemas of an event's guest numbers. */

/**
 * Maximum number of tags in an event's guest numbers. If the guests have more tags, those with the most guests are
 * counted.
 */
export const MOST_COUNTED_TAGS = 1_000;

const count = (description?: string) => Type.Integer(description ? { description } : {});
const meals = Object.fromEntries(DIETS.map((diet) => [diet, count()])) as Record<
  Diet,
  ReturnType<typeof count>
>;

const Meals = Type.Object(
  { regular: count('People who come without a special meal.'), ...meals },
  { description: 'Meals of the people who come.' },
);

/** States of guests' answers, by which the people invited are counted. */
export const STANDINGS = ['confirmed', 'maybe', 'waiting', 'declined', 'pending'] as const;

const InvitedByAnswer = Type.Object(
  Object.fromEntries(STANDINGS.map((stands) => [stands, count()])) as Record<
    (typeof STANDINGS)[number],
    ReturnType<typeof count>
  >,
  { description: 'The people of `invited`, by the answers of their guests.' },
);

const counted = {
  guests: count(),
  invited: count('People invited.'),
  confirmed: count('Guests who said yes and have places.'),
  pending: count(
    'Guests without any answer; `maybe` and `waiting` are counted separately (`rsvp_pending` of the event includes all three).',
  ),
  maybe: count('Guests who don’t know yet.'),
  waiting: count('Guests on the waiting list.'),
  declined: count(),
  invited_by_answer: InvitedByAnswer,
  people: count('People who come.'),
  adults: count(),
  children: count(),
  meals: Meals,
  allergies: count('Guests who come and have allergies.'),
};

export const GuestNumbers = Type.Object(
  {
    ...counted,
    tags: Type.Array(
      Type.Object({ tag: textOrNullSchema({ description: 'null: guests without one.' }), ...counted }),
      {
        description: `A guest with several tags is counted in each. At most ${MOST_COUNTED_TAGS}: the tags with the most guests.`,
      },
    ),
    questions: Type.Array(
      Type.Object({
        id: uuidSchema(),
        kind: enumSchema(QUESTION_KINDS),
        text: Type.String({ description: 'In the event’s language.' }),
        answered: count('Guests who come and answered.'),
        sum: Type.Optional(count('Only for a number question: the sum of the answers.')),
        options: Type.Optional(
          Type.Array(
            Type.Object({
              id: Type.String(),
              text: Type.String(),
              guests: count(),
              people: count('People who come with these guests.'),
            }),
            { description: 'Only for a choice question.' },
          ),
        ),
      }),
    ),
  },
  { $id: 'GuestNumbers' },
);
export type GuestNumbers = Static<typeof GuestNumbers>;

/**
 * Maximum number of days in an event's guest numbers, which count the answers of each day; the latest days are counted.
 */
export const MOST_ANSWER_DAYS = 400;

export const AnswerDay = Type.Object(
  {
    day: dateSchema('In Israel.'),
    confirmed: count('Guests whose last answer, given on that day, is a yes with places.'),
    people: count('People who come with them.'),
    maybe: count(),
    waiting: count(),
    declined: count(),
  },
  { $id: 'AnswerDay' },
);
export type AnswerDay = Static<typeof AnswerDay>;

export const sharedSchemas = [GuestNumbers, AnswerDay];

export const daysSchema = eventFrames(['guests']).get(
  {
    operationId: 'listAnswerDays',
    summary: 'Count answers by the day they were given',
    description: `Present answers, by the day of each guest’s last answer; days without answers are left out. At most the last ${MOST_ANSWER_DAYS} days.`,
  },
  listAnswer(AnswerDay, 'days', 'The days, in their order.'),
);

export const numbersSchema = eventFrames(['guests']).get(
  {
    operationId: 'readGuestNumbers',
    summary: 'Count guests by tag, meal and question',
    description: 'Present numbers of the guests that match the filters.',
    querystring: queryOf(guestFilter),
  },
  recordAnswer(GuestNumbers, 'numbers', 'The numbers.'),
);

export const catererQuery = { language: queryTypes.oneOf(LANGUAGE_NAMES) };

const reportAs = (operationId: string, summary: string, description: string, type: string) =>
  organizerFrames.get({
    tags: ['guests'],
    operationId,
    summary,
    description,
    params: eventParam,
    querystring: queryOf(catererQuery),
    response: {
      200: Type.Unsafe<Readable | string>({
        description: 'The report.',
        content: { [type]: { schema: { type: 'string' } } },
      }),
    },
    errors: eventErrors,
  });

export const catererSchema = reportAs(
  'readCatererReport',
  'Caterer’s report as a page to print',
  'The number of adults and children who come, meals by kind, and guests with special meals or allergies. In the ' +
    'event’s language, unless `language` names another.',
  'text/html',
);

export const catererCsvSchema = reportAs(
  'readCatererCsv',
  'Caterer’s report as CSV',
  'A row with the totals, then a row for each guest with special meals or allergies.',
  'text/csv',
);
