import { type Static, Type } from 'typebox';
import { bodyOf } from '../../kernel/http/field-schemas.ts';
import { named, one, pageOf, queryOf } from '../../kernel/http/resource.ts';
import { dateTime, oneOf, textOrNull, uuid } from '../../kernel/http/shapes.ts';
import { pageQuery } from '../../kernel/paging.ts';
import { eventParam, inEvent, ofEvent, organizer, unversioned, withinEvent } from '../events/area.ts';
import { KINDS, roundFields } from './fields.ts';

export const InvitationRound = Type.Object(
  {
    id: uuid(),
    kind: oneOf(KINDS),
    message: textOrNull(),
    created_at: dateTime(),
    chosen: Type.Integer({ description: 'Guests it goes to.' }),
    without_email: Type.Integer({
      description: 'Guests meant who have no address: send them a link by hand.',
    }),
    unsubscribed: Type.Integer({ description: 'Guests meant who want no mail.' }),
    waiting: Type.Integer({ description: 'Not written yet, or not taken by the mail server yet.' }),
    skipped: Type.Integer({ description: 'Answered or unsubscribed before their mail was written.' }),
    sent: Type.Integer({ description: 'Taken by the mail server.' }),
    bounced: Type.Integer({ description: 'Refused by the mail server for good.' }),
    answered: Type.Integer({ description: 'Guests who answered since.' }),
  },
  {
    $id: 'InvitationRound',
    examples: [
      {
        id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2c01',
        kind: 'invitation',
        message: 'מחכים לכם!',
        created_at: '2027-03-01T08:00:00.000Z',
        chosen: 180,
        without_email: 60,
        unsubscribed: 2,
        waiting: 0,
        skipped: 0,
        sent: 177,
        bounced: 3,
        answered: 95,
      },
    ],
  },
);
export type InvitationRound = Static<typeof InvitationRound>;

export const MAIL_STATES = ['waiting', 'skipped', 'sent', 'bounced', 'unknown'] as const;

export const InvitedGuest = Type.Object(
  {
    guest_id: uuid(),
    name: Type.String(),
    email: textOrNull(),
    mail: oneOf(MAIL_STATES, { description: '`unknown`: settled more than 90 days ago.' }),
    problem: textOrNull({
      description: 'Why it bounced: in Hebrew, or as `Accept-Language` prefers in Arabic or English.',
    }),
    problem_code: textOrNull({ description: 'The same for machines: `refused` or `away`.' }),
    answered: Type.Boolean(),
  },
  { $id: 'InvitedGuest' },
);
export type InvitedGuest = Static<typeof InvitedGuest>;

const tags = ['guests'];
const rounds = withinEvent(
  { tags, key: 'invitation', params: inEvent('invitationId', 'The round.'), record: InvitationRound },
  unversioned(InvitationRound, 'invitation'),
);

export const sendSchema = organizer.post({
  tags,
  operationId: 'sendInvitations',
  summary: 'Send invitations or reminders by mail',
  description:
    'To chosen guests or by filter, each in their language and with their own link; one mail a guest, whatever happens. ' +
    'A reminder goes only to those who have not answered. `Idempotency-Key` keeps a repeated request from being another round.',
  params: eventParam,
  body: named(
    'NewInvitationRound',
    bodyOf(roundFields, { examples: [{ kind: 'invitation', filter: {}, message: 'מחכים לכם!' }] }),
  ),
  response: { 202: one(InvitationRound, 'invitation', 'On its way.') },
  errors: { ...ofEvent, 429: 'Also after 50 rounds in a day.' },
});

export const listRoundsSchema = rounds.page(
  {
    operationId: 'listInvitations',
    summary: 'List what was sent',
    answer: 'A page of rounds, the newest first.',
  },
  'invitations',
);

export const readRoundSchema = rounds.read({
  operationId: 'readInvitationRound',
  summary: 'Report of a round',
  answer: 'As of now.',
});

export const listInvitedSchema = organizer.get({
  tags,
  operationId: 'listInvitedGuests',
  summary: 'What became of each mail of a round',
  params: readRoundSchema.params,
  querystring: queryOf(pageQuery),
  response: { 200: pageOf(InvitedGuest, 'guests', 'A page of the guests it is for.') },
  errors: ofEvent,
});
