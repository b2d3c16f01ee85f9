import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { pageFrom } from '../../kernel/database/page.ts';
import { inTransaction, parameter } from '../../kernel/database/transaction.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import type { Page } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween, recordChange } from '../../kernel/writes/history.ts';
import { type Occupancy, roomLeft, taken, type Wish } from '../answers/room.ts';
import { moveUp, noRoomForMore, readHall, type Seated, seatFor, UNANSWERED } from '../answers/seating.ts';
import { authorOf, readableEvent, writableEvent } from '../events/access.ts';
import type { Guest, GuestCounts } from './contract.ts';
import type { Details, GuestFilter, GuestInput, GuestOrder } from './input.ts';
import { messages } from './messages.ts';

type TimeField = 'waiting_since' | 'answered_at' | 'created_at' | 'updated_at';
type Row = Omit<Guest, TimeField> & Record<TimeField, Date | null> & { version: number };

export interface Versioned {
  guest: Guest;
  version: number;
}

export const guestColumns = sql`
  guests.id, guests.event_id, guests.name, guests.phone, guests.email, guests.tags, guests.language,
  guests.party_size, guests.coming, guests.kashrut_level, guests.vegetarian, guests.vegan, guests.allergies,
  guests.note, guests.message, guests.rsvp_status, guests.waiting_since, guests.answered_at, guests.answered_via,
  guests.created_at, guests.updated_at, guests.version`;

export type GuestStore = ReturnType<typeof createGuestStore>;

/** The guests of an event. Each change locks the event's row first, so that answers are judged one after the other. */
export function createGuestStore(db: Kysely<unknown>) {
  return {
    /** `through`: the transaction to do it in, where there is one. */
    add(
      caller: Caller,
      eventId: string,
      read: () => { details: Details; wish: Wish | undefined },
      now: Temporal.Instant,
      through: Kysely<unknown> = db,
    ): Promise<Versioned> {
      return inTransaction(through, async (transaction) => {
        const event = await writableEvent(transaction, caller, eventId);
        const { details, wish } = read();
        const seat =
          wish && seatFor(UNANSWERED, wish, details.party_size, await readHall(transaction, event.id), now);
        const row = {
          id: newId(),
          event_id: event.id,
          ...details,
          ...seat,
          ...(wish && wish.rsvp_status !== 'pending' && { answered_at: now, answered_via: 'organizer' }),
          created_at: now,
          updated_at: now,
        };
        const added = await one(
          transaction,
          sql`
          insert into guests (${sql.join(Object.keys(row).map((column) => sql.ref(column)))})
          values (${sql.join(Object.values(row).map(parameter))})
          returning ${guestColumns}`,
        );
        await recordChange(transaction, { ...about(added.guest, caller, now), action: 'created' });
        return added;
      });
    },

    async find(caller: Caller, eventId: string, guestId: string): Promise<Versioned> {
      const event = await readableEvent(db, caller, eventId);
      return known(await findGuest(db, event.id, guestId));
    },

    /** Changes a guest by what `judge` makes of the stored one and its version. */
    change(
      caller: Caller,
      eventId: string,
      guestId: string,
      now: Temporal.Instant,
      read: (guest: Guest & Seated) => GuestInput,
      unchanged: (version: number) => void,
    ): Promise<Versioned> {
      return db.transaction().execute(async (transaction) => {
        const event = await writableEvent(transaction, caller, eventId);
        const { guest, version } = known(await findGuest(transaction, event.id, guestId));
        const seated = await seatOf(transaction, guest);
        const input = read({ ...guest, ...seated });
        unchanged(version);
        const { changed, changes, freed } = await applyToGuest(
          transaction,
          { ...guest, ...seated },
          input,
          'organizer',
          now,
        );
        if (changes) {
          await recordChange(transaction, { ...about(guest, caller, now), action: 'changed', changes });
        }
        if (freed) await moveUp(transaction, event.id, now);
        return changed;
      });
    },

    remove(
      caller: Caller,
      eventId: string,
      guestId: string,
      now: Temporal.Instant,
      unchanged: (version: number) => void,
    ): Promise<void> {
      return db.transaction().execute(async (transaction) => {
        const event = await writableEvent(transaction, caller, eventId);
        const { guest, version } = known(await findGuest(transaction, event.id, guestId));
        unchanged(version);
        await sql`delete from guests where id = ${guest.id}`.execute(transaction);
        await recordChange(transaction, { ...about(guest, caller, now), action: 'deleted' });
        await moveUp(transaction, event.id, now);
      });
    },

    /** A page of the guests that match, and how many match in all. */
    async list(
      caller: Caller,
      eventId: string,
      filter: GuestFilter,
      order: GuestOrder,
      page: Page,
    ): Promise<{ guests: Guest[]; total: number }> {
      const event = await readableEvent(db, caller, eventId);
      const { search, tag, diet } = filter;
      const isSelective = search !== undefined || tag !== undefined || diet !== undefined;
      return isSelective
        ? listFound(db, event.id, filter, order, page)
        : listAll(db, event.id, filter, order, page);
    },

    async counts(caller: Caller, eventId: string): Promise<GuestCounts> {
      const event = await readableEvent(db, caller, eventId);
      return readCounts(db, event.id);
    },
  };
}

