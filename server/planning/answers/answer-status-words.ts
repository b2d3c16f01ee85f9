import type { GuestPageWords } from './messages.ts';
import type { InvitedGuest } from './store.ts';

/**
 * Sentence about a guest's current answer; undefined if there is no answer, or if the event is over and the guest did
 * not come.
 */
export function answerStatusWords(
  { rsvp_status, waiting, maybe, coming }: Pick<InvitedGuest, 'rsvp_status' | 'waiting' | 'maybe' | 'coming'>,
  say: GuestPageWords,
  isOver = false,
): string | undefined {
  if (isOver) return rsvp_status === 'confirmed' && !waiting ? say.cameThen(Math.max(coming, 1)) : undefined;
  if (waiting) return say.waitingNow(coming);
  if (rsvp_status === 'confirmed') return say.comingNow(Math.max(coming, 1));
  if (maybe) return say.maybeNow;
  return rsvp_status === 'declined' ? say.declinedNow : undefined;
}
