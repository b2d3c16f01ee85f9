import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { FieldProblem, type Fields, fieldsAmong, invalidField, refuseOther } from '../../kernel/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { LENGTHS } from '../guests/fields.ts';
import { selectionFields, selectsGuests } from '../guests/selection.ts';

import { CHANNELS, type ChannelName } from './channels.ts';
import { ROUND_KINDS, type RoundKind } from './kinds.ts';
import { messages } from './messages.ts';

const LONGEST_SUBJECT = 150;
const LATEST = { hours: 2 * 366 * 24 };

/** Fields with the organizer's own words for a round's message. */
export const wordsFields = {
  subject: {
    type: fieldTypes.byLanguage(fieldTypes.line(LONGEST_SUBJECT)),
    empty: null,
    shown: 'Your own subject instead of the standard one.',
    label: { he: 'נושא ההודעה', ar: 'موضوع الرسالة', en: 'Subject' },
  },
  message: {
    type: fieldTypes.byLanguage(fieldTypes.text(LENGTHS.message)),
    empty: null,
    shown: 'Your own words. A guest in whose language there are none gets those in the event’s language.',
    example: { hebrew: 'מחכים לכם!' },
    label: { he: 'מילים משלכם', ar: 'كلماتكم الخاصة', en: 'Your own words' },
  },
} as const;

const sendAt = fieldTypes.withDescription(
  fieldTypes.dateTime(DEFAULT_ZONE),
  'ISO 8601. Without an offset it is wall time in Israel. Within two years.',
);

/**
 * Fields of a new round. It is sent to the guests with the given ids, to the guests who match the filter, or, with
 * both, to the guests with these ids who match.
 */
export const roundFields = {
  kind: {
    type: fieldTypes.orDefault(fieldTypes.oneOf(ROUND_KINDS), 'invitation'),
    empty: 'invitation',
    label: { he: 'סוג המשלוח', ar: 'نوع الإرسال', en: 'Kind' },
  },
  channel: {
    type: fieldTypes.orDefault(fieldTypes.oneOf(CHANNELS), 'mail'),
    empty: 'mail',
    shown:
      '`sms`, `whatsapp`: to mobile numbers, if the operator has set up a carrier; `by_hand`: you send each message yourself; `phone`: you call.',
    label: { he: 'דרך השליחה', ar: 'طريقة الإرسال', en: 'Channel' },
  },
  ...selectionFields,
  ...wordsFields,
  send_at: {
    type: fieldTypes.orNull(sendAt),
    empty: null,
    shown: 'When it is sent; null: at once.',
    label: { he: 'מועד השליחה', ar: 'موعد الإرسال', en: 'Time to send' },
  },
} as const;
export type NewRound = fieldTypes.ValuesOf<typeof roundFields>;

export const roundChangeFields = { ...wordsFields, send_at: { type: sendAt } };
export type RoundChanges = Partial<fieldTypes.ValuesOf<typeof roundChangeFields>>;

/** Reads a new round from a body. The audience must be given, so that an empty body does not mail everybody. */
export function readNewRound(body: unknown, now: Temporal.Instant): NewRound {
  const fields = fieldsAmong(roundFields, body);
  if (!selectsGuests(fields)) throw new Refusal(400, 'nobody', messages.nobody);
  const round = fieldTypes.readWhole(roundFields, fields);
  refuseTimesOutOfRange('send_at', round.send_at, now);
  refuseWordless(round.kind, round.message);
  refuseSubject(round.channel, round.subject);
  refuseLong(round.channel, round.message);
  return round;
}

/** Reads the changes of a scheduled round from a request body. */
export function readRoundChanges(
  fields: Fields,
  { kind, channel }: { kind: RoundKind; channel: ChannelName },
  now: Temporal.Instant,
): RoundChanges {
  refuseOther(['kind', 'channel'], fields, { kind, channel });
  const changes = fieldTypes.readGiven(roundChangeFields, fields);
  refuseTimesOutOfRange('send_at', changes.send_at ?? null, now);
  if (changes.message !== undefined) refuseWordless(kind, changes.message);
  refuseSubject(channel, changes.subject ?? null);
  refuseLong(channel, changes.message ?? null);
  return changes;
}

/** Throws if a round of the kind `message` has no text, as this kind has no standard text. */
function refuseWordless(kind: RoundKind, message: NewRound['message']): void {
  if (kind === 'message' && !message) throw new FieldProblem('message', { kind: 'missing' });
}

/** Throws if a message that is not a mail has a subject. */
function refuseSubject(channel: ChannelName, subject: NewRound['subject']): void {
  if (channel !== 'mail' && subject) throw invalidField('subject', messages.noSubject);
}

/**
 * Maximum length of the organizer's words in a message, by channel; carriers limit the text, which also holds date,
 * place and link.
 */
const LONGEST_WORDS: Readonly<Partial<Record<ChannelName, number>>> = { sms: 700, whatsapp: 350 };

function refuseLong(channel: ChannelName, message: NewRound['message']): void {
  const most = LONGEST_WORDS[channel];
  const longest = Math.max(0, ...Object.values(message ?? {}).map((text) => text?.length ?? 0));
  if (most !== undefined && longest > most) throw invalidField('message', messages.tooLong(most));
}

/** Throws if the time is in the past or more than two years ahead. */
export function refuseTimesOutOfRange(field: string, time: string | null, now: Temporal.Instant): void {
  if (time === null) return;
  const at = Temporal.Instant.from(time);
  if (Temporal.Instant.compare(at, now) <= 0) throw new FieldProblem(field, { kind: 'past' });
  if (Temporal.Instant.compare(at, now.add(LATEST)) > 0) throw invalidField(field, messages.tooFar);
}

/** Selection that contains all guests of an event. */
export const ALL_GUESTS = { guest_ids: undefined, filter: selectionFields.filter.empty };

/** True if the filter selects guests by their answers. Guests who have answered are then included. */
export function includesAnswered({ filter }: Pick<NewRound, 'filter'>): boolean {
  return filter.status !== undefined || filter.answered !== undefined;
}
