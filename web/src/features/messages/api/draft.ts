import type { CountedEvent, NewRound } from 'simcha-client';
import { dayOf, momentOf } from '../../../lib/dates.ts';
import type { LanguageName } from '../../../lib/languages.ts';
import type { Channel, Kind } from './kinds.ts';
import type { ComposerSearch } from './search.ts';

export interface DayAndTime {
  date: string | null;
  time: string;
}

/** What is typed of a message; what it is about and to whom stands in the address. */
export interface Draft extends DayAndTime {
  subject: Partial<Record<LanguageName, string>>;
  message: Partial<Record<LanguageName, string>>;
  isLater: boolean;
}

export const EMPTY: Draft = { subject: {}, message: {}, isLater: false, date: null, time: '10:00' };

const isWritten = (texts: Draft['message']): boolean => Object.values(texts).some((text) => text.trim());

/** What has to be there before anything can be asked. */
export function missingOf(kind: Kind, draft: Draft): 'message' | 'send_at' | undefined {
  if (kind === 'message' && !isWritten(draft.message)) return 'message';
  return draft.isLater && !momentOf(draft) ? 'send_at' : undefined;
}

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

export function newRoundOf(
  { kind, channel }: { kind: Kind; channel: Channel },
  { some, status, tag, invited }: ComposerSearch,
  draft: Draft,
): NewRound {
  const filter = some
    ? { ...(status && { status }), ...(tag && { tag }), ...(invited !== undefined && { invited }) }
    : {};
  return {
    kind,
    channel,
    filter,
    // What is no mail has no subject; what was typed of one is kept for when it is mail again.
    subject: channel === 'mail' && isWritten(draft.subject) ? draft.subject : null,
    message: isWritten(draft.message) ? draft.message : null,
    send_at: draft.isLater ? (momentOf(draft) ?? null) : null,
  };
}
