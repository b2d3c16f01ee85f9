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

/** Maximum number of tags that are counted; the tags with the most guests are kept. */
export const MOST_COUNTED_TAGS = 1_000;

const count = (description?: string) => Type.Integer(description ? { description } : {});
const meals = Object.fromEntries(DIETS.map((diet) => [diet, count()])) as Record<
  Diet,
  ReturnType<typeof count>
>;

const Meals = Type.Object(
  { regular: count('People who come, and want no other meal.'), ...meals },
  { description: 'Of those who come.' },
);

const counted = {
  guests: count(),
  invited: count('People invited.'),
  confirmed: count('Guests who have places.'),
  pending: count(
    'Guests without any answer; who says maybe or waits is counted there (`rsvp_pending` of the counts has all three).',
  ),
  maybe: count('Guests who don’t know yet.'),
  waiting: count('Guests on the waiting list.'),
  declined: count(),
  people: count('People who come.'),
  adults: count(),
  children: count(),
  meals: Meals,
  allergies: count('Guests who come and have some.'),
};

export const GuestNumbers = Type.Object(
  {
    ...counted,
    tags: Type.Array(
      Type.Object({ tag: textOrNullSchema({ description: 'null: guests without one.' }), ...counted }),
      {
        description: `Whoever has several is counted in each. The ${MOST_COUNTED_TAGS} of most guests, where there are more.`,
      },
    ),
    questions: Type.Array(
      Type.Object({
        id: uuidSchema(),
        kind: enumSchema(QUESTION_KINDS),
        text: Type.String({ description: 'In the event’s language.' }),
        answered: count('Guests who come and answered.'),
        sum: Type.Optional(count('Of a number: all of them together.')),
        options: Type.Optional(
          Type.Array(
            Type.Object({
              id: Type.String(),
              text: Type.String(),
              guests: count(),
              people: count('Who come with these guests.'),
            }),
            { description: 'Of a choice.' },
          ),
        ),
      }),
    ),
  },
  { $id: 'GuestNumbers' },
);
export type GuestNumbers = Static<typeof GuestNumbers>;

/** Maximum number of days in the answer; the latest days are kept. */
export const MOST_ANSWER_DAYS = 400;

export const AnswerDay = Type.Object(
  {
    day: dateSchema('In Israel.'),
    confirmed: count('Guests whose answer of that day stands, and is a yes with places.'),
    people: count('Who come with them.'),
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
    description: `As they stand now, by the day of each guest’s last answer; days without one are left out. The last ${MOST_ANSWER_DAYS}.`,
  },
  listAnswer(AnswerDay, 'days', 'The days, in their order.'),
);

export const numbersSchema = eventFrames(['guests']).get(
  {
    operationId: 'readGuestNumbers',
    summary: 'Count guests by tag, meal and question',
    description: 'As of now, of the guests whom the list’s filters choose.',
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
  'What the caterer should know, as a page to print',
  'How many come, adults and children, the meals of each kind, and who has meals or allergies of their own. In the ' +
    'event’s language, unless `language` says another.',
  'text/html',
);

export const catererCsvSchema = reportAs(
  'readCatererCsv',
  'What the caterer should know, as CSV',
  'The same: everybody who comes in one row, and then each who has meals or allergies of their own.',
  'text/csv',
);
