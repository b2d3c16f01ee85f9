import { type Kysely, sql } from 'kysely';
import { parameter } from '../../kernel/database/transaction.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { recordChange } from '../../kernel/writes/history.ts';
import type { AfterChange } from '../events/store.ts';
import { messages } from '../guests/messages.ts';
import {
  FULL,
  judge,
  movingUp,
  type Occupancy,
  type Room,
  type RsvpStatus,
  roomLeft,
  type Standing,
  type Wish,
} from './room.ts';

/** The event's places. Read it with the event's row locked: only then does it stay true until the commit. */
export interface Hall {
  room: Room;
  waiting: number;
  /** Of the last one in the waiting list. */
  lastInLine: number;
}

export async function readHall(transaction: Kysely<unknown>, eventId: string): Promise<Hall> {
  const { rows } = await sql<Occupancy & { waiting: number; last_in_line: number }>`
    select events.max_guests, events.venue_capacity, events.max_plus_ones_buffer,
      tally.people, tally.plus_ones, tally.waiting,
      coalesce((
        select max(waiting_order) from guests where event_id = ${eventId} and waiting_order is not null
      ), 0) as last_in_line
    from events join event_tallies tally on tally.event_id = events.id
    where events.id = ${eventId}`.execute(transaction);
  const [row] = rows;
  if (!row) throw new Error('the locked event is gone');
  return { room: roomLeft(row), waiting: row.waiting, lastInLine: row.last_in_line };
}

/** The columns of `guests` that say where a guest stands. */
export interface Seat {
  rsvp_status: RsvpStatus;
  coming: number;
  waiting_since: Temporal.Instant | string | null;
  waiting_order: number | null;
}

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

/** Where a wish leads a guest, as columns; undefined when there is no room for more than the guest already has. */
export function seatFor(
  now: Seated,
  wish: Wish,
  partySize: number,
  hall: Hall,
  at: Temporal.Instant,
): Seat | undefined {
  const verdict = judge(now, wish, partySize, hall.room);
  if (verdict === FULL) return undefined;
  const { rsvp_status, coming, waiting } = verdict;
  return {
    rsvp_status,
    coming,
    // Who waits already keeps the turn, also when the number of people changes.
    waiting_since: waiting ? (now.waiting_since ?? at) : null,
    waiting_order: waiting ? (now.waiting_order ?? hall.lastInLine + 1) : null,
  };
}

export function noRoomForMore(): Refusal {
  return new Refusal(409, FULL, messages.full);
}

const AT_ONCE = 500;

/**
 * Gives free places to those who wait, in their order; gives back who got one. Called in the transaction of whatever
 * may have freed some: a no, a smaller yes, a removed guest, a raised limit.
 */
export async function moveUp(
  transaction: Kysely<unknown>,
  eventId: string,
  at: Temporal.Instant,
): Promise<string[]> {
  const hall = await readHall(transaction, eventId);
  const movedUp: string[] = [];
  let { room } = hall;
  for (let after = 0, more = hall.waiting > 0; more && room.people >= 1; ) {
    const { rows } = await sql<{ id: string; party_size: number; coming: number; waiting_order: number }>`
      select id, party_size, coming, waiting_order from guests
      where event_id = ${eventId} and waiting_order > ${after} and coming <= ${Math.min(room.people, AT_ONCE)}
      order by waiting_order limit ${AT_ONCE}`.execute(transaction);
    const step = movingUp(room, rows);
    movedUp.push(...step.moved.map(({ id }) => id));
    room = step.room;
    after = rows.at(-1)?.waiting_order ?? after;
    more = rows.length === AT_ONCE;
  }
  if (movedUp.length === 0) return movedUp;
  await sql`
    update guests set rsvp_status = 'confirmed', waiting_since = null, waiting_order = null, updated_at = ${parameter(at)}
    where id = any(${movedUp}::uuid[])`.execute(transaction);
  for (const id of movedUp) {
    await recordChange(transaction, {
      event_id: eventId,
      at,
      by: { kind: 'system' },
      subject: 'guest',
      subject_id: id,
      action: 'moved_up',
      changes: { rsvp_status: { from: 'pending', to: 'confirmed' } },
    });
  }
  return movedUp;
}

const LIMITS = ['max_guests', 'venue_capacity', 'max_plus_ones_buffer'];

/** After a change of an event: raised limits let people move up. True when they did. */
export const fillFreedPlaces: AfterChange = async (transaction, eventId, changes, at) =>
  LIMITS.some((limit) => limit in changes) && (await moveUp(transaction, eventId, at)).length > 0;
