import { type Static, Type } from 'typebox';
import { bodyOf, inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { listAnswer, namedSchema, pageAnswer, queryOf, recordAnswer } from '../../kernel/http/resource.ts';
import {
  dateTimeOrNullSchema,
  dateTimeSchema,
  enumOrNullSchema,
  enumSchema,
  schemaRef,
  textOrNullSchema,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import { pageQuery } from '../../kernel/paging.ts';
import * as queryTypes from '../../kernel/query-types.ts';
import {
  eventErrors,
  eventFrames,
  eventParam,
  eventRecordFrames,
  eventRecordParams,
  organizerFrames,
} from '../events/area.ts';
import { guestWarnings } from '../guests/contract.ts';
import { guestFilter } from '../guests/filter.ts';
import { LEFT_OUT_REASONS, type LeftOutReason } from './audience.ts';
import { CALL_OUTCOMES, callBodyFields } from './call-fields.ts';
import { CHANNELS } from './channels.ts';
import { roundChangeFields, roundFields, wordsFields } from './fields.ts';
import { HINDRANCES, ROUND_KINDS, SUGGESTED_KINDS } from './kinds.ts';

/** Schemas of rounds: messages and phone calls to many guests. */

export const ROUND_STATES = ['scheduled', 'called_off', 'sending', 'sent'] as const;

const leftOut = Type.Unsafe<Partial<Record<LeftOutReason, number>>>({
  type: 'object',
  properties: Object.fromEntries(LEFT_OUT_REASONS.map((reason) => [reason, { type: 'integer' }])),
  description: 'Number of guests who do not get it, by reason.',
});

const exampleRound = {
  id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2c01',
  kind: 'invitation',
  channel: 'mail',
  automatic: false,
  subject: null,
  message: { hebrew: 'מחכים לכם!' },
  state: 'sent',
  called_off_because: null,
  send_at: null,
  created_at: '2027-03-01T08:00:00.000Z',
  chosen: 180,
  left_out: { answered: 12, no_email: 60, unsubscribed: 2 },
  waiting: 0,
  sent: 177,
  delivered: 0,
  read: 0,
  bounced: 3,
  unknown: 0,
  answered: 95,
};

export const Round = Type.Object(
  {
    id: uuidSchema(),
    kind: enumSchema(ROUND_KINDS),
    channel: enumSchema(CHANNELS),
    automatic: Type.Boolean({ description: 'True if it was sent automatically (`notices`).' }),
    ...outputFields(wordsFields),
    state: enumSchema(ROUND_STATES),
    called_off_because: enumOrNullSchema(['organizer', ...HINDRANCES], {
      description:
        'Why it was cancelled: by an organizer, or because of the event’s status or date at the scheduled time.',
    }),
    send_at: dateTimeOrNullSchema('Scheduled time; null: at once.'),
    created_at: dateTimeSchema(),
    chosen: Type.Integer({ description: 'Number of guests who get it; 0 until the scheduled time.' }),
    left_out: leftOut,
    waiting: Type.Integer({
      description:
        'Messages that are not written yet, not accepted by the mail server or the carrier yet, or not sent by hand yet.',
    }),
    sent: Type.Integer({
      description: 'Messages accepted by the mail server or the carrier, or sent by hand.',
    }),
    delivered: Type.Integer({
      description: 'Sent messages that the carrier reports as delivered to the phone.',
    }),
    read: Type.Integer({ description: 'Delivered messages that WhatsApp reports as read.' }),
    bounced: Type.Integer({ description: 'Messages that were permanently refused.' }),
    unknown: Type.Integer({
      description:
        'Messages that may have been sent and are not sent again: no reply from the server, or withdrawn while being sent. Also messages older than 90 days.',
    }),
    answered: Type.Integer({ description: 'Guests of the round who have answered since it was sent.' }),
  },
  { $id: 'Round', examples: [exampleRound] },
);
export type Round = Static<typeof Round>;

export const DELIVERIES = ['waiting', 'left_out', 'sent', 'delivered', 'read', 'bounced', 'unknown'] as const;

export const RoundGuest = Type.Object(
  {
    guest_id: uuidSchema(),
    name: Type.String(),
    email: textOrNullSchema(),
    phone: textOrNullSchema(),
    delivery: enumSchema(DELIVERIES, {
      description: '`unknown`: it may have been sent, or it is older than 90 days.',
    }),
    left_out: enumOrNullSchema(LEFT_OUT_REASONS, { description: 'Why the guest does not get it.' }),
    tries: Type.Integer({ description: 'Number of calls to the guest.' }),
    outcome: enumOrNullSchema(CALL_OUTCOMES, { description: 'Outcome of the last call.' }),
    call_at: dateTimeOrNullSchema('Earliest time of the next call.'),
    waits_until: dateTimeOrNullSchema(
      'When a delayed mail will be sent: a mailbox gets one mail an hour, and there is a daily limit; null: it waits only for its turn.',
    ),
    problem: textOrNullSchema({
      description:
        'Why it bounced or is unknown: in Hebrew, or as `Accept-Language` prefers in Arabic or English.',
    }),
    problem_code: textOrNullSchema({
      description:
        'The problem for programs: `refused`, `away`, `unreachable`, `opted_out`, `template`, `no_answer`, `withdrawn` or `held`.',
    }),
    answered: Type.Boolean({ description: 'True if the guest has answered since the round was sent.' }),
  },
  { $id: 'RoundGuest' },
);
export type RoundGuest = Static<typeof RoundGuest>;

/** Schema of the text of a round's message in one language. */
const LetterPreview = Type.Object({
  language: enumSchema(LANGUAGE_NAMES),
  guests: Type.Integer({ description: 'Number of guests who would get it in this language.' }),
  subject: textOrNullSchema({ description: 'null: not a mail.' }),
  text: Type.String(),
  html: textOrNullSchema({ description: 'null: not a mail.' }),
  segments: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Number of SMS parts, each of which is charged; null: not an SMS.',
  }),
});

