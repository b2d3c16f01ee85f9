import type { Words } from './messages.ts';
import type { InvitedGuest } from './store.ts';

/** Where a guest stands; undefined: nothing was answered. */
export function standingWords(
  { rsvp_status, waiting, maybe, coming }: Pick<InvitedGuest, 'rsvp_status' | 'waiting' | 'maybe' | 'coming'>,
  say: Words,
): string | undefined {
  if (waiting) return say.waitingNow(coming);
  if (rsvp_status === 'confirmed') return say.comingNow(Math.max(coming, 1));
  if (maybe) return say.maybeNow;
  return rsvp_status === 'declined' ? say.declinedNow : undefined;
}
