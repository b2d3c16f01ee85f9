import type { Guest, GuestChanges } from 'simcha-client';

/** A guest's answer in one word: who waits for a place has said yes, who says maybe has not answered. */
export type Answer = 'confirmed' | 'declined' | 'maybe' | 'waiting' | 'none';

/** What an organizer can note; a place in the waiting list comes by itself. */
export const NOTED = ['confirmed', 'maybe', 'declined', 'none'] as const;
export type Noted = (typeof NOTED)[number];

export function answerOf({
  rsvp_status: status,
  maybe,
  waiting_since: since,
}: Pick<Guest, 'rsvp_status' | 'maybe' | 'waiting_since'>): Answer {
  if (since !== null) return 'waiting';
  if (status !== 'pending') return status;
  return maybe ? 'maybe' : 'none';
}

export const statusOf = (answer: Noted): NonNullable<GuestChanges['rsvp_status']> =>
  answer === 'none' ? 'pending' : answer;
