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

/** Schemas of rounds. */

export const ROUND_STATES = ['scheduled', 'called_off', 'sending', 'sent'] as const;

const leftOut = Type.Unsafe<Partial<Record<LeftOutReason, number>>>({
  type: 'object',
  properties: Object.fromEntries(LEFT_OUT_REASONS.map((reason) => [reason, { type: 'integer' }])),
  description: 'How many of those meant do not get it, by why.',
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
    automatic: Type.Boolean({ description: 'It went out by itself (`notices`).' }),
    ...outputFields(wordsFields),
    state: enumSchema(ROUND_STATES),
    called_off_because: enumOrNullSchema(['organizer', ...HINDRANCES], {
      description: 'By an organizer, or because the event was not in a state for it when its time came.',
    }),
    send_at: dateTimeOrNullSchema('When it goes out or went out; null: at once.'),
    created_at: dateTimeSchema(),
    chosen: Type.Integer({ description: 'Guests it goes to; 0 until its time has come.' }),
    left_out: leftOut,
    waiting: Type.Integer({
      description:
        'Not written yet, not taken by the mail server or the carrier yet, or not sent by hand yet.',
    }),
    sent: Type.Integer({ description: 'Taken by the mail server or the carrier, or sent by hand.' }),
    delivered: Type.Integer({ description: 'Of those, which the carrier says are on the phone.' }),
    read: Type.Integer({ description: 'Of those, which were read, where WhatsApp tells.' }),
    bounced: Type.Integer({ description: 'Refused for good.' }),
    unknown: Type.Integer({
      description:
        'Perhaps sent, and not sent again: no answer, or withdrawn on their way. Or of more than 90 days ago.',
    }),
    answered: Type.Integer({ description: 'Guests of it who answered since it went out.' }),
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
      description: '`unknown`: perhaps sent; or of more than 90 days ago.',
    }),
    left_out: enumOrNullSchema(LEFT_OUT_REASONS, { description: 'Why they do not get it.' }),
    tries: Type.Integer({ description: 'Calls to them.' }),
    outcome: enumOrNullSchema(CALL_OUTCOMES, { description: 'Of the last call.' }),
    call_at: dateTimeOrNullSchema('Not to be called again before then.'),
    waits_until: dateTimeOrNullSchema(
      'When a mail goes that waits: one goes to a mailbox in an hour, and a day has a limit; null: it waits for its turn alone.',
    ),
    problem: textOrNullSchema({
      description:
        'Why it bounced or is unknown: in Hebrew, or as `Accept-Language` prefers in Arabic or English.',
    }),
    problem_code: textOrNullSchema({
      description:
        'The same for machines: `refused`, `away`, `unreachable`, `opted_out`, `template`, `no_answer`, `withdrawn` or `held`.',
    }),
    answered: Type.Boolean({ description: 'Since the round went out.' }),
  },
  { $id: 'RoundGuest' },
);
export type RoundGuest = Static<typeof RoundGuest>;

/** Text of a round in one language. */
const LetterPreview = Type.Object({
  language: enumSchema(LANGUAGE_NAMES),
  guests: Type.Integer({ description: 'How many would get it in this language.' }),
  subject: textOrNullSchema({ description: 'null: it is no mail.' }),
  text: Type.String(),
  html: textOrNullSchema({ description: 'null: it is no mail.' }),
  segments: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How many messages it goes out as, each of which is paid for; null: it is no SMS.',
  }),
});

const notFound = Type.Array(uuidSchema(), {
  description: 'Of those named in `guest_ids`, who are no guests of the event.',
});

/** Response to a new round. */
const SentRound = Type.Object(
  { round: schemaRef(Round), not_found: notFound },
  { title: 'SentRound', description: 'On its way, or waiting for its time.' },
);

