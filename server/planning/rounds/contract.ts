import { type Static, Type } from 'typebox';
import * as asks from '../../kernel/asks.ts';
import { bodyOf, shownFields, takenFields } from '../../kernel/http/field-schemas.ts';
import { named, one, pageOf, queryOf } from '../../kernel/http/resource.ts';
import {
  dateTime,
  dateTimeOrNull,
  oneOf,
  oneOfOrNull,
  ref,
  textOrNull,
  uuid,
} from '../../kernel/http/shapes.ts';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import { pageQuery } from '../../kernel/paging.ts';
import { aboutEvent, eventParam, inEvent, ofEvent, organizer, withinEvent } from '../events/area.ts';
import { LEFT_OUT, type LeftOut } from './audience.ts';
import { roundChangeFields, roundFields, wordsFields } from './fields.ts';
import { HINDRANCES, KINDS, SENT_KINDS } from './kinds.ts';

/** The shapes of rounds of mail to guests. */

export const ROUND_STATES = ['scheduled', 'called_off', 'sending', 'sent'] as const;

const leftOut = Type.Unsafe<Partial<Record<LeftOut, number>>>({
  type: 'object',
  properties: Object.fromEntries(LEFT_OUT.map((reason) => [reason, { type: 'integer' }])),
  description: 'How many of those meant do not get it, by why.',
});

const exampleRound = {
  id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2c01',
  kind: 'invitation',
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
  bounced: 3,
  answered: 95,
};

export const Round = Type.Object(
  {
    id: uuid(),
    kind: oneOf(KINDS),
    automatic: Type.Boolean({ description: 'It went out by itself (`notices`).' }),
    ...shownFields(wordsFields),
    state: oneOf(ROUND_STATES),
    called_off_because: oneOfOrNull(['organizer', ...HINDRANCES], {
      description: 'By an organizer, or because the event was not in a state for it when its time came.',
    }),
    send_at: dateTimeOrNull('When it goes out or went out; null: at once.'),
    created_at: dateTime(),
    chosen: Type.Integer({ description: 'Guests it goes to; 0 until its time has come.' }),
    left_out: leftOut,
    waiting: Type.Integer({ description: 'Not written yet, or not taken by the mail server yet.' }),
    sent: Type.Integer({ description: 'Taken by the mail server.' }),
    bounced: Type.Integer({ description: 'Refused by the mail server for good.' }),
    answered: Type.Integer({ description: 'Guests of it who answered since it went out.' }),
  },
  { $id: 'Round', examples: [exampleRound] },
);
export type Round = Static<typeof Round>;

export const MAIL_STATES = ['waiting', 'left_out', 'sent', 'bounced', 'unknown'] as const;

export const RoundGuest = Type.Object(
  {
    guest_id: uuid(),
    name: Type.String(),
    email: textOrNull(),
    mail: oneOf(MAIL_STATES, { description: '`unknown`: settled more than 90 days ago.' }),
    left_out: oneOfOrNull(LEFT_OUT, { description: 'Why they do not get it.' }),
    problem: textOrNull({
      description: 'Why it bounced: in Hebrew, or as `Accept-Language` prefers in Arabic or English.',
    }),
    problem_code: textOrNull({ description: 'The same for machines: `refused` or `away`.' }),
    answered: Type.Boolean({ description: 'Since the round went out.' }),
  },
  { $id: 'RoundGuest' },
);
export type RoundGuest = Static<typeof RoundGuest>;

/** What a mail of a round would be. */
const LetterPreview = Type.Object({
  language: oneOf(LANGUAGE_NAMES),
  guests: Type.Integer({ description: 'How many would get it in this language.' }),
  subject: Type.String(),
  text: Type.String(),
  html: Type.String(),
});

