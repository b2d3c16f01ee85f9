import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../../kernel/database/transaction.ts';
import type { EventWrite } from '../../events/write.ts';
import { movingUp, type Occupancy, type Party } from './room.ts';
import { type Hall, hallOf } from './standing.ts';

export async function readHall(transaction: Kysely<unknown>, eventId: string): Promise<Hall> {
  const { rows } = await sql<Occupancy & { waiting: number; last_in_line: number }>`
    select events.max_guests, events.venue_capacity, events.max_plus_ones_buffer,
      tally.people, tally.plus_ones, tally.waiting,
      coalesce((
        select max(waiting_order) from guests where event_id = ${eventId} and waiting_order is not null
      ), 0) as last_in_line
    from events join event_tallies tally on tally.event_id = events.id
    where events.id = ${eventId}`.execute(transaction);
  if (!rows[0]) throw new Error('the locked event is gone');
  return hallOf(rows[0]);
}

const AT_ONCE = 500;

/**
 * Gives free places to the waiting list, in its order; returns the ids of the promoted guests. Runs in the
 * transaction of each change that may free places: a no, a smaller yes, a deleted guest, a raised limit.
 */
export async function moveUp({
  transaction,
  event,
  now,
  note,
}: EventWrite<{ id: string }>): Promise<string[]> {
  const hall = await readHall(transaction, event.id);
  const movedUp: (Waiting & { asked: number })[] = [];
  let { room } = hall;
  for (let after = 0, more = hall.waiting > 0; more && room.people >= 1; ) {
    const { rows } = await sql<Waiting & { asked: number }>`
      select id, party_size, max_plus_ones, coming, coming as asked, waiting_order from guests
      where event_id = ${event.id} and waiting_order > ${after}
        and least(coming, party_size) <= ${Math.min(room.people, AT_ONCE)}
      order by waiting_order limit ${AT_ONCE}`.execute(transaction);
    const step = movingUp(room, rows);
    movedUp.push(...step.moved);
    room = step.room;
    after = rows.at(-1)?.waiting_order ?? after;
    more = rows.length === AT_ONCE;
  }
  if (movedUp.length === 0) return [];
  const seated = JSON.stringify(movedUp.map(({ id, coming }) => ({ id, coming })));
  await sql`
    update guests set rsvp_status = 'confirmed', coming = seated.coming,
      coming_children = least(guests.coming_children, seated.coming),
      waiting_since = null, waiting_order = null, updated_at = ${toParameter(now)}
    from json_to_recordset(${seated}::json) as seated (id uuid, coming integer)
    where guests.id = seated.id`.execute(transaction);
  for (const { id, coming, asked } of movedUp) {
    const changes = {
      rsvp_status: { from: 'pending', to: 'confirmed' },
      ...(coming !== asked && { coming: { from: asked, to: coming } }),
    };
    note('guest', id, 'moved_up', changes, { kind: 'system' });
  }
  return movedUp.map(({ id }) => id);
}

interface Waiting extends Party {
  id: string;
  waiting_order: number;
}

const LIMITS = ['max_guests', 'venue_capacity', 'max_plus_ones_buffer'];

/**
 * Promotes from the waiting list after a change of the event, if the change raised a limit. Returns true if a guest
 * was promoted.
 */
export async function fillFreedPlaces(write: EventWrite<{ id: string }>, changes: object): Promise<boolean> {
  return LIMITS.some((limit) => limit in changes) && (await moveUp(write)).length > 0;
}