const notFound = Type.Array(uuidSchema(), {
  description: 'Ids in `guest_ids` that are not guests of the event.',
});

/** Schema of the response after a round was created. */
const SentRound = Type.Object(
  { round: schemaRef(Round), not_found: notFound },
  { title: 'SentRound', description: 'The round: being sent, or scheduled.' },
);

export const RoundPreview = Type.Object(
  {
    dry_run: Type.Unsafe<true>({ type: 'boolean', enum: [true] }),
    kind: enumSchema(ROUND_KINDS),
    channel: enumSchema(CHANNELS),
    send_at: dateTimeOrNullSchema('null: at once.'),
    chosen: Type.Integer({ description: 'Number of guests who would get it now.' }),
    left_out: leftOut,
    not_found: notFound,
    warnings: Type.Array(
      Type.Object({
        code: enumSchema(
          ['nobody', 'not_invited', 'invited_before', 'day_of_rest', 'no_reply', 'some_later'],
          {
            description:
              '`nobody`: no guest would get it; `not_invited`: a reminder to guests who have not been invited yet; ' +
              '`invited_before`: an invitation to guests who have already been sent an invitation or a reminder (leave them out with the filter `invited: false`); ' +
              '`day_of_rest`: on Shabbat or a holiday; `no_reply`: replies reach nobody, because no address of the organizer is known; ' +
              '`some_later`: more mails than can be sent on your behalf today; the others follow automatically.',
          },
        ),
        message: Type.String(),
      }),
      { description: 'Warnings.' },
    ),
    letters: Type.Array(LetterPreview, {
      description:
        'The message in each language, as its first guest would read it, with a link that leads nowhere.',
    }),
    guests: Type.Array(
      Type.Object({
        guest_id: uuidSchema(),
        name: Type.String(),
        email: textOrNullSchema(),
        phone: textOrNullSchema(),
        language: enumSchema(LANGUAGE_NAMES),
        left_out: enumOrNullSchema(LEFT_OUT_REASONS),
      }),
      { description: 'A page of the audience, by name, including guests who are left out.' },
    ),
    total: Type.Integer({ description: 'Number of guests in the audience.' }),
    page: Type.Integer(),
    limit: Type.Integer(),
  },
  { $id: 'RoundPreview' },
);
export type RoundPreview = Static<typeof RoundPreview>;

