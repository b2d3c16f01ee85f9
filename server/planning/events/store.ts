import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { toIsoTime } from '../../kernel/database/iso-time.ts';
import { constantSql } from '../../kernel/database/offline.ts';
import { pageFromClause, pageOfRows } from '../../kernel/database/pages.ts';
import { assignColumns, insertFrom, selectColumns } from '../../kernel/database/rows.ts';
import { inTransaction, toParameter } from '../../kernel/database/transaction.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import type { Page } from '../../kernel/paging.ts';
import { changeInsert } from '../../kernel/writes/history.ts';
import {
  accessOf,
  authorOf,
  type EventAccess,
  openWith,
  type SharedAccess,
  type StoredAccess,
} from './access.ts';
import type { CountedEvent, Event, ListedEvent } from './contract.ts';
import type { DeletedEvent } from './deleted/contract.ts';
import { deletionTimesOf, earliestRestorable } from './deleted/times.ts';
import { eventFields, type NewEvent } from './fields.ts';
import type { EventChanges } from './input.ts';
import type { EventStatus } from './lifecycle.ts';
import { hasWebhooks, queueEventMessage } from './listeners.ts';

const TIME_FIELDS = ['event_date', 'created_at', 'updated_at'] as const;
type TimeField = (typeof TIME_FIELDS)[number];
/** Row of an event as the database returns it: times are texts of its own form, other columns have their JSON form. */
type Row<T extends Event> = Omit<T, TimeField> & Record<TimeField, string | null>;

const ownColumns = ['id', 'organizer_id', 'status', 'created_at', 'updated_at'];
const eventColumns = selectColumns('events', [...ownColumns, ...Object.keys(eventFields)], {
  ...Object.fromEntries(TIME_FIELDS.map((field) => [field, sql`${sql.ref(`events.${field}`)}::text`])),
  noise_curfew_time: sql`to_char(events.noise_curfew_time, 'HH24:MI')`,
  budget: sql`events.budget::float8`,
  compliance_dismissed: sql`coalesce(events.compliance_dismissed, false)`,
});

/** Event together with its version, which becomes the ETag of the response. */
export interface VersionedEvent<T> {
  event: T;
  version: number;
}

const countColumns = constantSql(sql`
  tally.rsvp_confirmed, tally.rsvp_pending, tally.rsvp_declined,
  tally.rsvp_confirmed + tally.rsvp_pending + tally.rsvp_declined as rsvp_total, tally.vendors_confirmed`);

/**
 * Adds an event with the first line of its history, and queues the messages about it to webhooks. Only for an organizer
 * with webhooks this takes more than one statement.
 */
export async function addEvent(
  through: Kysely<unknown>,
  caller: Caller,
  input: NewEvent,
  now: Temporal.Instant,
): Promise<VersionedEvent<Event>> {
  const id = newId();
  const inserted = (db: Kysely<unknown>, condition: RawBuilder<boolean>) =>
    insertEvent(db, caller, { id, ...input }, now, condition);
  const added = await inserted(through, sql`not ${hasWebhooks(caller.id)}`);
  if (added) return added;
  return inTransaction(through, async (transaction) => {
    const added = await inserted(transaction, sql`true`);
    if (!added) throw new Error('insert returned no row');
    const { event } = added;
    await queueEventMessage(transaction, id, 'event.created', async () => ({ data: { event } }), now);
    return added;
  });
}

/** Inserts an event, and the first line of the event's history, in one SQL statement, if `condition` holds. */
async function insertEvent(
  db: Kysely<unknown>,
  caller: Caller,
  input: NewEvent & { id: string },
  now: Temporal.Instant,
  condition: RawBuilder<boolean>,
): Promise<VersionedEvent<Event> | undefined> {
  const { id } = input;
  const row = { ...input, organizer_id: caller.id, created_at: now, updated_at: now };
  const allowed = sql`allowed where is_allowed`;
  const noted = {
    event_id: id,
    subject: 'event',
    subject_id: id,
    at: now,
    by: authorOf(caller),
    action: 'created',
  };
  const [added] = await fetch<Event>(
    db,
    sql`
    with allowed as (select ${condition} as is_allowed), noted as (${changeInsert(noted, allowed)})
    ${insertFrom('events', row, allowed)}
    returning ${eventColumns}, events.version`,
  );
  return added;
}