export const RoundPreview = Type.Object(
  {
    dry_run: Type.Unsafe<true>({ type: 'boolean', enum: [true] }),
    kind: enumSchema(ROUND_KINDS),
    channel: enumSchema(CHANNELS),
    send_at: dateTimeOrNullSchema('null: at once.'),
    chosen: Type.Integer({ description: 'Guests it would go to now.' }),
    left_out: leftOut,
    not_found: notFound,
    warnings: Type.Array(
      Type.Object({
        code: enumSchema(['nobody', 'not_invited', 'day_of_rest', 'no_reply', 'some_later'], {
          description:
            '`not_invited`: a reminder to some who were told nothing yet; `day_of_rest`: on Shabbat or a holiday; ' +
            '`no_reply`: mail that nobody can reply to, as no address of the organizer is known; ' +
            '`some_later`: more mails than may go out on your behalf today, the others follow by themselves.',
        }),
        message: Type.String(),
      }),
      { description: 'What to look at.' },
    ),
    letters: Type.Array(LetterPreview, {
      description: 'In each language, as its first guest would read it, with a link that leads nowhere.',
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
      { description: 'A page of those meant, by name.' },
    ),
    total: Type.Integer({ description: 'How many are meant.' }),
    page: Type.Integer(),
    limit: Type.Integer(),
  },
  { $id: 'RoundPreview' },
);
export type RoundPreview = Static<typeof RoundPreview>;

export const SuggestedRound = Type.Object(
  {
    kind: enumSchema(SUGGESTED_KINDS),
    guests: Type.Integer({ description: 'Who would get it by mail.' }),
    without_email: Type.Integer({
      description: 'Who would be told if they had an address: tell them yourself.',
    }),
    unsubscribed: Type.Integer({
      description: 'Who would be told but wants no more messages: a call may still reach them.',
    }),
  },
  { $id: 'SuggestedRound' },
);
export type SuggestedRound = Static<typeof SuggestedRound>;

export const NextGuest = Type.Object(
  {
    guest_id: uuidSchema(),
    name: Type.String(),
    phone: textOrNullSchema(),
    text: Type.String({ description: 'In the guest’s language, with their own link.' }),
    whatsapp_url: textOrNullSchema({
      description: 'Opens WhatsApp with the text; null: it is no mobile number.',
    }),
    tries: Type.Integer({ description: 'Calls to them so far.' }),
    outcome: enumOrNullSchema(CALL_OUTCOMES, { description: 'Of the last call.' }),
  },
  { $id: 'NextGuest' },
);
export type NextGuest = Static<typeof NextGuest>;

export const Call = Type.Object(
  {
    at: dateTimeSchema(),
    outcome: enumSchema(CALL_OUTCOMES),
    note: textOrNullSchema(),
    call_again_at: dateTimeOrNullSchema(),
  },
  { $id: 'Call' },
);
export type Call = Static<typeof Call>;

export const sharedSchemas = [Round, RoundGuest, RoundPreview, SuggestedRound, NextGuest, Call];

const tags = ['rounds'];
const roundParams = eventRecordParams('roundId', 'The round.');
const rounds = eventRecordFrames({ tags, key: 'round', params: roundParams, record: Round });

const NOT_NOW =
  'The event is not in a state for this kind: it is a draft, cancelled, over, or has not been yet.';

export const roundPreviewQuery = {
  dry_run: queryTypes.flag('Sends nothing, and says who would get what, and why the others would not.'),
  ...pageQuery,
};

const aboutKinds =
  'To chosen guests or by filter, each in their language and with their own link; one mail a guest, whatever happens. ' +
  'With `channel` `sms` or `whatsapp` it goes to mobile numbers, where the operator has set up a carrier. With `by_hand`, who has a mobile number gets a message that you send by WhatsApp yourself, with `phone`, who ' +
  'has a number is called: see `next`. ' +
  '`save_the_date`, `invitation` and `reminder` go to those who have not answered, `see_you` and `thanks` to those who come, ' +
  '`change` to those who were told another date or place, `cancellation` to those who were told of the event and have not declined, `message` to all, ' +
  '`moved_up` and `accepted`, which go out by themselves, to those whom nothing reached then. ' +
  'A filter that asks for `status` or `answered` chooses otherwise, except for `reminder` and `see_you`; so a cancellation ' +
  'reaches those who were told on paper alone. ' +
  '`Idempotency-Key` keeps a repeated request from being another round.';

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
    200: recordAnswer(RoundPreview, 'preview', 'Of a dry run: nothing is sent.'),
  },
  errors: {
    ...eventErrors,
    409: `${NOT_NOW} Or the channel is not set up here, or your mail is stopped (\`mail_stopped\`).`,
    429: 'Also after 50 rounds in a day, and for more mails than may go out within a week (`too_many_mails`).',
  },
});

export const roundFilter = {
  kind: queryTypes.someOf(ROUND_KINDS),
  automatic: queryTypes.whether('Those that went out by themselves alone, or the others alone.'),
};
export type RoundFilter = queryTypes.QueryValues<typeof roundFilter>;

export const listRoundsSchema = rounds.page(
  {
    operationId: 'listRounds',
    summary: 'List what was sent and what waits for its time',
    answer: 'A page of rounds, the newest first.',
  },
  'rounds',
  roundFilter,
);

const RoundChannel = Type.Object({
  name: enumSchema(CHANNELS),
  open: Type.Boolean({
    description: 'Whether this server can send so: `sms` and `whatsapp` take a carrier.',
  }),
  ours: Type.Boolean({ description: 'Whether the server sends it; else you do.' }),
});

export const listChannelsSchema = eventFrames(tags).get(
  { operationId: 'listRoundChannels', summary: 'List how guests can be told' },
  Type.Object(
    { channels: Type.Array(RoundChannel) },
    { title: 'RoundChannels', description: 'Every channel, and whether it is open here.' },
  ),
);

