import type { Guest, GuestChanges } from 'simcha-client';

/** Guest's reply as one value. For the API, guests on the waiting list are confirmed, and a maybe is still pending. */
export type GuestAnswer = 'confirmed' | 'declined' | 'maybe' | 'waiting' | 'none';

/** Replies that an organizer can set for a guest; a place on the waiting list follows automatically. */
export const SETTABLE_ANSWERS = ['confirmed', 'maybe', 'declined', 'none'] as const;
export type SettableAnswer = (typeof SETTABLE_ANSWERS)[number];

export function answerOf({
  rsvp_status: status,
  maybe,
  waiting_since: since,
}: Pick<Guest, 'rsvp_status' | 'maybe' | 'waiting_since'>): GuestAnswer {
  if (since !== null) return 'waiting';
  if (status !== 'pending') return status;
  return maybe ? 'maybe' : 'none';
}

export const statusOf = (answer: SettableAnswer): NonNullable<GuestChanges['rsvp_status']> =>
  answer === 'none' ? 'pending' : answer;