export const SuggestedRound = Type.Object(
  {
    kind: enumSchema(SUGGESTED_KINDS),
    guests: Type.Integer({ description: 'Guests who would get it by mail.' }),
    without_email: Type.Integer({
      description: 'Guests without an email address: notify them yourself.',
    }),
    unsubscribed: Type.Integer({
      description: 'Guests who unsubscribed from messages: you can still call them.',
    }),
  },
  { $id: 'SuggestedRound' },
);
export type SuggestedRound = Static<typeof SuggestedRound>;

const dueGuest = {
  guest_id: uuidSchema(),
  name: Type.String(),
  tries: Type.Integer({ description: 'Number of calls to the guest so far.' }),
  outcome: enumOrNullSchema(CALL_OUTCOMES, { description: 'Outcome of the last call.' }),
};

export const DueGuest = Type.Object(dueGuest, { $id: 'DueGuest' });
export type DueGuest = Static<typeof DueGuest>;

export const NextGuest = Type.Object(
  {
    ...dueGuest,
    phone: textOrNullSchema(),
    other_phones: Type.Array(Type.String()),
    text: Type.String({ description: 'In the guest’s language, with their own link.' }),
    whatsapp_url: textOrNullSchema({
      description: 'Opens WhatsApp with the text; null: not a mobile number.',
    }),
  },
  { $id: 'NextGuest' },
);
export type NextGuest = Static<typeof NextGuest>;

export const RoundCall = Type.Object(
  {
    at: dateTimeSchema(),
    outcome: enumSchema(CALL_OUTCOMES),
    note: textOrNullSchema(),
    call_again_at: dateTimeOrNullSchema(),
  },
  { $id: 'Call' },
);
export type RoundCall = Static<typeof RoundCall>;

export const sharedSchemas = [
  Round,
  RoundGuest,
  RoundPreview,
  SuggestedRound,
  DueGuest,
  NextGuest,
  RoundCall,
];

const tags = ['rounds'];
const roundParams = eventRecordParams('roundId', 'The round.');
const rounds = eventRecordFrames({ tags, key: 'round', params: roundParams, record: Round });

const NOT_NOW =
  'The event’s status or date rules this kind out: it is a draft, cancelled, over, or has not taken place yet.';

export const roundPreviewQuery = {
  dry_run: queryTypes.flag(
    'Sends nothing; the answer shows who would get what, and why others are left out.',
  ),
  ...pageQuery,
};

const aboutKinds =
  'Goes to selected guests or to those matching a filter, in each guest’s language and with their personal link; each guest gets one mail, whatever happens. ' +
  'With `channel` `sms` or `whatsapp` it goes to mobile numbers, if the operator has set up a carrier. With `by_hand` you send each message by WhatsApp yourself, to guests with a mobile number; with `phone` you ' +
  'call guests who have a phone number: see `POST …/next`. ' +
  '`save_the_date`, `invitation` and `reminder` go to guests who have not answered, `see_you` and `thanks` to guests who come, ' +
  '`change` to guests who know another date or place, `cancellation` to guests who know of the event and have not declined, `message` to all; ' +
  '`moved_up` and `accepted`, which are normally sent automatically, to guests whom the automatic message did not reach. ' +
  'A filter by `status` or `answered` replaces this choice, except for `reminder` and `see_you`; this way a cancellation can ' +
  'reach guests who were invited on paper only. ' +
  'With an `Idempotency-Key` a repeated request does not send another round.';