/** Page of an organizer's events by date (events without a date last), and the total number of events that match. */
export async function listEvents(
  db: Kysely<unknown>,
  organizerId: string,
  status: EventStatus | undefined,
  page: Omit<Page, 'page'>,
): Promise<{ events: ListedEvent[]; total: number }> {
  const counted = status ? sql.ref(status) : sql`draft + published + cancelled + completed`;
  const ordered = {
    total: sql`
      select coalesce(sum(${counted}), 0)::integer as total from organizer_tallies
      where organizer_id = ${organizerId}`,
    ids: sql`
      select id from events where organizer_id = ${organizerId} and deleted_at is null
      ${status ? sql`and status = ${status}` : sql``}`,
    forwards: sql`event_date, id`,
    backwards: sql`event_date desc, id desc`,
  };
  const { rows } = await sql<Row<ListedEvent> & { total: number }>`
    select span.total, ${eventColumns}, ${countColumns}
    from ${pageFromClause(ordered, page)}
    left join lateral (select * from events where id = page.id limit 1) events on true
    left join lateral (select * from event_tallies where event_id = page.id limit 1) tally on true
    order by events.event_date, events.id`.execute(db);
  // If the requested page is after the last one, the query returns a single row that has only the total.
  const events = rows.filter(({ id }) => id !== null).map((row) => present<ListedEvent>(row));
  return { events, total: rows[0]?.total ?? 0 };
}

/** Page of the events that others share with the caller, in the same order as `listEvents` has. */
export async function listSharedEvents(
  db: Kysely<unknown>,
  caller: Caller,
  page: Page,
): Promise<{ events: { event: ListedEvent; access: SharedAccess }[]; total: number }> {
  const shared = {
    columns: sql`${eventColumns}, ${countColumns}, shared.access, events.event_date as at`,
    from: sql`
      co_organizers shared
      join events on events.id = shared.event_id
      join event_tallies tally on tally.event_id = events.id
      where shared.email = ${caller.email ?? null} and events.deleted_at is null`,
    order: sql`at, id`,
  };
  type Shared = Row<ListedEvent> & { access: SharedAccess; at: Date };
  const { rows, total } = await pageOfRows<Shared>(db, shared, page);
  return {
    events: rows.map(({ access, at: _, ...row }) => ({
      event: seenWith(access, present<ListedEvent>(row as Row<ListedEvent>)),
      access,
    })),
    total,
  };
}

/** Drafts and published events from an instant on, by date: the caller's own events and those shared with them. */
export async function listUpcomingEvents(
  db: Kysely<unknown>,
  caller: Caller,
  from: Temporal.Instant,
  most: number,
): Promise<{ event: ListedEvent; access: EventAccess; contacts: boolean }[]> {
  const coming = sql`
    events.deleted_at is null and events.status in ('draft', 'published') and events.event_date >= ${toParameter(from)}`;
  const { rows } = await sql<Row<ListedEvent> & { access: StoredAccess }>`
    select ${eventColumns}, ${countColumns}, ${accessOf(caller)} as access
    from (
      (select id, event_date from events where organizer_id = ${caller.id} and ${coming} order by event_date limit ${most})
      union
      (
        select events.id, event_date from co_organizers shared join events on events.id = shared.event_id
        where shared.email = ${caller.email ?? null} and ${coming} order by event_date limit ${most}
      )
      order by event_date, id limit ${most}
    ) next
    join events on events.id = next.id
    join event_tallies tally on tally.event_id = events.id
    order by events.event_date, events.id`.execute(db);
  return rows.map(({ access, ...row }) => ({
    event: seenWith(access, present<ListedEvent>(row as Row<ListedEvent>)),
    ...openWith(access),
  }));
}

