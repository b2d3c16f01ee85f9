import { type Static, Type } from 'typebox';
import { oneOf, pageQuery, ref, textOrNull, uuid } from '../../kernel/http/shapes.ts';
import { idempotencyHeader } from '../../kernel/writes/idempotency.ts';
import { headersOf, ofReadableEvent, ofWritableEvent, postErrors, readErrors } from '../events/area.ts';
import { common, eventParams, guestFilter, LENGTHS } from '../guests/contract.ts';

export const KINDS = ['invitation', 'reminder'] as const;
export const MOST_GUESTS_NAMED = 10_000;

export const InvitationRound = Type.Object(
  {
    id: uuid(),
    kind: oneOf(KINDS),
    message: textOrNull(),
    created_at: Type.Unsafe<string>({ type: 'string', format: 'date-time' }),
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

const filter = Type.Object(guestFilter, { description: 'As in the list of guests; empty: all of them.' });

export const sendSchema = {
  ...common,
  operationId: 'sendInvitations',
  summary: 'Send invitations or reminders by mail',
  description:
    'To chosen guests or by filter, each in their language and with their own link; one mail a guest, whatever happens. ' +
    'A reminder goes only to those who have not answered. `Idempotency-Key` keeps a repeated request from being another round.',
  params: eventParams,
  headers: headersOf(idempotencyHeader),
  body: Type.Object(
    {
      kind: Type.Optional(oneOf(KINDS, { default: 'invitation' })),
      guest_ids: Type.Optional(Type.Array(uuid(), { maxItems: MOST_GUESTS_NAMED })),
      filter: Type.Optional(filter),
      message: Type.Optional(
        textOrNull({ maxLength: LENGTHS.message, description: 'Your own words, in every mail.' }),
      ),
    },
    { examples: [{ kind: 'invitation', filter: {}, message: 'מחכים לכם!' }] },
  ),
  response: {
    202: Type.Object({ invitation: ref(InvitationRound) }, { description: 'On its way.' }),
  },
  errors: postErrors({ ...ofWritableEvent, 429: 'A round was sent just now.' }),
};

export const listRoundsSchema = {
  ...common,
  operationId: 'listInvitations',
  summary: 'List what was sent',
  params: eventParams,
  querystring: Type.Object(pageQuery),
  response: {
    200: Type.Object(
      {
        invitations: Type.Array(ref(InvitationRound)),
        total: Type.Integer(),
        page: Type.Integer(),
        limit: Type.Integer(),
      },
      { description: 'A page of rounds, the newest first.' },
    ),
  },
  errors: readErrors(ofReadableEvent),
};

const roundParams = Type.Object({
  id: Type.String({ description: 'The event.' }),
  invitationId: Type.String({ description: 'The round.' }),
});

export const readRoundSchema = {
  ...common,
  operationId: 'readInvitationRound',
  summary: 'Report of a round',
  params: roundParams,
  response: {
    200: Type.Object({ invitation: ref(InvitationRound) }, { description: 'As of now.' }),
  },
  errors: readErrors(ofReadableEvent),
};

export const listInvitedSchema = {
  ...common,
  operationId: 'listInvitedGuests',
  summary: 'What became of each mail of a round',
  params: roundParams,
  querystring: Type.Object(pageQuery),
  response: {
    200: Type.Object(
      {
        guests: Type.Array(ref(InvitedGuest)),
        total: Type.Integer(),
        page: Type.Integer(),
        limit: Type.Integer(),
      },
      { description: 'A page of the guests it is for.' },
    ),
  },
  errors: readErrors(ofReadableEvent),
};
