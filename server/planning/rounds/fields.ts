import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { FieldProblem, type Fields, fieldsAmong, invalidField, refuseOther } from '../../kernel/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { choosesGuests, chosenFields } from '../guests/chosen.ts';
import { LENGTHS } from '../guests/fields.ts';

import { CHANNELS, type ChannelName } from './channels.ts';
import { KINDS, type Kind } from './kinds.ts';
import { messages } from './messages.ts';

const LONGEST_SUBJECT = 150;
const LATEST = { hours: 2 * 366 * 24 };

/** The organizer's own words in a round's mail. */
export const wordsFields = {
  subject: {
    type: fieldTypes.byLanguage(fieldTypes.line(LONGEST_SUBJECT)),
    empty: null,
    shown: 'Your own, in place of the usual one.',
    label: { he: 'נושא ההודעה', ar: 'موضوع الرسالة', en: 'Subject' },
  },
  message: {
    type: fieldTypes.byLanguage(fieldTypes.text(LENGTHS.message)),
    empty: null,
    shown: 'Your own words. A guest whose language has none reads those of the event’s language.',
    example: { hebrew: 'מחכים לכם!' },
    label: { he: 'מילים משלכם', ar: 'كلماتكم الخاصة', en: 'Your own words' },
  },
} as const;

const sendAt = fieldTypes.described(
  fieldTypes.dateTime(DEFAULT_ZONE),
  'ISO 8601. Without an offset it is wall time in Israel. Within two years.',
);

/** What a round is to be: to the guests named, to those who match, or, with both, to the named who match. */
export const roundFields = {
  kind: {
    type: fieldTypes.orDefault(fieldTypes.oneOf(KINDS), 'invitation'),
    empty: 'invitation',
    label: { he: 'סוג המשלוח', ar: 'نوع الإرسال', en: 'Kind' },
  },
  channel: {
    type: fieldTypes.orDefault(fieldTypes.oneOf(CHANNELS), 'mail'),
    empty: 'mail',
    shown:
      '`sms`, `whatsapp`: to mobile numbers, where the operator has a carrier; `by_hand`: you send each message yourself; `phone`: you call.',
    label: { he: 'דרך השליחה', ar: 'طريقة الإرسال', en: 'Channel' },
  },
  ...chosenFields,
  ...wordsFields,
  send_at: {
    type: fieldTypes.orNull(sendAt),
    empty: null,
    shown: 'When it goes out; null: at once.',
    label: { he: 'מועד השליחה', ar: 'موعد الإرسال', en: 'Time to send' },
  },
} as const;
export type NewRound = fieldTypes.ValuesOf<typeof roundFields>;

export const roundChangeFields = { ...wordsFields, send_at: { type: sendAt } };
export type RoundChanges = Partial<fieldTypes.ValuesOf<typeof roundChangeFields>>;

/** The round a body asks for. Whom it goes to has to be said: nobody mails everybody by an empty body. */
export function readNewRound(body: unknown, now: Temporal.Instant): NewRound {
  const fields = fieldsAmong(roundFields, body);
  if (!choosesGuests(fields)) throw new Refusal(400, 'nobody', messages.nobody);
  const round = fieldTypes.readWhole(roundFields, fields);
  refuseOtherTimes('send_at', round.send_at, now);
  refuseWordless(round.kind, round.message);
  refuseSubject(round.channel, round.subject);
  refuseLong(round.channel, round.message);
  return round;
}

/** What a body changes of a round. */
export function readRoundChanges(
  fields: Fields,
  { kind, channel }: { kind: Kind; channel: ChannelName },
  now: Temporal.Instant,
): RoundChanges {
  refuseOther(['kind', 'channel'], fields, { kind, channel });
  const changes = fieldTypes.readGiven(roundChangeFields, fields);
  refuseOtherTimes('send_at', changes.send_at ?? null, now);
  if (changes.message !== undefined) refuseWordless(kind, changes.message);
  refuseSubject(channel, changes.subject ?? null);
  refuseLong(channel, changes.message ?? null);
  return changes;
}

/** A message of one's own is nothing but one's words. */
function refuseWordless(kind: Kind, message: NewRound['message']): void {
  if (kind === 'message' && !message) throw new FieldProblem('message', { kind: 'missing' });
}

/** A message that is no mail has none. */
function refuseSubject(channel: ChannelName, subject: NewRound['subject']): void {
  if (channel !== 'mail' && subject) throw invalidField('subject', messages.noSubject);
}

/** Carriers take no text of any length: beside the words there are date, place and link. */
const LONGEST_WORDS: Readonly<Partial<Record<ChannelName, number>>> = { sms: 700, whatsapp: 350 };

function refuseLong(channel: ChannelName, message: NewRound['message']): void {
  const most = LONGEST_WORDS[channel];
  const longest = Math.max(0, ...Object.values(message ?? {}).map((text) => text?.length ?? 0));
  if (most !== undefined && longest > most) throw invalidField('message', messages.tooLong(most));
}

/** Throws unless a time is to come, and within two years. */
export function refuseOtherTimes(field: string, time: string | null, now: Temporal.Instant): void {
  if (time === null) return;
  const at = Temporal.Instant.from(time);
  if (Temporal.Instant.compare(at, now) <= 0) throw new FieldProblem(field, { kind: 'past' });
  if (Temporal.Instant.compare(at, now.add(LATEST)) > 0) throw invalidField(field, messages.tooFar);
}

/** Nobody is left out by their name or a filter. */
export const EVERYBODY = { guest_ids: undefined, filter: chosenFields.filter.empty };

/** Whether it was asked for guests by what they answered: then who answered is meant. */
export function asksForAnswered({ filter }: Pick<NewRound, 'filter'>): boolean {
  return filter.status !== undefined || filter.answered !== undefined;
}
