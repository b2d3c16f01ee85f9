import type { Words } from './messages.ts';
import type { InvitedGuest } from './store.ts';

/** Where a guest stands; undefined: nothing was answered, or, once it `isOver`, they were not there. */
export function standingWords(
  { rsvp_status, waiting, maybe, coming }: Pick<InvitedGuest, 'rsvp_status' | 'waiting' | 'maybe' | 'coming'>,
  say: Words,
  isOver = false,
): string | undefined {
  if (isOver) return rsvp_status === 'confirmed' && !waiting ? say.cameThen(Math.max(coming, 1)) : undefined;
  if (waiting) return say.waitingNow(coming);
  if (rsvp_status === 'confirmed') return say.comingNow(Math.max(coming, 1));
  if (maybe) return say.maybeNow;
  return rsvp_status === 'declined' ? say.declinedNow : undefined;
}