export const sendRoundSchema = organizerFrames.post({
  tags,
  operationId: 'sendRound',
  summary: 'Send a round to guests',
  description: aboutKinds,
  params: eventParam,
  querystring: queryOf(roundPreviewQuery),
  body: namedSchema(
    'NewRound',
    bodyOf(roundFields, {
      additionalProperties: false,
      examples: [
        { kind: 'invitation', filter: {}, message: 'מחכים לכם!' },
        { kind: 'reminder', filter: { tag: 'עבודה' }, send_at: '2027-05-01T10:00' },
      ],
    }),
  ),
  response: {
    202: SentRound,
    200: recordAnswer(RoundPreview, 'preview', 'Answer to a dry run: nothing is sent.'),
  },
  errors: {
    ...eventErrors,
    409: `${NOT_NOW} Or the channel is not set up on this server, or your mail is stopped (\`mail_stopped\`).`,
    429: 'Also after 50 rounds in a day, and for more mails than can be sent within a week (`too_many_mails`).',
  },
});

export const roundFilter = {
  kind: queryTypes.someOf(ROUND_KINDS),
  automatic: queryTypes.booleanFilter('Only automatic rounds, or only the others.'),
};
export type RoundFilter = queryTypes.QueryValues<typeof roundFilter>;

export const listRoundsSchema = rounds.page(
  {
    operationId: 'listRounds',
    summary: 'List sent and scheduled rounds',
    answer: 'A page of rounds, the newest first.',
  },
  'rounds',
  roundFilter,
);

const RoundChannel = Type.Object({
  name: enumSchema(CHANNELS),
  open: Type.Boolean({
    description: 'True if this server supports the channel: `sms` and `whatsapp` need a carrier.',
  }),
  ours: Type.Boolean({ description: 'True if the server sends the messages; otherwise you do.' }),
});

export const listChannelsSchema = eventFrames(tags).get(
  { operationId: 'listRoundChannels', summary: 'List the channels to guests' },
  Type.Object(
    { channels: Type.Array(RoundChannel) },
    { title: 'RoundChannels', description: 'Every channel, and whether this server supports it.' },
  ),
);

export const suggestRoundsSchema = eventFrames(tags).get(
  {
    operationId: 'suggestRounds',
    summary: 'List rounds that should be sent now',
    description:
      'After a change of date or place, after a cancellation, and when automatic messages about a place or an accepted request did not reach guests.',
  },
  Type.Object(
    { suggested: Type.Array(schemaRef(SuggestedRound)) },
    { title: 'SuggestedRounds', description: 'Kinds of rounds that guests are waiting for.' },
  ),
);

export const readRoundSchema = rounds.read({
  operationId: 'readRound',
  summary: 'Read a round and its delivery report',
  answer: 'The round with its present counts.',
});

export const updateRoundSchema = rounds.replace(
  {
    operationId: 'updateRound',
    summary: 'Change a scheduled round',
    description: 'Partial: an absent field keeps its value.',
    errors: { 409: 'The round has already been sent or cancelled.' },
  },
  Type.Object(inputFields(roundChangeFields), {
    additionalProperties: false,
    examples: [{ send_at: '2027-05-02T10:00' }],
  }),
);

export const cancelRoundSchema = organizerFrames.post({
  tags,
  operationId: 'callOffRound',
  summary: 'Cancel a scheduled round',
  params: roundParams,
  response: { 200: recordAnswer(Round, 'round', 'The cancelled round.') },
  errors: { ...eventErrors, 409: 'The round has already been sent or cancelled.' },
});

export const roundGuestFilter = { delivery: queryTypes.someOf(DELIVERIES), search: guestFilter.search };
export type RoundGuestFilter = queryTypes.QueryValues<typeof roundGuestFilter>;

export const listRoundGuestsSchema = organizerFrames.get({
  tags,
  operationId: 'listRoundGuests',
  summary: 'List the guests of a round with their delivery reports',
  params: readRoundSchema.params,
  querystring: queryOf({ ...roundGuestFilter, ...pageQuery }),
  response: { 200: pageAnswer(RoundGuest, 'guests', 'A page of the guests in its audience, by name.') },
  errors: eventErrors,
});