export const suggestRoundsSchema = eventFrames(tags).get(
  {
    operationId: 'suggestRounds',
    summary: 'What guests should be told now',
    description:
      'After the date or the place has changed, after the event was cancelled, and of a place or a yes that reached nobody by itself.',
  },
  Type.Object(
    { suggested: Type.Array(schemaRef(SuggestedRound)) },
    { title: 'SuggestedRounds', description: 'Kinds of rounds that have somebody to go to.' },
  ),
);

export const readRoundSchema = rounds.read({
  operationId: 'readRound',
  summary: 'Report of a round',
  answer: 'As of now.',
});

export const updateRoundSchema = rounds.replace(
  {
    operationId: 'updateRound',
    summary: 'Change a round that waits for its time',
    description: 'Partial: an absent field keeps its value.',
    errors: { 409: 'It has gone out, or was called off.' },
  },
  Type.Object(inputFields(roundChangeFields), {
    additionalProperties: false,
    examples: [{ send_at: '2027-05-02T10:00' }],
  }),
);

export const cancelRoundSchema = organizerFrames.post({
  tags,
  operationId: 'callOffRound',
  summary: 'Call off a round that waits for its time',
  params: roundParams,
  response: { 200: recordAnswer(Round, 'round', 'Called off.') },
  errors: { ...eventErrors, 409: 'It has gone out, or was called off already.' },
});

export const roundGuestFilter = { delivery: queryTypes.someOf(DELIVERIES), search: guestFilter.search };
export type RoundGuestFilter = queryTypes.QueryValues<typeof roundGuestFilter>;

export const listRoundGuestsSchema = organizerFrames.get({
  tags,
  operationId: 'listRoundGuests',
  summary: 'What became of a round at each guest',
  params: readRoundSchema.params,
  querystring: queryOf({ ...roundGuestFilter, ...pageQuery }),
  response: { 200: pageAnswer(RoundGuest, 'guests', 'A page of the guests it was meant for, by name.') },
  errors: eventErrors,
});

export const listNextGuestsSchema = organizerFrames.get({
  tags,
  operationId: 'listNextOfRound',
  summary: 'Whom to write to by hand, or to call, next',
  description:
    'Those who were not told yet, judged again: who has answered meanwhile is not among them. Of calls, first whom you ' +
    'promised to call again, then who was never called, then who did not answer, two hours later at the earliest. ' +
    'For those who may edit the event.',
  params: roundParams,
  querystring: queryOf(pageQuery),
  response: { 200: pageAnswer(NextGuest, 'next', 'A page of them, in their order.') },
  errors: { ...eventErrors, 409: `The round is by mail. ${NOT_NOW}` },
});

export const takeNextGuestSchema = organizerFrames.post({
  tags,
  operationId: 'takeNextOfRound',
  summary: 'Take the next one',
  description:
    'Several people carry out a round together: nobody else is given the same guest for a quarter of an hour. ' +
    'Asked for again before you say what came of it, or leave them for later, it is the same guest.',
  params: roundParams,
  response: {
    200: Type.Object(
      { guest: Type.Unsafe<NextGuest | null>({ anyOf: [schemaRef(NextGuest), { type: 'null' }] }) },
      { title: 'TakenGuest', description: 'null: nobody is left for now.' },
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
    description: `Doing it twice is doing it once.${follows}`,
    params: meantParams,
    response: { 200: recordAnswer(Round, 'round', 'With its new counts.') },
    errors: { ...eventErrors, 409: 'The round is by mail, or not for this guest.' },
  });

export const markNotifiedSchema = markSchema({
  operationId: 'markTold',
  summary: 'Say that you told a guest',
});
export const unmarkNotifiedSchema = markSchema({
  operationId: 'markNotTold',
  summary: 'Say that you did not, after all',
  follows: ' They are who you take next.',
});
export const leaveForLaterSchema = markSchema({
  operationId: 'leaveForLater',
  summary: 'Leave a guest for later',
  follows:
    ' Whoever else takes the next one may be given them, after the others; whom you promised to call again, in a quarter ' +
    'of an hour.',
});

export const addCallSchema = organizerFrames.post({
  tags,
  operationId: 'addCall',
  summary: 'Say what came of a call',
  description:
    'Who was `reached` is told, and their answer may be given with it, as in a change of a guest. Who did not answer comes ' +
    'again two hours later, whoever asked for it (`call_again`) at their time; a wrong number is called no more.',
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
      { call: schemaRef(Call), round: schemaRef(Round), warnings: guestWarnings },
      {
        title: 'AddedCall',
        description: 'The call, the round with its new counts, and what became of a yes that asked for more.',
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
  summary: 'The calls to a guest in a round',
  params: meantParams,
  response: { 200: listAnswer(Call, 'calls', 'The newest first, at most 50.') },
  errors: eventErrors,
});
