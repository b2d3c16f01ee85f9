import { type Kysely, type RawBuilder, sql } from 'kysely';
import { newId } from '../kernel/identifiers.ts';
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

const countColumns = sql`
  tally.rsvp_confirmed, tally.rsvp_pending, tally.rsvp_declined,
  tally.rsvp_confirmed + tally.rsvp_pending + tally.rsvp_declined as rsvp_total, tally.vendors_confirmed`;

export type EventStore = ReturnType<typeof createEventStore>;

/** Events in the database. Deleted ones do not exist here; each change is one transaction. */
export function createEventStore(db: Kysely<unknown>) {
  return {
    async add(organizerId: string, event: NewEvent, now: Temporal.Instant): Promise<Event> {
      const row = { id: newId(), organizer_id: organizerId, ...event, created_at: now, updated_at: now };
      const [added] = await fetch<Event>(
        db,
        sql`
        insert into events (${sql.join(Object.keys(row).map((column) => sql.ref(column)))})
        values (${sql.join(Object.values(row).map(parameter))})
        returning ${eventColumns}`,
      );
      if (!added) throw new Error('insert returned no row');
      return added;
    },

    /** A page in the order of dates, those without one last, and how many match in all; both in one statement. */
    async list(
      organizerId: string,
      { status, limit, offset }: { status: Status | undefined; limit: number; offset: bigint },
    ): Promise<{ events: ListedEvent[]; total: number }> {
      const mine = sql`organizer_id = ${organizerId} and deleted_at is null
        ${status ? sql`and status = ${status}` : sql``}`;
      const { rows } = await sql<Row<ListedEvent> & { total: number }>`
        select counted.total, page.*
        from (select count(*)::integer as total from events where ${mine}) counted
        left join lateral (
          select ${eventColumns}, ${countColumns}
          from (select * from events where ${mine} order by event_date, id limit ${limit} offset ${offset}) events
          join event_tallies tally on tally.event_id = events.id
        ) page on true
        order by page.event_date, page.id`.execute(db);
      // Past the last page the join leaves one row that carries the total alone.
      const events = rows.filter((row) => row.id !== null).map((row) => present<ListedEvent>(row));
      return { events, total: rows[0]?.total ?? 0 };
    },

    /** The event with its counts, whoever owns it. */
    async find(id: string): Promise<CountedEvent | undefined> {
      const [event] = await fetch<CountedEvent>(
        db,
        sql`
        select ${eventColumns}, ${countColumns}
        from events join event_tallies tally on tally.event_id = events.id
        where events.id = ${id} and events.deleted_at is null`,
      );
      return event;
    },

    /**
     * Changes an organizer's event by what `judge` makes of its status; undefined when there is no such event.
     * The row is locked in between, so that of changes at the same time each judges what the one before it left.
     */
    change(
      organizerId: string,
      id: string,
      now: Temporal.Instant,
      judge: (status: Status) => EventChanges,
    ): Promise<CountedEvent | undefined> {
      return db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ status: Status }>`
          select status from events
          where id = ${id} and organizer_id = ${organizerId} and deleted_at is null
          for update`.execute(transaction);
        if (!rows[0]) return undefined;
        const changes = { ...judge(rows[0].status), updated_at: now };
        const set = Object.entries(changes).map(
          ([column, value]) => sql`${sql.ref(column)} = ${parameter(value)}`,
        );
        const [changed] = await fetch<CountedEvent>(
          transaction,
          sql`
          update events set ${sql.join(set)}
          from event_tallies tally
          where events.id = ${id} and tally.event_id = events.id
          returning ${eventColumns}, ${countColumns}`,
        );
        return changed;
      });
    },

    /** Cancels and hides an organizer's event; false when there is no such event. */
    async remove(organizerId: string, id: string, now: Temporal.Instant): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        update events set status = 'cancelled', deleted_at = ${parameter(now)}, updated_at = ${parameter(now)}
        where id = ${id} and organizer_id = ${organizerId} and deleted_at is null`.execute(db);
      return numAffectedRows > 0n;
    },
  };
}

async function fetch<T extends Event>(db: Kysely<unknown>, query: RawBuilder<unknown>): Promise<T[]> {
  const { rows } = await (query as RawBuilder<Row<T>>).execute(db);
  return rows.map((row) => present<T>(row));
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

/** Instants go to the database as text; everything else as it is. */
function parameter(value: unknown): unknown {
  return value instanceof Temporal.Instant ? value.toString({ fractionalSecondDigits: 3 }) : value;
}
