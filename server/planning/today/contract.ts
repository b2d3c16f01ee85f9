import { type Static, type TObject, Type } from 'typebox';
import { dateSchema, dateTimeSchema, enumSchema, schemaRef, uuidSchema } from '../../kernel/http/shapes.ts';
import { STOP_REASONS } from '../../kernel/mail/senders.ts';
import { ITEM_NAMES } from '../checklist/rules.ts';
import { organizerFrames } from '../events/area.ts';
import { ListedEvent } from '../events/contract.ts';
import { CHANNELS } from '../rounds/channels.ts';
import { ROUND_KINDS } from '../rounds/kinds.ts';

/** Schemas of today's overview. */

/** Maximum number of events in today's overview; it has the events nearest to today. */
export const MOST_EVENTS = 50;
/** Number of days ahead for which today's overview shows due dates. */
export const AHEAD_DAYS = 14;
/** Number of days for which a past event stays in the overview, for outstanding payments and thank-you messages. */
export const PAST_DAYS = 14;
/** Number of days back for which today's overview shows messages that did not arrive. */
export const MISSED_DAYS = 14;
/** Number of days for which today's overview shows changes to an organizer without a recent visit. */
export const NEW_DAYS = 7;

const dueDates = { due_date: dateSchema(), overdue: Type.Boolean() };
const round = { round_id: uuidSchema(), kind: enumSchema(ROUND_KINDS) };
const list = <S extends TObject>(description: string, item: S) => Type.Array(item, { description });

export const EventToday = Type.Object(
  {
    event: schemaRef(ListedEvent),
    access: enumSchema(['owner', 'edit', 'view']),
    days_to_go: Type.Integer({ description: 'Days until the event, in Israel; negative after it.' }),
    answers: Type.Object(
      {
        guests: Type.Integer(),
        confirmed: Type.Integer(),
        people: Type.Integer({ description: 'People who come with the confirmed guests.' }),
        maybe: Type.Integer(),
        waiting: Type.Integer(),
        declined: Type.Integer(),
      },
      { description: 'Guests who answered or got a place since the last visit, by their present answers.' },
    ),
    requests: Type.Integer({ description: 'Requests to come that were not answered yet.' }),
    plus_ones: Type.Integer({
      description:
        'Guests who come with more people than their invitation and its plus-ones allow; 0 after the event.',
    }),
    payments: list(
      `Payments due within ${AHEAD_DAYS} days, or overdue.`,
      Type.Object({
        payment_id: uuidSchema(),
        booking_id: uuidSchema(),
        vendor_name: Type.String(),
        amount: Type.Number(),
        ...dueDates,
      }),
    ),
    approvals: list(
      `Items of the checklist due within ${AHEAD_DAYS} days, or overdue.`,
      Type.Object({ item: enumSchema(ITEM_NAMES), title: Type.String(), ...dueDates }),
    ),
    missed: list(
      `Guests whose last message within ${MISSED_DAYS} days did not arrive and who have not answered since, by round.`,
      Type.Object({ ...round, guests: Type.Integer() }),
    ),
    to_tell: list(
      'Rounds by hand or by phone that are not finished.',
      Type.Object({ ...round, channel: enumSchema(CHANNELS), guests: Type.Integer() }),
    ),
  },
  { $id: 'EventToday' },
);
export type EventToday = Static<typeof EventToday>;

export const Today = Type.Object(
  {
    since: dateTimeSchema('End of the previous visit: later changes are new.'),
    mail_stopped: Type.Union(
      [
        Type.Object(
          { because: enumSchema([...STOP_REASONS, 'visitors']), message: Type.String() },
          { title: 'MailStopped' },
        ),
        Type.Null(),
      ],
      {
        description:
          'Why no more mail is sent on your behalf: too many addresses refused it, a recipient complained, or the operator stopped it. `visitors`: only mails that visitors of your open links request are slowed, because too many of their addresses refused it.',
      },
    ),
    events: Type.Array(schemaRef(EventToday), {
      description: `The next ${MOST_EVENTS} events by date, including those of the last ${PAST_DAYS} days.`,
    }),
  },
  { $id: 'Today' },
);
export type Today = Static<typeof Today>;

const tags = ['events'];

export const readTodaySchema = organizerFrames.get({
  tags,
  operationId: 'readToday',
  summary: 'Read today’s overview',
  description:
    'For your own events and those shared with you that are not over: guests’ answers since your last visit, ' +
    'and open tasks. Titles in Hebrew, or as `Accept-Language` prefers.',
  response: {
    200: Type.Object({ today: schemaRef(Today) }, { title: 'TodayAnswer', description: 'Today.' }),
  },
});

export const noteVisitSchema = organizerFrames.post({
  tags,
  operationId: 'noteVisit',
  summary: 'Record a visit',
  description:
    'Changes count as new from the end of the previous visit, on any device. Requests within half an hour of each ' +
    'other are one visit.',
  response: { 204: Type.Null({ description: 'Recorded.' }) },
});
