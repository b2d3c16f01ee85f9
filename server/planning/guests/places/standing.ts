import type { Guest } from '../contract.ts';
import type { Details } from '../fields.ts';
import type { GuestInput } from '../input.ts';
import type { AnswerColumns, StoredGuest } from '../rows.ts';
import {
  FULL,
  judge,
  type Occupancy,
  type Room,
  roomLeft,
  type Standing,
  taken,
  type Wish,
  withMore,
  without,
} from './room.ts';

/** The event's places. Read with the event's row locked: only then does it stay true until the commit. */
export interface Hall {
  room: Room;
  waiting: number;
  /** Of the last one in the waiting list. */
  lastInLine: number;
}

export function hallOf({
  waiting,
  last_in_line,
  ...occupancy
}: Occupancy & { waiting: number; last_in_line: number }): Hall {
  return { room: roomLeft(occupancy), waiting, lastInLine: last_in_line };
}

/** Where a guest stands with their answer. */
export interface Seated extends Standing {
  waiting_since: string | null;
  waiting_order: number | null;
}

export const UNANSWERED: Seated = {
  rsvp_status: 'pending',
  waiting: false,
  party_size: 1,
  coming: 0,
  waiting_since: null,
  waiting_order: null,
};

export function seatedOf({
  guest,
  waiting_order,
}: Pick<StoredGuest, 'guest' | 'waiting_order'>): Guest & Seated {
  return { ...guest, waiting_order, waiting: waiting_order !== null };
}

/**
 * What has to be judged of an input: the answer in it; else, for a party of another size, which may have more or fewer
 * plus-ones, the yes that stands. undefined: nothing that is about places.
 */
export function wishToJudge(guest: Seated, { details, wish }: Input): Wish | undefined {
  if (wish) return wish;
  const saidYes = guest.rsvp_status === 'confirmed' || guest.waiting;
  const resized = details.party_size !== undefined && details.party_size !== guest.party_size;
  return saidYes && resized ? { rsvp_status: 'confirmed', coming: guest.coming } : undefined;
}

type Input = Pick<GuestInput, 'wish'> & { details: Partial<Pick<Details, 'party_size'>> };

export interface Settled {
  columns: AnswerColumns;
  hall: Hall;
  /** Places came free that somebody who waits may have. */
  freed: boolean;
}

/**
 * What an answer makes of a guest, whoever gives it and however it came, and what it leaves of the hall; FULL when they
 * have places and there is no room for more.
 */
export function settle(
  guest: Seated,
  input: Input,
  via: NonNullable<Guest['answered_via']>,
  hall: Hall,
  now: Temporal.Instant,
): Settled | typeof FULL {
  const wish = wishToJudge(guest, input);
  if (!wish) return { columns: {}, hall, freed: false };
  const verdict = judge(guest, wish, input.details.party_size ?? guest.party_size, hall.room);
  if (verdict === FULL) return FULL;
  const { rsvp_status, coming, waiting } = verdict;
  // Who waits already keeps the turn, also when the number of people changes.
  const waiting_order = waiting ? (guest.waiting_order ?? hall.lastInLine + 1) : null;
  const held = taken(guest);
  const holds = taken(verdict);
  return {
    columns: {
      rsvp_status,
      coming,
      waiting_since: waiting ? (guest.waiting_since ?? now) : null,
      waiting_order,
      ...(input.wish && answered(guest, input.wish, via, now)),
    },
    hall: {
      room: without(withMore(hall.room, held), holds),
      waiting: hall.waiting,
      lastInLine: Math.max(hall.lastInLine, waiting_order ?? 0),
    },
    freed: holds.people < held.people || holds.plusOnes < held.plusOnes,
  };
}

function answered(
  guest: Seated,
  wish: Wish,
  via: Guest['answered_via'],
  now: Temporal.Instant,
): Pick<AnswerColumns, 'answered_at' | 'answered_via'> | undefined {
  const stood = guest.waiting ? 'confirmed' : guest.rsvp_status;
  // An organizer who saves a form again has not answered anew; a guest has.
  if (via === 'organizer' && stood === wish.rsvp_status && guest.coming === wish.coming) return undefined;
  return wish.rsvp_status === 'pending'
    ? { answered_at: null, answered_via: null }
    : { answered_at: now, answered_via: via };
}
