import type { CountedEvent, NewRound, Round, RoundChanges } from 'simcha-client';
import { dayOf, timeOfDay, wallTimeOf } from '../../../lib/dates.ts';
import { LANGUAGE_NAMES, type LanguageName } from '../../../lib/languages.ts';
import type { RoundChannel, RoundKind } from './kinds.ts';
import type { ComposerSearch } from './search.ts';

export type DayAndTimeValues = { date: string | null; time: string };
type Words = 'subject' | 'message';
export type WordsField = `${Words}_${LanguageName}`;

/** Values of the message form. The kind and the audience of the message are in the page's address. */
export type Draft = Record<WordsField, string> & DayAndTimeValues & { isLater: boolean };

const WORDLESS = Object.fromEntries(
  LANGUAGE_NAMES.flatMap((name) => [
    [`subject_${name}`, ''],
    [`message_${name}`, ''],
  ]),
) as Record<WordsField, string>;
export const EMPTY_DRAFT: Draft = { ...WORDLESS, isLater: false, date: null, time: '10:00' };

/** Texts of a message for the API, by language; null if the user has written none. */
function textsOf(draft: Draft, of: Words): NonNullable<NewRound['message']> | null {
  const written = LANGUAGE_NAMES.filter((name) => draft[`${of}_${name}`].trim());
  if (written.length === 0) return null;
  return Object.fromEntries(written.map((name) => [name, draft[`${of}_${name}`]]));
}

/** Field of the message form that must be filled before a preview is possible; undefined if there is none. */
export function missingFieldOf(kind: RoundKind, draft: Draft): 'message' | 'date' | undefined {
  if (kind === 'message' && !textsOf(draft, 'message')) return 'message';
  return draft.isLater && !wallTimeOf(draft) ? 'date' : undefined;
}

/**
 * Name of the message form's field for a field of the API. An error about all languages is shown at the open language.
 */
export function fieldOfDraft(field: string, open: LanguageName): string {
  if (field === 'send_at') return 'date';
  const [of = '', name = open] = field.split('.');
  return of === 'subject' || of === 'message' ? `${of}_${name}` : field;
}

/** Language of the text in a form field such as `message_hebrew`. */
export const languageOfField = (field: string): LanguageName | undefined =>
  LANGUAGE_NAMES.find((name) => field.endsWith(`_${name}`));

const DAY = 86_400_000;

/** Sets the sending time of a thank-you message to the day after the event, if the event has not begun. */
export function planThanks(
  draft: Draft,
  { event_date: at }: Pick<CountedEvent, 'event_date'>,
  now = Date.now(),
): Draft {
  if (at === null || Date.parse(at) <= now || draft.isLater) return draft;
  return { ...draft, isLater: true, date: dayOf(new Date(Date.parse(at) + DAY).toISOString()) };
}

interface About {
  kind: RoundKind;
  channel: RoundChannel;
  /** Ids of the guests who get the message. They replace the filter in the page's address. */
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
    // Only mail has a subject. A typed subject stays in the form in case the user chooses mail again.
    subject: channel === 'mail' ? textsOf(draft, 'subject') : null,
    message: textsOf(draft, 'message'),
    send_at: draft.isLater ? (wallTimeOf(draft) ?? null) : null,
  };
}

/** Values of the message form for a scheduled round. */
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

/** Request body that changes a scheduled round. */
export function roundChangesOf(draft: Draft, before: Draft): RoundChanges {
  const differs = (of: Words) =>
    LANGUAGE_NAMES.some((name) => draft[`${of}_${name}`] !== before[`${of}_${name}`]);
  const at = wallTimeOf(draft);
  return {
    ...(differs('subject') && { subject: textsOf(draft, 'subject') }),
    ...(differs('message') && { message: textsOf(draft, 'message') }),
    ...(at && at !== wallTimeOf(before) && { send_at: at }),
  };
}
