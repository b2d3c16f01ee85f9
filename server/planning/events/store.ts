import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { pageFrom } from '../../kernel/database/page.ts';
import { parameter } from '../../kernel/database/transaction.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { Page } from '../../kernel/paging.ts';
import { changeInsert, changesBetween } from '../../kernel/writes/history.ts';
import { type Access, accessOf, authorOf, editable, noSuchEvent, owned } from './access.ts';
import type { CountedEvent, Event, ListedEvent } from './contract.ts';
import type { EventChanges, NewEvent } from './input.ts';
import type { Status } from './lifecycle.ts';

type TimeField = 'event_date' | 'created_at' | 'updated_at' | 'deleted_at';
/** A row as the drivers give it: times as Dates, the rest as it goes out. */
type Row<T extends Event> = Omit<T, TimeField> & Record<TimeField, Date | null>;

const eventColumns = sql`
  events.id, events.organizer_id, events.title, events.event_date, events.venue_name, events.venue_address,
  events.description, events.max_guests, events.venue_capacity, events.max_plus_ones_buffer, events.kashrut_level,
  to_char(events.noise_curfew_time, 'HH24:MI') as noise_curfew_time, events.language_pref,
  events.budget::float8 as budget, events.retention_policy_days, events.status,
  coalesce(events.compliance_dismissed, false) as compliance_dismissed,
  events.created_at, events.updated_at, events.deleted_at`;

/** An event and what stands in its answer's headers or decides whether there is one. */
export interface Versioned<T> {
  event: T;
  version: number;
}

const countColumns = sql`
  tally.rsvp_confirmed, tally.rsvp_pending, tally.rsvp_declined,
  tally.rsvp_confirmed + tally.rsvp_pending + tally.rsvp_declined as rsvp_total, tally.vendors_confirmed`;

export type EventStore = ReturnType<typeof createEventStore>;

/** What another area does in the transaction of a change; true when it changed the event's counts. */
export type AfterChange = (
  transaction: Kysely<unknown>,
  eventId: string,
  changes: EventChanges,
  now: Temporal.Instant,
) => Promise<boolean>;

