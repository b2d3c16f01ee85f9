import type { CountedEvent, Round } from 'simcha-client';

export type RoundKind = Round['kind'];
export type RoundChannel = Round['channel'];

const BEFORE = ['save_the_date', 'invitation', 'reminder', 'change', 'see_you', 'message', 'thanks'] as const;
const AFTER = ['thanks', 'message'] as const;
const CANCELLED = ['cancellation', 'message'] as const;
/**
 * Kinds of messages that the server normally sends automatically. If such a message reached nobody, the server suggests
 * that the organizer sends it.
 */
const SUGGESTED_ALONE: readonly RoundKind[] = ['moved_up', 'accepted'];

/**
 * Kinds of messages that the organizer can choose in the event's present state; the server has the last word. Thanks
 * can be scheduled before the event.
 */
export function kindsFor(
  { status, event_date: at }: Pick<CountedEvent, 'status' | 'event_date'>,
  asked: RoundKind | undefined,
  now = Date.now(),
): readonly RoundKind[] {
  if (status === 'draft') return [];
  if (status === 'cancelled') return CANCELLED;
  if (status === 'completed' || (at !== null && Date.parse(at) <= now)) return AFTER;
  return asked && SUGGESTED_ALONE.includes(asked) ? [asked, ...BEFORE] : BEFORE;
}

/** True if the server continues to send this round in the event's current state. */
export const isStillSent = ({ kind }: Pick<Round, 'kind'>, event: Parameters<typeof kindsFor>[0]): boolean =>
  kindsFor(event, kind).includes(kind);

export const CHANNELS = [
  'mail',
  'sms',
  'whatsapp',
  'by_hand',
  'phone',
] as const satisfies readonly RoundChannel[];

/**
 * True for channels on which people send the messages or call, guest by guest. On the other channels the server sends
 * the messages.
 */
export const isByPeople = (channel: RoundChannel): channel is 'by_hand' | 'phone' =>
  channel === 'by_hand' || channel === 'phone';
