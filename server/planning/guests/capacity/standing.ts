import type { Guest } from '../contract.ts';
import type { Details } from '../fields.ts';
import type { GuestInput } from '../input.ts';
import type { AnswerColumns, StoredGuest } from '../rows.ts';
import {
  type Answer,
  FULL,
  type Invited,
  judge,
  mostWhoFit,
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

/** Of the invited party, and of those who come. */
interface Children {
  party_children: number;
  coming_children: number;
}

/** Where a guest stands with their answer. */
export interface Seated extends Standing, Children {
  /** They answered that they don't know yet. */
  maybe: boolean;
  waiting_since: string | null;
  waiting_order: number | null;
}

export const UNANSWERED: Seated = {
  rsvp_status: 'pending',
  waiting: false,
  maybe: false,
  party_size: 1,
  max_plus_ones: null,
  coming: 0,
  party_children: 0,
  coming_children: 0,
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
 * What has to be judged of an input: the answer in it; else, for a party of another size, or one that may bring more
 * people or fewer, the yes that stands. undefined: nothing that is about places.
 */
export function wishToJudge(guest: Seated, { details, wish }: Input): Wish | undefined {
  if (wish) return wish;
  const saidYes = guest.rsvp_status === 'confirmed' || guest.waiting;
  const { party_size, max_plus_ones } = invitedBy(guest, details);
  const resized = party_size !== guest.party_size || max_plus_ones !== guest.max_plus_ones;
  return saidYes && resized ? { rsvp_status: 'confirmed', coming: guest.coming } : undefined;
}

type Input = Pick<GuestInput, 'wish'> & { details: Partial<Pick<Details, keyof Invited | 'party_children'>> };

/** How many a guest is invited with once these details are theirs. */
function invitedBy(guest: Invited, { party_size, max_plus_ones }: Partial<Invited>): Invited {
  return {
    party_size: party_size ?? guest.party_size,
    max_plus_ones: max_plus_ones === undefined ? guest.max_plus_ones : max_plus_ones,
  };
}

/** The most people with whom a guest can have places now. */
export function upTo(guest: Standing, room: Room, details: Partial<Invited> = {}): number {
  const held = taken(guest);
  return Math.max(held.people, mostWhoFit(withMore(room, held), invitedBy(guest, details)));
}

/** What became of a yes, where that is less than was asked for. */
export type Shortfall = { code: 'waits' } | { code: 'fewer'; asked: number; coming: number; upTo: number };

export interface Settled {
  columns: AnswerColumns;
  hall: Hall;
  short: Shortfall | undefined;
  /** Without the organizer's word there would not have been so many places. */
  overLimit: boolean;
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
  if (!wish) return { columns: {}, hall, short: undefined, overLimit: false, freed: false };
  const invited = invitedBy(guest, input.details);
  const verdict = judge(guest, wish, invited, hall.room);
  if (verdict === FULL) return FULL;
  const { rsvp_status, coming, waiting } = verdict;
  // Who waits already keeps the turn, also when the number of people changes.
  const waiting_order = waiting ? (guest.waiting_order ?? hall.lastInLine + 1) : null;
  const held = taken(guest);
  const holds = taken(verdict);
  return {
    columns: {
      rsvp_status,
      maybe: wish.rsvp_status === 'maybe',
      coming,
      coming_children: childrenAmong(guest, wish, verdict, input.details.party_children),
      waiting_since: waiting ? (guest.waiting_since ?? now) : null,
      waiting_order,
      ...(input.wish && answered(guest, input.wish, via, now)),
    },
    hall: {
      room: without(withMore(hall.room, held), holds),
      waiting: hall.waiting,
      lastInLine: Math.max(hall.lastInLine, waiting_order ?? 0),
    },
    short: shortfall(wish, verdict, upTo(guest, hall.room, input.details)),
    overLimit:
      wish.over_limit === true &&
      !isWithinLimits(judge(guest, { ...wish, over_limit: false }, invited, hall.room), wish),
    freed: holds.people < held.people || holds.plusOnes < held.plusOnes,
  };
}

/** What a guest answered, as far as they did: `pending` is nothing yet. */
export function standingAnswer({
  rsvp_status,
  waiting,
  maybe,
}: Pick<Seated, 'rsvp_status' | 'waiting' | 'maybe'>): Answer {
  if (waiting) return 'confirmed';
  return maybe ? 'maybe' : rsvp_status;
}

/** Unless said, they are as many as before, or as of the invited party when its adults come. */
export function childrenAmong(
  guest: Seated,
  wish: Wish,
  { coming, party_size }: Pick<Standing, 'coming' | 'party_size'>,
  party_children = guest.party_children,
): number {
  if (wish.coming_children !== undefined) return Math.min(wish.coming_children, coming);
  if (coming === guest.coming) return guest.coming_children;
  return Math.min(party_children, Math.max(0, coming - (party_size - party_children)));
}

function isWithinLimits(verdict: Standing | typeof FULL, { coming }: Wish): boolean {
  return verdict !== FULL && !verdict.waiting && verdict.coming === coming;
}

function shortfall(wish: Wish, { waiting, coming }: Standing, most: number): Shortfall | undefined {
  if (waiting) return { code: 'waits' };
  return coming < wish.coming ? { code: 'fewer', asked: wish.coming, coming, upTo: most } : undefined;
}

function answered(
  guest: Seated,
  wish: Wish,
  via: Guest['answered_via'],
  now: Temporal.Instant,
): Pick<AnswerColumns, 'answered_at' | 'answered_via'> | undefined {
  const stood = standingAnswer(guest);
  // An organizer who saves a form again has not answered anew; a guest has.
  const { coming_children: children = guest.coming_children } = wish;
  const isSame = stood === wish.rsvp_status && guest.coming === wish.coming;
  if (via === 'organizer' && isSame && guest.coming_children === children) return undefined;
  return wish.rsvp_status === 'pending'
    ? { answered_at: null, answered_via: null }
    : { answered_at: now, answered_via: via };
}