export const listNextGuestsSchema = organizerFrames.get({
  tags,
  operationId: 'listNextOfRound',
  summary: 'List the guests to write to by hand, or to call, next',
  description:
    'Guests who were not notified yet; guests who have answered meanwhile are left out. For calls: first guests whom you ' +
    'promised to call again, then guests never called, then guests who did not pick up, two hours later at the earliest. ' +
    'The message and the number come with `POST …/next`, which reserves the guest, so that two people never contact the same one. ' +
    'For callers who can edit the event.',
  params: roundParams,
  querystring: queryOf(pageQuery),
  response: { 200: pageAnswer(DueGuest, 'next', 'A page of them, in their order.') },
  errors: { ...eventErrors, 409: `The round is by mail. ${NOT_NOW}` },
});

export const takeNextGuestSchema = organizerFrames.post({
  tags,
  operationId: 'takeNextOfRound',
  summary: 'Take the next guest to write to by hand, or to call',
  description:
    'Several people can work on a round together: the guest is reserved for you for a quarter of an hour. ' +
    'Until you report the outcome or leave the guest for later, you get the same guest again.',
  params: roundParams,
  response: {
    200: Type.Object(
      { guest: Type.Unsafe<NextGuest | null>({ anyOf: [schemaRef(NextGuest), { type: 'null' }] }) },
      { title: 'TakenGuest', description: 'null: no guest is left for now.' },
    ),
  },
  errors: { ...eventErrors, 409: `The round is by mail. ${NOT_NOW}` },
});

const meantParams = Type.Object({
  ...eventParam.properties,
  roundId: Type.String({ description: 'The round.' }),
  guestId: Type.String({ description: 'The guest.' }),
});
const markSchema = ({ follows = '', ...words }: { operationId: string; summary: string; follows?: string }) =>
  organizerFrames.post({
    tags,
    ...words,
    description: `Repeating it has no effect.${follows}`,
    params: meantParams,
    response: { 200: recordAnswer(Round, 'round', 'The round with its new counts.') },
    errors: { ...eventErrors, 409: 'The round is by mail, or not for this guest.' },
  });

export const markNotifiedSchema = markSchema({
  operationId: 'markTold',
  summary: 'Mark a guest as notified',
});
export const unmarkNotifiedSchema = markSchema({
  operationId: 'markNotTold',
  summary: 'Mark a guest as not notified',
  follows: ' The guest is the next one you take.',
});
export const leaveForLaterSchema = markSchema({
  operationId: 'leaveForLater',
  summary: 'Leave a guest for later',
  follows:
    ' The guest goes to the end of the list, and others can take them; a promised call comes again in a quarter ' +
    'of an hour.',
});

export const addCallSchema = organizerFrames.post({
  tags,
  operationId: 'addCall',
  summary: 'Record a call',
  description:
    'A guest who was `reached` counts as notified, and their answer can be given in the same request, as in a change of a guest. ' +
    'A yes for more people than can come is a 409 that saves nothing: `up_to` of them can come, and with `over_limit` all. ' +
    'After `no_answer` the guest comes up again two hours later, after `call_again` at the agreed time; a wrong number is not called again.',
  params: meantParams,
  body: namedSchema(
    'NewCall',
    bodyOf(callBodyFields, {
      additionalProperties: false,
      examples: [
        { outcome: 'reached', rsvp_status: 'confirmed', coming: 3 },
        { outcome: 'call_again', call_again_at: '2027-05-02T20:30', note: 'אחרי העבודה' },
      ],
    }),
  ),
  response: {
    201: Type.Object(
      { call: schemaRef(RoundCall), round: schemaRef(Round), warnings: guestWarnings },
      {
        title: 'AddedCall',
        description: 'The call, the round with its new counts, and warnings about a yes for more places.',
      },
    ),
  },
  errors: {
    ...eventErrors,
    409: 'The round is not by phone, or not for this guest, or a yes asks for more places than are left.',
  },
});

export const listCallsSchema = organizerFrames.get({
  tags,
  operationId: 'listCalls',
  summary: 'List the calls to a guest in a round',
  params: meantParams,
  response: { 200: listAnswer(RoundCall, 'calls', 'The calls, the newest first, at most 50.') },
  errors: eventErrors,
});
