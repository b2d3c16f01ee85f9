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

/**
 * Free places and waiting list of an event. Read with the event's row locked; otherwise it may change before the
 * commit.
 */
export interface Hall {
  room: Room;
  waiting: number;
  /** Highest `waiting_order` in use. */
  lastInLine: number;
}

export function hallOf({
  waiting,
  last_in_line,
  ...occupancy
}: Occupancy & { waiting: number; last_in_line: number }): Hall {
  return { room: roomLeft(occupancy), waiting, lastInLine: last_in_line };
}

/** Number of children in the invited party, and among the people coming. */
interface Children {
  party_children: number;
  coming_children: number;
}

/** Answer of a guest with all the columns that belong to it. */
export interface Seated extends Standing, Children {
  /** True if the guest answered that they don't know yet. */
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
 * Request that has to be decided for an input: the answer in it; or the guest's current yes, if the details change
 * the size of the party or its number of plus-ones; undefined if the input does not concern places.
 */
export function wishToJudge(guest: Seated, { details, wish }: Input): Wish | undefined {
  if (wish) return wish;
  const saidYes = guest.rsvp_status === 'confirmed' || guest.waiting;
  const { party_size, max_plus_ones } = invitedBy(guest, details);
  const resized = party_size !== guest.party_size || max_plus_ones !== guest.max_plus_ones;
  return saidYes && resized ? { rsvp_status: 'confirmed', coming: guest.coming } : undefined;
}

type Input = Pick<GuestInput, 'wish'> & { details: Partial<Pick<Details, keyof Invited | 'party_children'>> };

/** Invited party after a change of these details. */
function invitedBy(guest: Invited, { party_size, max_plus_ones }: Partial<Invited>): Invited {
  return {
    party_size: party_size ?? guest.party_size,
    max_plus_ones: max_plus_ones === undefined ? guest.max_plus_ones : max_plus_ones,
  };
}

/** Largest number of people for whom a guest can have places now. */
export function upTo(guest: Standing, room: Room, details: Partial<Invited> = {}): number {
  const held = taken(guest);
  return Math.max(held.people, mostWhoFit(withMore(room, held), invitedBy(guest, details)));
}

/** Part of a yes that could not be granted. */
export type Shortfall = { code: 'waits' } | { code: 'fewer'; asked: number; coming: number; upTo: number };

export interface Settled {
  columns: AnswerColumns;
  hall: Hall;
  short: Shortfall | undefined;
  /** True if the places were given only because the organizer asked to exceed the limits. */
  overLimit: boolean;
  /** True if places became free for the waiting list. */
  freed: boolean;
}

/**
 * Computes a guest's columns after an answer, and the capacity that is left, by the same rules for every origin of
 * the answer. Returns FULL if the guest has places and there is no room for more.
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
  // Guests on the waiting list keep their turn when the number of people changes.
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

/** Current answer of a guest. `pending` means none; a guest on the waiting list answered yes. */
export function standingAnswer({
  rsvp_status,
  waiting,
  maybe,
}: Pick<Seated, 'rsvp_status' | 'waiting' | 'maybe'>): Answer {
  if (waiting) return 'confirmed';
  return maybe ? 'maybe' : rsvp_status;
}

/**
 * Number of children coming. Without a number in the request it stays as before; if the number of people changed, the
 * children are those who remain after all adults of the party.
 */
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
  // An organizer who saves an unchanged form has not answered anew; a guest who does has.
  const { coming_children: children = guest.coming_children } = wish;
  const isSame = stood === wish.rsvp_status && guest.coming === wish.coming;
  if (via === 'organizer' && isSame && guest.coming_children === children) return undefined;
  return wish.rsvp_status === 'pending'
    ? { answered_at: null, answered_via: null }
    : { answered_at: now, answered_via: via };
}