/** Events in the database. Deleted ones do not exist here; each change is one transaction. */
export function createEventStore(db: Kysely<unknown>, afterChange: AfterChange = async () => false) {
  return {
    /** `through`: the transaction to do it in, where there is one. */
    async add(
      caller: Caller,
      input: NewEvent,
      now: Temporal.Instant,
      through: Kysely<unknown> = db,
    ): Promise<Versioned<Event>> {
      const id = newId();
      const row = { id, organizer_id: caller.id, ...input, created_at: now, updated_at: now };
      const noted = changeInsert({ ...about(id, caller, now), action: 'created' });
      const [added] = await fetch<Event>(
        through,
        sql`
        with noted as (${noted})
        insert into events (${sql.join(Object.keys(row).map((column) => sql.ref(column)))})
        values (${sql.join(Object.values(row).map(parameter))})
        returning ${eventColumns}, events.version`,
      );
      if (!added) throw new Error('insert returned no row');
      return added;
    },

    /** A page in the order of dates, those without one last, and how many match in all. */
    async list(
      organizerId: string,
      { status, limit, offset }: { status: Status | undefined; limit: number; offset: bigint },
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
        from ${pageFrom(ordered, { limit, offset })}
        left join events on events.id = page.id
        left join event_tallies tally on tally.event_id = events.id
        order by events.event_date, events.id`.execute(db);
      // Past the last page there is one row, with the total alone.
      const events = rows.filter(({ id }) => id !== null).map((row) => present<ListedEvent>(row));
      return { events, total: rows[0]?.total ?? 0 };
    },

    /** A page of the events that others share with the caller, in the order of `list`. */
    async listShared(
      { email }: Caller,
      { limit, offset }: Page,
    ): Promise<{ events: { event: ListedEvent; access: 'view' | 'edit' }[]; total: number }> {
      const mine = sql`
        co_organizers shared join events on events.id = shared.event_id
        where shared.email = ${email ?? null} and events.deleted_at is null`;
      const { rows } = await sql<Row<ListedEvent> & { access: 'view' | 'edit'; total: number }>`
        select counted.total, page.*
        from (select count(*)::integer as total from ${mine}) counted
        left join lateral (
          select ${eventColumns}, ${countColumns}, events.access
          from (
            select events.*, shared.access from ${mine} order by event_date, events.id limit ${limit} offset ${offset}
          ) events
          join event_tallies tally on tally.event_id = events.id
        ) page on true
        order by page.event_date, page.id`.execute(db);
      const events = rows
        .filter((row) => row.id !== null)
        .map(({ access, ...row }) => ({ event: present<ListedEvent>(row), access }));
      return { events, total: rows[0]?.total ?? 0 };
    },

    /** The event with its counts, whoever owns it, and what the caller may do with it. */
    find: (caller: Caller, id: string) => find(db, caller, id),

    /**
     * Changes an event by what `judge` makes of it and its version; a 404 unless the caller may edit it.
     * The row is locked in between, so that of changes at the same time each judges what the one before it left.
     */
    change(
      caller: Caller,
      id: string,
      now: Temporal.Instant,
      judge: (event: Event, version: number) => EventChanges,
    ): Promise<Versioned<CountedEvent>> {
      return db.transaction().execute(async (transaction) => {
        const { event, version } = editable(await lock(transaction, caller, id));
        const changes = judge(event, version);
        const set = Object.entries({ ...changes, updated_at: now }).map(
          ([column, value]) => sql`${sql.ref(column)} = ${parameter(value)}`,
        );
        const differences = changesBetween(event, shown(changes));
        const noted =
          differences &&
          sql`with noted as (${changeInsert({ ...about(id, caller, now), action: 'changed', changes: differences })})`;
        const [changed] = await fetch<CountedEvent>(
          transaction,
          sql`
          ${noted ?? sql``}
          update events set ${sql.join(set)}
          from event_tallies tally
          where events.id = ${id} and tally.event_id = events.id
          returning ${eventColumns}, ${countColumns}, events.version`,
        );
        if (!changed) throw noSuchEvent();
        if (!(await afterChange(transaction, id, changes, now))) return changed;
        return (await find(transaction, caller, id)) ?? changed;
      });
    },

    /** Cancels and hides an organizer's event, once `judge` has nothing against its version. */
    async remove(
      caller: Caller,
      id: string,
      now: Temporal.Instant,
      judge: (version: number) => void,
    ): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        judge(owned(await lock(transaction, caller, id)).version);
        await sql`
          with noted as (${changeInsert({ ...about(id, caller, now), action: 'deleted' })})
          update events set status = 'cancelled', deleted_at = ${parameter(now)}, updated_at = ${parameter(now)}
          where id = ${id}`.execute(transaction);
      });
    },
  };
}

async function find(
  db: Kysely<unknown>,
  caller: Caller,
  id: string,
): Promise<(Versioned<CountedEvent> & { access: Access | null }) | undefined> {
  const [found] = await fetch<CountedEvent, { access: Access | null }>(
    db,
    sql`
    select ${eventColumns}, ${countColumns}, events.version, ${accessOf(caller)} as access
    from events join event_tallies tally on tally.event_id = events.id
    where events.id = ${id} and events.deleted_at is null`,
  );
  return found;
}

async function lock(transaction: Kysely<unknown>, caller: Caller, id: string) {
  const [event] = await fetch<Event, { access: Access | null }>(
    transaction,
    sql`
    select ${eventColumns}, events.version, ${accessOf(caller)} as access
    from events where id = ${id} and deleted_at is null
    for update`,
  );
  return event;
}

/** What every line of history about an event has. */
function about(id: string, caller: Caller, at: Temporal.Instant) {
  return { event_id: id, subject: 'event', subject_id: id, at, by: authorOf(caller) };
}

/** Changes as the API shows the fields they set. */
function shown(changes: EventChanges): object {
  const { event_date, ...rest } = changes;
  return { ...rest, ...(event_date && { event_date: parameter(event_date) }) };
}

type Fetched<T, Extra> = Row<T & Event> & { version: number } & Extra;

async function fetch<T extends Event, Extra extends object = object>(
  db: Kysely<unknown>,
  query: RawBuilder<unknown>,
): Promise<(Versioned<T> & Extra)[]> {
  const { rows } = await (query as RawBuilder<Fetched<T, Extra & { access?: Access | null }>>).execute(db);
  return rows.map(({ version, access, ...row }) => ({
    event: present<T>(row as unknown as Row<T>),
    version,
    ...(access !== undefined && { access }),
  })) as unknown as (Versioned<T> & Extra)[];
}

function present<T extends Event>(row: Row<T>): T {
  return {
    ...row,
    event_date: row.event_date?.toISOString() ?? null,
    created_at: row.created_at?.toISOString(),
    updated_at: row.updated_at?.toISOString(),
    deleted_at: null,
  } as unknown as T;
}
