import type { CountedEvent, Round } from 'simcha-client';

export type Kind = Round['kind'];
export type Channel = Round['channel'];

const BEFORE = ['save_the_date', 'invitation', 'reminder', 'change', 'see_you', 'message', 'thanks'] as const;
const AFTER = ['thanks', 'message'] as const;
const CANCELLED = ['cancellation', 'message'] as const;
/** They go out by themselves; where that reached nobody, the server suggests them. */
const SUGGESTED_ALONE: readonly Kind[] = ['moved_up', 'accepted'];

/** What can be written about as an event stands; the server has the last word. Thanks can be planned before. */
export function kindsFor(
  { status, event_date: at }: Pick<CountedEvent, 'status' | 'event_date'>,
  asked: Kind | undefined,
  now = Date.now(),
): readonly Kind[] {
  if (status === 'draft') return [];
  if (status === 'cancelled') return CANCELLED;
  if (status === 'completed' || (at !== null && Date.parse(at) <= now)) return AFTER;
  return asked && SUGGESTED_ALONE.includes(asked) ? [asked, ...BEFORE] : BEFORE;
}

/** Whether a round that has begun still goes out as its event stands now. */
export const goesOn = ({ kind }: Pick<Round, 'kind'>, event: Parameters<typeof kindsFor>[0]): boolean =>
  kindsFor(event, kind).includes(kind);

export const CHANNELS = ['mail', 'sms', 'whatsapp', 'by_hand', 'phone'] as const satisfies readonly Channel[];

/** What people send or call, as a list to walk through; the others the server sends. */
export const isByPeople = (channel: Channel): channel is 'by_hand' | 'phone' =>
  channel === 'by_hand' || channel === 'phone';