/** The numbers of an event, from its tally: the same cost for ten guests and for a million. */
export async function readCounts(db: Kysely<unknown>, eventId: string): Promise<GuestCounts> {
  const { rows } = await sql<Occupancy & Omit<GuestCounts, 'places_left' | 'plus_ones_left'>>`
    select tally.rsvp_confirmed, tally.rsvp_pending, tally.rsvp_declined,
      tally.rsvp_confirmed + tally.rsvp_pending + tally.rsvp_declined as rsvp_total,
      tally.waiting, tally.people, tally.plus_ones,
      events.max_guests, events.venue_capacity, events.max_plus_ones_buffer
    from events join event_tallies tally on tally.event_id = events.id
    where events.id = ${eventId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an event without a tally');
  const { max_guests, venue_capacity, max_plus_ones_buffer, ...counts } = row;
  const room = roomLeft(row);
  return {
    ...counts,
    places_left: Number.isFinite(room.people) ? room.people : null,
    plus_ones_left: room.plusOnes,
  };
}

/**
 * Writes details and an answer over a guest of a locked event; `changes` is undefined when nothing differs,
 * `freed` says that somebody who waits may `moveUp`.
 * Throws a 409 when the guest has places and there is no room for more.
 */
export async function applyToGuest(
  transaction: Kysely<unknown>,
  guest: Guest & Seated,
  { details, wish }: GuestInput,
  via: Guest['answered_via'],
  now: Temporal.Instant,
) {
  const partySize = details.party_size ?? guest.party_size;
  // A party of another size may have more or fewer plus-ones, so a yes that stands is judged anew.
  const saidYes = guest.rsvp_status === 'confirmed' || guest.waiting;
  const again = saidYes && partySize !== guest.party_size;
  const judged = wish ?? (again ? { rsvp_status: 'confirmed' as const, coming: guest.coming } : undefined);
  const hall = judged && (await readHall(transaction, guest.event_id));
  const seat = hall && seatFor(guest, judged, partySize, hall, now);
  if (judged && !seat) throw noRoomForMore();
  const answer = wish && answeredBy(guest, wish, via, now);
  const row = { ...details, ...seat, ...answer, updated_at: now };
  const set = Object.entries(row).map(([column, value]) => sql`${sql.ref(column)} = ${parameter(value)}`);
  const changed = await one(
    transaction,
    sql`update guests set ${sql.join(set)} where id = ${guest.id} returning ${guestColumns}`,
  );
  const held = taken(guest);
  const holds = taken({ ...changed.guest, waiting: false });
  return {
    changed,
    changes: changesBetween(guest, changed.guest),
    freed:
      hall !== undefined &&
      hall.waiting > 0 &&
      (holds.people < held.people || holds.plusOnes < held.plusOnes),
  };
}

function answeredBy(guest: Guest & Seated, wish: Wish, via: Guest['answered_via'], now: Temporal.Instant) {
  const stood = guest.waiting ? 'confirmed' : guest.rsvp_status;
  // An organizer who saves a form again has not answered anew; a guest has.
  if (via === 'organizer' && stood === wish.rsvp_status && guest.coming === wish.coming) return undefined;
  return wish.rsvp_status === 'pending'
    ? { answered_at: null, answered_via: null }
    : { answered_at: now, answered_via: via };
}

export async function findGuest(
  db: Kysely<unknown>,
  eventId: string,
  guestId: string,
): Promise<Versioned | undefined> {
  if (!isUuid(guestId)) return undefined;
  const { rows } = await sql<Row>`
    select ${guestColumns} from guests where id = ${guestId} and event_id = ${eventId}`.execute(db);
  return rows[0] && present(rows[0]);
}

/** Where a guest stands; of a locked event, so that it stays so. */
export async function seatOf(transaction: Kysely<unknown>, guest: Guest): Promise<Seated> {
  const { rsvp_status, party_size, coming, waiting_since } = guest;
  const standing = { rsvp_status, party_size, coming, waiting_since, waiting: waiting_since !== null };
  if (!standing.waiting) return { ...standing, waiting_order: null };
  const { rows } = await sql<{ waiting_order: number }>`
    select waiting_order from guests where id = ${guest.id}`.execute(transaction);
  return { ...standing, waiting_order: rows[0]?.waiting_order ?? null };
}

const ORDERS: Readonly<
  Record<
    GuestOrder,
    { by: RawBuilder<unknown>; forwards: RawBuilder<unknown>; backwards: RawBuilder<unknown> }
  >
> = {
  name: { by: sql`search`, forwards: sql`search, id`, backwards: sql`search desc, id desc` },
  answered: {
    by: sql`answered_at`,
    forwards: sql`answered_at desc nulls last, id`,
    backwards: sql`answered_at asc nulls first, id desc`,
  },
  waiting: {
    by: sql`waiting_order`,
    forwards: sql`waiting_order nulls last, id`,
    backwards: sql`waiting_order desc nulls first, id desc`,
  },
};

/** The condition that chooses an event's guests. */
export function matching(eventId: string, { search, status, tag, diet }: GuestFilter): RawBuilder<unknown> {
  const conditions = [
    sql`guests.event_id = ${eventId}`,
    status === 'waiting' && sql`guests.waiting_order is not null`,
    status && status !== 'waiting' && sql`guests.rsvp_status = ${status}`,
    // In a query of its own the form is worked out once, not for every guest.
    search !== undefined && sql`strpos(guests.search, (select guest_search_form(${search}))) > 0`,
    tag !== undefined && sql`guests.tags @> array[${tag}]::text[]`,
    diet !== undefined && dietCondition(diet),
  ];
  return sql.join(
    conditions.filter((condition) => condition !== false && condition !== undefined),
    sql` and `,
  );
}

function dietCondition(diet: NonNullable<GuestFilter['diet']>): RawBuilder<unknown> {
  if (diet === 'allergies') return sql`guests.allergies is not null`;
  if (diet === 'vegetarian' || diet === 'vegan') return sql.ref(`guests.${diet}`);
  return sql`guests.kashrut_level = ${diet}`;
}

/** How many there are stands in the tally, so a page can be read from the nearer end of an index. */
async function listAll(
  db: Kysely<unknown>,
  eventId: string,
  filter: GuestFilter,
  order: GuestOrder,
  page: Page,
): Promise<{ guests: Guest[]; total: number }> {
  const counted = {
    confirmed: sql`rsvp_confirmed`,
    pending: sql`rsvp_pending`,
    declined: sql`rsvp_declined`,
    waiting: sql`waiting`,
    all: sql`rsvp_confirmed + rsvp_pending + rsvp_declined`,
  }[filter.status ?? 'all'];
  const { forwards, backwards } = ORDERS[order];
  const ordered = {
    total: sql`select ${counted} as total from event_tallies where event_id = ${eventId}`,
    ids: sql`select id from guests where ${matching(eventId, filter)}`,
    forwards,
    backwards,
  };
  const { rows } = await sql<Row & { total: number }>`
    select span.total, ${guestColumns}
    from ${pageFrom(ordered, page)}
    left join guests on guests.id = page.id
    order by ${forwards}`.execute(db);
  return listed(rows);
}

/**
 * What matches is found once, for the page and for the total, by a look at every guest of the event
 * (docs/decisions/0011-search.md). By name it takes no column that the index of names lacks.
 */
async function listFound(
  db: Kysely<unknown>,
  eventId: string,
  filter: GuestFilter,
  order: GuestOrder,
  { limit, offset }: Page,
): Promise<{ guests: Guest[]; total: number }> {
  const { rows } = await sql<Row & { total: number }>`
    with found as materialized (
      select id, ${ORDERS[order].by} from guests where ${matching(eventId, filter)}
    ), page as (
      select id, row_number() over (order by ${ORDERS[order].forwards}) as place
      from (select * from found order by ${ORDERS[order].forwards} limit ${limit} offset ${offset}) chosen
    )
    select counted.total, ${guestColumns}
    from (select count(*)::integer as total from found) counted
    left join page on true
    left join guests on guests.id = page.id
    order by page.place`.execute(db);
  return listed(rows);
}

/** Past the last page there is one row, with the total alone. */
function listed(rows: (Row & { total: number })[]): { guests: Guest[]; total: number } {
  const guests = rows.filter(({ id }) => id !== null).map(({ total: _, ...row }) => present(row).guest);
  return { guests, total: rows[0]?.total ?? 0 };
}

function about(guest: Pick<Guest, 'id' | 'event_id'>, caller: Caller, at: Temporal.Instant) {
  return { event_id: guest.event_id, subject: 'guest', subject_id: guest.id, at, by: authorOf(caller) };
}

export function noSuchGuest(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchGuest);
}

function known(guest: Versioned | undefined): Versioned {
  if (!guest) throw noSuchGuest();
  return guest;
}

/** The one row of a write; a collision with another guest's phone or address is a 409 that says which. */
async function one(db: Kysely<unknown>, query: RawBuilder<unknown>): Promise<Versioned> {
  try {
    const { rows } = await (query as RawBuilder<Row>).execute(db);
    if (!rows[0]) throw new Error('a write returned no row');
    return present(rows[0]);
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint === 'guests_phone') throw new Refusal(409, 'duplicate', messages.duplicatePhone);
    if (constraint === 'guests_email') throw new Refusal(409, 'duplicate', messages.duplicateEmail);
    throw error;
  }
}

export function present({ version, ...row }: Row): Versioned {
  const guest = {
    ...row,
    waiting_since: row.waiting_since?.toISOString() ?? null,
    answered_at: row.answered_at?.toISOString() ?? null,
    created_at: row.created_at?.toISOString() ?? '',
    updated_at: row.updated_at?.toISOString() ?? '',
  };
  return { guest, version };
}
