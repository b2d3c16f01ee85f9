import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../../kernel/database/transaction.ts';
import type { EventWrite } from '../../events/write.ts';
import type { Member } from '../fields.ts';
import { fitComing } from '../members.ts';
import {
  choosePromoted,
  type EventCapacity,
  eventCapacityOf,
  type Occupancy,
  type Party,
} from './capacity.ts';

export async function readCapacity(transaction: Kysely<unknown>, eventId: string): Promise<EventCapacity> {
  const capacity = await findCapacity(transaction, eventId);
  if (!capacity) throw new Error('the locked event is gone');
  return capacity;
}

/** Free places and waiting list of an event; undefined if there is no such event. */
export async function findCapacity(
  transaction: Kysely<unknown>,
  eventId: string,
): Promise<EventCapacity | undefined> {
  const { rows } = await sql<Occupancy & { waiting: number; last_in_line: number }>`
    select events.max_guests, events.venue_capacity, events.max_plus_ones_buffer,
      settings.plus_ones_each, tally.people, tally.plus_ones, tally.held,
      tally.waiting + tally.held_waiting as waiting,
      coalesce(greatest(
        (select max(waiting_order) from guests where event_id = ${eventId} and waiting_order is not null),
        (select max(waiting_order) from request_confirmations
         where event_id = ${eventId} and waiting_order is not null)
      ), 0) as last_in_line
    from events
    join event_tallies tally on tally.event_id = events.id
    left join rsvp_settings settings on settings.event_id = events.id
    where events.id = ${eventId}`.execute(transaction);
  return rows[0] && eventCapacityOf(rows[0]);
}

const AT_ONCE = 500;

/**
 * Gives free places to guests on the waiting list, in its order; returns the ids of the promoted guests. Registrations
 * that are not confirmed yet have their turn in the same order: free places are then held for them. Runs in the
 * transaction of each change that may free places: a no, a smaller yes, a deleted guest, a raised limit.
 */
export async function promoteFromWaitingList({
  transaction,
  event,
  now,
  note,
}: EventWrite<{ id: string }>): Promise<string[]> {
  const capacity = await readCapacity(transaction, event.id);
  const promoted: (Waiting & { asked: number })[] = [];
  let { freePlaces } = capacity;
  for (let after = 0, more = capacity.waiting > 0; more && freePlaces.people >= 1; ) {
    const most = Math.min(freePlaces.people, AT_ONCE);
    const { rows } = await sql<Waiting & { asked: number }>`
      (select id, party_size, max_plus_ones, coming, coming as asked, members, waiting_order, false as is_held
       from guests
       where event_id = ${event.id} and waiting_order > ${after} and least(coming, party_size) <= ${most}
       order by waiting_order limit ${AT_ONCE})
      union all
      (select id, held, null, held, held, '[]'::jsonb, waiting_order, true from request_confirmations
       where event_id = ${event.id} and waiting_order > ${after} and held <= ${most}
       order by waiting_order limit ${AT_ONCE})
      order by waiting_order limit ${AT_ONCE}`.execute(transaction);
    const step = choosePromoted(freePlaces, rows);
    promoted.push(...step.promoted);
    freePlaces = step.places;
    after = rows.at(-1)?.waiting_order ?? after;
    more = rows.length === AT_ONCE;
  }
  const { held = [], guests = [] } = Object.groupBy(promoted, ({ is_held }) => (is_held ? 'held' : 'guests'));
  await holdFreedPlaces(transaction, held);
  await confirmPromoted({ transaction, now, note }, guests);
  return guests.map(({ id }) => id);
}

async function holdFreedPlaces(transaction: Kysely<unknown>, promoted: readonly Waiting[]): Promise<void> {
  if (promoted.length === 0) return;
  await sql`
    update request_confirmations set waiting_order = null
    where id = any(${promoted.map(({ id }) => id)}::uuid[])`.execute(transaction);
}

async function confirmPromoted(
  { transaction, now, note }: Pick<EventWrite, 'transaction' | 'now' | 'note'>,
  promoted: readonly (Waiting & { asked: number })[],
): Promise<void> {
  if (promoted.length === 0) return;
  const placed = promoted.map((guest) => ({ ...guest, fit: membersFor(guest) }));
  const rows = JSON.stringify(placed.map(({ id, coming, fit }) => ({ id, coming, members: fit })));
  await sql`
    update guests set rsvp_status = 'confirmed', coming = placed.coming,
      coming_children = least(guests.coming_children, placed.coming), members = placed.members,
      waiting_since = null, waiting_order = null, updated_at = ${toParameter(now)}
    from json_to_recordset(${rows}::json) as placed (id uuid, coming integer, members jsonb)
    where guests.id = placed.id`.execute(transaction);
  for (const { id, coming, asked, members, fit } of placed) {
    const changes = {
      rsvp_status: { from: 'pending', to: 'confirmed' },
      ...(coming !== asked && { coming: { from: asked, to: coming } }),
      ...(fit !== members && { members: { from: members, to: fit } }),
    };
    note('guest', id, 'moved_up', changes, { kind: 'system' });
  }
}

/**
 * Members of a guest promoted from the waiting list. If the guest got places for fewer people than asked, fewer members
 * are marked as coming.
 */
function membersFor({ members, coming }: Pick<Waiting, 'members' | 'coming'>): readonly Member[] {
  return fitComing(members, { coming, children: undefined, isRaised: false });
}

interface Waiting extends Party {
  id: string;
  members: readonly Member[];
  waiting_order: number;
  /** True for a registration that is not confirmed yet, which is no guest. */
  is_held: boolean;
}

const LIMITS = ['max_guests', 'venue_capacity', 'max_plus_ones_buffer'];

/**
 * Promotes guests from the waiting list after a change of the event that raised a limit. Returns true if a guest was
 * promoted.
 */
export async function promoteAfterLimitChange(
  write: EventWrite<{ id: string }>,
  changes: object,
): Promise<boolean> {
  return LIMITS.some((limit) => limit in changes) && (await promoteFromWaitingList(write)).length > 0;
}