export const RoundPreview = Type.Object(
  {
    dry_run: Type.Unsafe<true>({ type: 'boolean', enum: [true] }),
    kind: oneOf(SENT_KINDS),
    send_at: dateTimeOrNull('null: at once.'),
    chosen: Type.Integer({ description: 'Guests it would go to now.' }),
    left_out: leftOut,
    letters: Type.Array(LetterPreview, {
      description: 'In each language, as its first guest would read it, with a link that leads nowhere.',
    }),
    guests: Type.Array(
      Type.Object({
        guest_id: uuid(),
        name: Type.String(),
        email: textOrNull(),
        language: oneOf(LANGUAGE_NAMES),
        left_out: oneOfOrNull(LEFT_OUT),
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
    kind: oneOf(['change', 'cancellation']),
    guests: Type.Integer({ description: 'Who would get it by mail.' }),
    without_email: Type.Integer({
      description: 'Who would be told if they had an address: tell them yourself.',
    }),
  },
  { $id: 'SuggestedRound' },
);
export type SuggestedRound = Static<typeof SuggestedRound>;

export const sharedSchemas = [Round, RoundGuest, RoundPreview, SuggestedRound];

const tags = ['rounds'];
const roundParams = inEvent('roundId', 'The round.');
const rounds = withinEvent({ tags, key: 'round', params: roundParams, record: Round });

const NOT_NOW =
  'The event is not in a state for this kind: it is a draft, cancelled, over, or has not been yet.';

export const previewQuery = {
  dry_run: asks.flag('Sends nothing, and says who would get what, and why the others would not.'),
  ...pageQuery,
};

const aboutKinds =
  'To chosen guests or by filter, each in their language and with their own link; one mail a guest, whatever happens. ' +
  '`save_the_date`, `invitation` and `reminder` go to those who have not answered, `see_you` and `thanks` to those who come, ' +
  '`change` to those who were told another date or place, `cancellation` to all who had not declined, `message` to all. ' +
  'A filter that asks for `status` or `answered` chooses otherwise, except for `reminder` and `see_you`. ' +
  '`Idempotency-Key` keeps a repeated request from being another round.';

export const sendSchema = organizer.post({
  tags,
  operationId: 'sendRound',
  summary: 'Send a round of mail to guests',
  description: aboutKinds,
  params: eventParam,
  querystring: queryOf(previewQuery),
  body: named(
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
    202: one(Round, 'round', 'On its way, or waiting for its time.'),
    200: one(RoundPreview, 'preview', 'Of a dry run: nothing is sent.'),
  },
  errors: { ...ofEvent, 409: NOT_NOW, 429: 'Also after 50 rounds in a day.' },
});

export const roundFilter = {
  kind: asks.someOf(KINDS),
  automatic: asks.whether('Those that went out by themselves alone, or the others alone.'),
};
export type RoundFilter = asks.Answered<typeof roundFilter>;

export const listRoundsSchema = rounds.page(
  {
    operationId: 'listRounds',
    summary: 'List what was sent and what waits for its time',
    answer: 'A page of rounds, the newest first.',
  },
  'rounds',
  roundFilter,
);

export const suggestSchema = aboutEvent(tags).get(
  {
    operationId: 'suggestRounds',
    summary: 'What guests should be told now',
    description: 'After the date or the place has changed, and after the event was cancelled.',
  },
  Type.Object(
    { suggested: Type.Array(ref(SuggestedRound)) },
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
  Type.Object(takenFields(roundChangeFields), {
    additionalProperties: false,
    examples: [{ send_at: '2027-05-02T10:00' }],
  }),
);

export const callOffSchema = organizer.post({
  tags,
  operationId: 'callOffRound',
  summary: 'Call off a round that waits for its time',
  params: roundParams,
  response: { 200: one(Round, 'round', 'Called off.') },
  errors: { ...ofEvent, 409: 'It has gone out, or was called off already.' },
});

export const listRoundGuestsSchema = organizer.get({
  tags,
  operationId: 'listRoundGuests',
  summary: 'What became of each mail of a round',
  params: readRoundSchema.params,
  querystring: queryOf(pageQuery),
  response: { 200: pageOf(RoundGuest, 'guests', 'A page of the guests it was meant for, by name.') },
  errors: ofEvent,
});