/** Finds an event of any organizer, with its counts and the caller's access to it. A malformed id finds no event. */
export async function findEvent(
  db: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<(VersionedEvent<CountedEvent> & { access: StoredAccess | null }) | undefined> {
  if (!isUuid(id)) return undefined;
  const [found] = await fetch<CountedEvent, { access: StoredAccess | null }>(
    db,
    sql`
    select ${eventColumns}, ${countColumns}, events.version, ${accessOf(caller)} as access
    from events join event_tallies tally on tally.event_id = events.id
    where events.id = ${id} and events.deleted_at is null`,
  );
  return found && { ...found, event: seenWith(found.access, found.event) };
}

/** Event with its counts, whoever may read it, also if it was deleted; undefined once it is gone for good. */
export async function findAnyEvent(db: Kysely<unknown>, id: string): Promise<CountedEvent | undefined> {
  const [found] = await fetch<CountedEvent>(
    db,
    sql`
    select ${eventColumns}, ${countColumns}, events.version
    from events join event_tallies tally on tally.event_id = events.id
    where events.id = ${id}`,
  );
  return found?.event;
}

/** Event with all its fields, whose row is locked for a change. */
export interface LockedEvent extends VersionedEvent<CountedEvent> {
  id: string;
  access: StoredAccess | null;
}

export async function lockEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<LockedEvent | undefined> {
  if (!isUuid(id)) return undefined;
  const [[found], counts] = await Promise.all([
    fetch<Event, { access: StoredAccess | null }>(
      transaction,
      sql`
      select ${eventColumns}, events.version, ${accessOf(caller)} as access
      from events where id = ${id} and deleted_at is null
      for no key update`,
    ),
    // The counts are read after the lock by a statement of their own: it sees what was committed before the lock.
    sql<Counts>`select ${countColumns} from event_tallies tally where event_id = ${id}`.execute(transaction),
  ]);
  return found && { ...found, id: found.event.id, event: { ...found.event, ...(counts.rows[0] as Counts) } };
}

type Counts = Omit<CountedEvent, keyof Event>;

export async function updateEvent(
  transaction: Kysely<unknown>,
  id: string,
  changes: EventChanges,
  now: Temporal.Instant,
): Promise<void> {
  await sql`update events set ${assignColumns({ ...changes, updated_at: now })} where id = ${id}`.execute(
    transaction,
  );
}

/** Event as `updateEvent` stores it. Fields that the change does not give keep their values. */
export function eventAfter(
  { event, version }: LockedEvent,
  changes: EventChanges,
  now: Temporal.Instant,
): VersionedEvent<CountedEvent> {
  const changed = { ...event, ...changes, updated_at: toParameter(now) } as CountedEvent;
  return { event: changed, version: version + 1 };
}

/** Deletes an event softly: the event is cancelled and hidden, and can be restored. */
export async function removeEvent(
  transaction: Kysely<unknown>,
  id: string,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update events set deleted_as = status, status = 'cancelled',
      deleted_at = ${toParameter(now)}, updated_at = ${toParameter(now)}
    where id = ${id}`.execute(transaction);
}

/** Locks a deleted event of the caller, if the event can still be restored. */
export async function lockDeletedEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  id: string,
  now: Temporal.Instant,
): Promise<{ id: string } | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<{ id: string }>`
    select id from events
    where id = ${id} and organizer_id = ${caller.id} and deleted_at > ${earliestRestorable(now)}
    for no key update`.execute(transaction);
  return rows[0];
}

/** Restores a deleted event with the status that it had before. */
export async function restoreEvent(
  transaction: Kysely<unknown>,
  caller: Caller,
  id: string,
  now: Temporal.Instant,
): Promise<VersionedEvent<CountedEvent>> {
  await sql`
    update events set status = coalesce(deleted_as, status), deleted_as = null, deleted_at = null,
      updated_at = ${toParameter(now)}
    where id = ${id}`.execute(transaction);
  const found = await findEvent(transaction, caller, id);
  if (!found) throw new Error('the locked event is gone');
  return found;
}

/** Deleted events of an organizer that can still be restored, the latest deletion first. */
export async function listDeletedEvents(
  db: Kysely<unknown>,
  organizerId: string,
  now: Temporal.Instant,
  page: Page,
): Promise<{ events: DeletedEvent[]; total: number }> {
  const source = {
    columns: sql`id, title, event_date, venue_name, coalesce(deleted_as, status) as status, deleted_at`,
    from: sql`events where organizer_id = ${organizerId} and deleted_at > ${earliestRestorable(now)}`,
    order: sql`deleted_at desc, id`,
  };
  type Found = Omit<DeletedEvent, 'event_date' | 'deleted_at' | 'until'> & Record<'event_date', Date | null>;
  const { rows, total } = await pageOfRows<Found & { deleted_at: Date }>(db, source, page);
  const events = rows.map(({ deleted_at, event_date, ...event }) => ({
    ...event,
    event_date: event_date?.toISOString() ?? null,
    ...deletionTimesOf(deleted_at),
  }));
  return { events, total };
}

type Fetched<T, Extra> = Row<T & Event> & { version: number } & Extra;

async function fetch<T extends Event, Extra extends object = object>(
  db: Kysely<unknown>,
  query: RawBuilder<unknown>,
): Promise<(VersionedEvent<T> & Extra)[]> {
  const { rows } = await (query as RawBuilder<Fetched<T, Extra & { access?: StoredAccess | null }>>).execute(
    db,
  );
  return rows.map(({ version, access, ...row }) => ({
    event: present<T>(row as unknown as Row<T>),
    version,
    ...(access !== undefined && { access }),
  })) as unknown as (VersionedEvent<T> & Extra)[];
}

/** Event as somebody with this access sees it: co-organizers without contacts do not see the budget. */
function seenWith<T extends Event>(access: StoredAccess | null, event: T): T {
  return access === 'view_without_contacts' ? { ...event, budget: null } : event;
}

function present<T extends Event>(row: Row<T>): T {
  return {
    ...row,
    event_date: row.event_date && toIsoTime(row.event_date),
    created_at: row.created_at && toIsoTime(row.created_at),
    updated_at: row.updated_at && toIsoTime(row.updated_at),
    deleted_at: null,
  } as unknown as T;
}
