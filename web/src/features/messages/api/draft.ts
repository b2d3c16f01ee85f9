import type { CountedEvent, NewRound, Round, RoundChanges } from 'simcha-client';
import { dayOf, momentOf, timeOfDay } from '../../../lib/dates.ts';
import { LANGUAGE_NAMES, type LanguageName } from '../../../lib/languages.ts';
import type { Channel, Kind } from './kinds.ts';
import type { ComposerSearch } from './search.ts';

export type DayAndTime = { date: string | null; time: string };
type Words = 'subject' | 'message';
export type WordsField = `${Words}_${LanguageName}`;

/** What is typed of a message; what it is about and to whom stands in the address. */
export type Draft = Record<WordsField, string> & DayAndTime & { isLater: boolean };

const WORDLESS = Object.fromEntries(
  LANGUAGE_NAMES.flatMap((name) => [
    [`subject_${name}`, ''],
    [`message_${name}`, ''],
  ]),
) as Record<WordsField, string>;
export const EMPTY: Draft = { ...WORDLESS, isLater: false, date: null, time: '10:00' };

/** As the API takes them: null where nothing is written. */
function textsOf(draft: Draft, of: Words): NonNullable<NewRound['message']> | null {
  const written = LANGUAGE_NAMES.filter((name) => draft[`${of}_${name}`].trim());
  if (written.length === 0) return null;
  return Object.fromEntries(written.map((name) => [name, draft[`${of}_${name}`]]));
}

/** What has to be there before anything can be asked. */
export function missingOf(kind: Kind, draft: Draft): 'message' | 'date' | undefined {
  if (kind === 'message' && !textsOf(draft, 'message')) return 'message';
  return draft.isLater && !momentOf(draft) ? 'date' : undefined;
}

/** The field of the form that the server's is; of words for all it is that of the language which is open. */
export function fieldOfDraft(field: string, open: LanguageName): string {
  if (field === 'send_at') return 'date';
  const [of = '', name = open] = field.split('.');
  return of === 'subject' || of === 'message' ? `${of}_${name}` : field;
}

/** The language whose words a field has. */
export const languageOf = (field: string): LanguageName | undefined =>
  LANGUAGE_NAMES.find((name) => field.endsWith(`_${name}`));

const DAY = 86_400_000;

/** Before the event, thanks are for the day after it. */
export function planThanks(
  draft: Draft,
  { event_date: at }: Pick<CountedEvent, 'event_date'>,
  now = Date.now(),
): Draft {
  if (at === null || Date.parse(at) <= now || draft.isLater) return draft;
  return { ...draft, isLater: true, date: dayOf(new Date(Date.parse(at) + DAY).toISOString()) };
}

interface About {
  kind: Kind;
  channel: Channel;
  /** Those alone, whatever the address says. */
  guestIds?: string[] | undefined;
}

export function newRoundOf(
  { kind, channel, guestIds }: About,
  { some, status, tag, invited }: ComposerSearch,
  draft: Draft,
): NewRound {
  const isFiltered = some && !guestIds;
  const filter = isFiltered
    ? { ...(status && { status }), ...(tag && { tag }), ...(invited !== undefined && { invited }) }
    : {};
  return {
    kind,
    channel,
    filter,
    ...(guestIds && { guest_ids: guestIds }),
    // What is no mail has no subject; what was typed of one is kept for when it is mail again.
    subject: channel === 'mail' ? textsOf(draft, 'subject') : null,
    message: textsOf(draft, 'message'),
    send_at: draft.isLater ? (momentOf(draft) ?? null) : null,
  };
}

/** A planned round as a form has it. */
export function draftOf({ subject, message, send_at: at }: Round): Draft {
  const texts = LANGUAGE_NAMES.flatMap((name) => [
    [`subject_${name}`, subject?.[name] ?? ''],
    [`message_${name}`, message?.[name] ?? ''],
  ]);
  return {
    ...(Object.fromEntries(texts) as Record<WordsField, string>),
    isLater: true,
    date: at && dayOf(at),
    time: at ? timeOfDay(at, 'en') : '',
  };
}

/** What a form changes of a planned round. */
export function changesOf(draft: Draft, before: Draft): RoundChanges {
  const differs = (of: Words) =>
    LANGUAGE_NAMES.some((name) => draft[`${of}_${name}`] !== before[`${of}_${name}`]);
  const at = momentOf(draft);
  return {
    ...(differs('subject') && { subject: textsOf(draft, 'subject') }),
    ...(differs('message') && { message: textsOf(draft, 'message') }),
    ...(at && at !== momentOf(before) && { send_at: at }),
  };
}
