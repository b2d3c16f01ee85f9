import { type Static, type TObject, Type } from 'typebox';
import { dateSchema, dateTimeSchema, enumSchema, schemaRef, uuidSchema } from '../../kernel/http/shapes.ts';
import { STOP_REASONS } from '../../kernel/mail/senders.ts';
import { ITEM_NAMES } from '../checklist/rules.ts';
import { organizerFrames } from '../events/area.ts';
import { ListedEvent } from '../events/contract.ts';
import { CHANNELS } from '../rounds/channels.ts';
import { ROUND_KINDS } from '../rounds/kinds.ts';

/** Schemas of today's overview. */

/** Maximum number of events; the nearest to today are kept. */
export const MOST_EVENTS = 50;
/** Days ahead in which due dates are shown. */
export const AHEAD_DAYS = 14;
/** Days that a past event stays, for outstanding payments and thank-you messages. */
export const PAST_DAYS = 14;
/** Days back in which messages that did not arrive are shown. */
export const MISSED_DAYS = 14;
/** Days of changes shown to an organizer who has never visited, or not for a long time. */
export const NEW_DAYS = 7;

const dueDates = { due_date: dateSchema(), overdue: Type.Boolean() };
const round = { round_id: uuidSchema(), kind: enumSchema(ROUND_KINDS) };
const list = <S extends TObject>(description: string, item: S) => Type.Array(item, { description });

export const EventToday = Type.Object(
  {
    event: schemaRef(ListedEvent),
    access: enumSchema(['owner', 'edit', 'view']),
    days_to_go: Type.Integer({ description: 'In Israel; below 0 once it took place.' }),
    answers: Type.Object(
      {
        guests: Type.Integer(),
        confirmed: Type.Integer(),
        people: Type.Integer({ description: 'Who come with those who confirmed.' }),
        maybe: Type.Integer(),
        waiting: Type.Integer(),
        declined: Type.Integer(),
      },
      { description: 'Guests who answered, or got a place, since the last visit, as they stand now.' },
    ),
    requests: Type.Integer({ description: 'Who asked to come and was not answered yet.' }),
    payments: list(
      `To be made within ${AHEAD_DAYS} days, or overdue.`,
      Type.Object({
        payment_id: uuidSchema(),
        booking_id: uuidSchema(),
        vendor_name: Type.String(),
        amount: Type.Number(),
        ...dueDates,
      }),
    ),
    approvals: list(
      `Of the checklist, due within ${AHEAD_DAYS} days, or overdue.`,
      Type.Object({ item: enumSchema(ITEM_NAMES), title: Type.String(), ...dueDates }),
    ),
    missed: list(
      `Guests whose last message of ${MISSED_DAYS} days did not arrive and who have not answered since, by its round.`,
      Type.Object({ ...round, guests: Type.Integer() }),
    ),
    to_tell: list(
      'Rounds by hand or by phone that are not through.',
      Type.Object({ ...round, channel: enumSchema(CHANNELS), guests: Type.Integer() }),
    ),
  },
  { $id: 'EventToday' },
);
export type EventToday = Static<typeof EventToday>;

export const Today = Type.Object(
  {
    since: dateTimeSchema('What happened after it is new: when the visit before this one ended.'),
    mail_stopped: Type.Union(
      [
        Type.Object({ because: enumSchema(STOP_REASONS), message: Type.String() }, { title: 'MailStopped' }),
        Type.Null(),
      ],
      {
        description:
          'Why no more mail goes out on one’s behalf: too many addresses refused it, somebody complained, or the operator stopped it.',
      },
    ),
    events: Type.Array(schemaRef(EventToday), {
      description: `By date, the next ${MOST_EVENTS}; those of the last ${PAST_DAYS} days as well.`,
    }),
  },
  { $id: 'Today' },
);
export type Today = Static<typeof Today>;

const tags = ['events'];

export const readTodaySchema = organizerFrames.get({
  tags,
  operationId: 'readToday',
  summary: 'Read what needs one today',
  description:
    'Of all events of one’s own and those shared with one that are not over: what guests answered since the last visit, ' +
    'and what waits for an organizer. Titles in Hebrew, or as `Accept-Language` prefers.',
  response: {
    200: Type.Object({ today: schemaRef(Today) }, { title: 'TodayAnswer', description: 'Today.' }),
  },
});

export const noteVisitSchema = organizerFrames.post({
  tags,
  operationId: 'noteVisit',
  summary: 'Note that one has looked',
  description:
    'What is new counts from the end of the visit before, on whatever device that was. Looks within half an hour of each ' +
    'other are one visit.',
  response: { 204: Type.Null({ description: 'Noted.' }) },
});
