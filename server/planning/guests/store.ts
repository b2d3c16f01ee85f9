import { type Kysely, type RawBuilder, sql } from 'kysely';
import { pageFromClause } from '../../kernel/database/pages.ts';
import type { Page } from '../../kernel/paging.ts';
import { TEXT_CHANNELS } from '../../kernel/texts/text.ts';
import type { GuestReader } from '../events/access.ts';
import { type Occupancy, placesLeft } from './capacity/capacity.ts';
import type { Guest, GuestCounts } from './contract.ts';
import type { GuestFilter, GuestOrder } from './filter.ts';
import { type GuestRow, guestColumns, guestFor, storedGuestOf } from './rows.ts';
import { readSearch, type SearchTerm } from './search-terms.ts';
import type { GuestSelection } from './selection.ts';

/** Reads a page of an event's guests that match a filter, for a caller, and the number of all matching guests. */
export async function listGuests(
  db: Kysely<unknown>,
  reader: GuestReader,
  filter: GuestFilter,
  order: GuestOrder,
  page: Page,
): Promise<{ guests: Guest[]; total: number }> {
  const { status = [], ...others } = filter;
  const isSelective = status.length > 1 || Object.values(others).some((value) => value !== undefined);
  const list = isSelective ? listFound : listAll;
  const { guests, total } = await list(db, reader, filter, order, page);
  return { guests: guests.map((guest) => guestFor(reader, guest)), total };
}

/**
 * Reads the numbers of an event's guests from the stored tally, which takes as long for ten guests as for a million.
 */
export async function readCounts(db: Kysely<unknown>, eventId: string): Promise<GuestCounts> {
  const { rows } = await sql<Occupancy & Omit<GuestCounts, 'places_left' | 'plus_ones_left'>>`
    select tally.rsvp_confirmed, tally.rsvp_pending, tally.rsvp_declined,
      tally.rsvp_confirmed + tally.rsvp_pending + tally.rsvp_declined as rsvp_total,
      tally.maybe, tally.waiting, tally.invited, tally.people, tally.children, tally.plus_ones, tally.held,
      events.max_guests, events.venue_capacity, events.max_plus_ones_buffer, settings.plus_ones_each
    from events
    join event_tallies tally on tally.event_id = events.id
    left join rsvp_settings settings on settings.event_id = events.id
    where events.id = ${eventId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an event without a tally');
  const { max_guests, venue_capacity, max_plus_ones_buffer, plus_ones_each, ...counts } = row;
  const room = placesLeft(row);
  return {
    ...counts,
    places_left: Number.isFinite(room.people) ? room.people : null,
    plus_ones_left: room.plusOnes,
  };
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

/** SQL condition for the guests of an event that match a caller's filter. */
export function filterCondition(
  reader: GuestReader,
  { search, status, tag, diet, answered, invited, plus_ones }: GuestFilter,
): RawBuilder<unknown> {
  const conditions = [
    sql`guests.event_id = ${reader.id}`,
    status && anyOf(status, statusCondition),
    search !== undefined && searchCondition(reader, search),
    tag && sql`guests.tags && ${tag}::text[]`,
    diet && anyOf(diet, dietCondition),
    answered !== undefined && sql`${HAS_ANSWERED} = ${answered}`,
    // The condition is not written as `… = true`, with which PostgreSQL would search the rounds of all events instead
    // of this one's.
    invited !== undefined && (invited ? WAS_INVITED : sql`not ${WAS_INVITED}`),
    plus_ones !== undefined && sql`${BRINGS_UNALLOWED} = ${plus_ones}`,
  ];
  return sql.join(
    conditions.filter((condition) => condition !== false && condition !== undefined),
    sql` and `,
  );
}

/**
 * SQL condition for guests who match a search by words of their name and the names of their party's members, or a part
 * of the phone number (docs/decisions/0011-search.md). Members are searched apart, so that the index of names still
 * answers the rest.
 */
export function searchCondition({ id, contacts }: GuestReader, search: string): RawBuilder<unknown> {
  const terms = readSearch(search);
  const forms = contacts ? NAME_AND_PHONE_FORMS : NAME_FORMS;
  // A search that contains only signs finds names that contain these signs.
  if (terms.length === 0) return sql`strpos(${forms.text}, (select guest_search_form(${search}))) > 0`;
  return sql`(${allTerms(terms, forms)} or guests.id in (
    select guests.id from guests
    where guests.event_id = ${id} and guests.member_words is not null
      and ${allTerms(terms, forms, MEMBER_FORMS)}
  ))`;
}

/** SQL for the words of a guest's searched texts, and for their letters joined without spaces. */
interface SearchedForms {
  words: RawBuilder<unknown>;
  joined: RawBuilder<unknown>;
}
const NAME_AND_PHONE_FORMS: SearchedForms & { text: RawBuilder<unknown> } = {
  text: sql`guests.search`,
  words: sql`guests.search_words`,
  joined: sql`guests.search_joined`,
};
/** Forms of the name alone, for callers who see no phone numbers: digits of a number must not find a guest. */
const NAME_FORMS: SearchedForms & { text: RawBuilder<unknown> } = {
  text: sql`guests.search`,
  words: sql`guest_search_words(guests.name, '{}')`,
  joined: sql`guests.search_joined`,
};
const MEMBER_FORMS: SearchedForms = { words: sql`guests.member_words`, joined: sql`guests.member_joined` };

/** SQL condition that is true if each term of the search is found in at least one of the columns. */
function allTerms(terms: readonly SearchTerm[], ...columns: readonly SearchedForms[]): RawBuilder<unknown> {
  const conditions = terms.map(({ inWords, inJoined }) => {
    const found = columns.flatMap(({ words, joined }) => [
      ...inWords.map((text) => sql`strpos(${words}, ${text}) > 0`),
      ...(inJoined === undefined ? [] : [sql`strpos(${joined}, ${inJoined}) > 0`]),
    ]);
    return sql`(${sql.join(found, sql` or `)})`;
  });
  return sql.join(conditions, sql` and `);
}

/** SQL condition for the guests that a request body selects by ids and filter. */
export function selectionCondition(
  eventId: string,
  { guest_ids, filter }: GuestSelection,
): RawBuilder<unknown> {
  const named = guest_ids && sql`and guests.id = any(${guest_ids}::uuid[])`;
  return sql`${filterCondition({ id: eventId, contacts: true }, filter)} ${named ?? sql``}`;
}

/** Ids in a request body that belong to no guest of the event. */
export async function findMissingIds(
  db: Kysely<unknown>,
  eventId: string,
  { guest_ids = [] }: Pick<GuestSelection, 'guest_ids'>,
): Promise<string[]> {
  if (guest_ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from guests where event_id = ${eventId} and id = any(${guest_ids}::uuid[])`.execute(db);
  const there = new Set(rows.map(({ id }) => id));
  return guest_ids.map((id) => id.toLowerCase()).filter((id) => !there.has(id));
}

/**
 * SQL condition for guests who answered yes or no. Guests on the waiting list are stored as pending, but said yes; a
 * maybe does not count.
 */
export const HAS_ANSWERED = sql<boolean>`(guests.rsvp_status <> 'pending' or guests.waiting_order is not null)`;

/**
 * SQL condition for guests who come with more people than their invitation says: the party, and the plus-ones that the
 * organizer allowed each guest or this guest.
 */
export const BRINGS_UNALLOWED = sql<boolean>`(
  guests.rsvp_status = 'confirmed' and guests.coming > guests.party_size
  and guests.coming > guests.party_size + coalesce(guests.max_plus_ones,
    (select plus_ones_each from rsvp_settings where rsvp_settings.event_id = guests.event_id), 0))`;

/**
 * Channels in which the server itself sends messages to guests. A guest for whom such a message is queued counts as
 * invited.
 */
const SENT_BY_US = ['mail', ...TEXT_CHANNELS];

/** SQL condition for guests who were sent an invitation or a reminder. */
export const WAS_INVITED = sql<boolean>`
  exists (
    select from round_guests join rounds on rounds.id = round_guests.round_id
    where round_guests.guest_id = guests.id and rounds.event_id = guests.event_id and rounds.asks_for_answer
      and (round_guests.status = 'written' or (round_guests.status = 'waiting' and rounds.channel = any(${SENT_BY_US}::text[])))
  )`;

function anyOf<T>(values: readonly T[], condition: (value: T) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${sql.join(values.map(condition), sql` or `)})`;
}

function statusCondition(status: NonNullable<GuestFilter['status']>[number]): RawBuilder<unknown> {
  if (status === 'waiting') return sql`guests.waiting_order is not null`;
  return status === 'maybe' ? sql`guests.maybe` : sql`guests.rsvp_status = ${status}`;
}

/** SQL condition for guests with allergies: of the party, or of a member who comes. */
export const HAS_ALLERGIES = sql<boolean>`(
  guests.allergies is not null
  or jsonb_path_exists(guests.members, '$[*] ? (@.coming == true && @.allergies != null)')
)`;

function dietCondition(diet: NonNullable<GuestFilter['diet']>[number]): RawBuilder<unknown> {
  return diet === 'allergies' ? HAS_ALLERGIES : sql`${sql.ref(`guests.${diet}`)} > 0`;
}

/**
 * Reads a page of all guests, or of guests with one status. Their total number is in the event's tally, so the page can
 * be read from the nearer end of an index.
 */
async function listAll(
  db: Kysely<unknown>,
  reader: GuestReader,
  filter: GuestFilter,
  order: GuestOrder,
  page: Page,
): Promise<{ guests: Guest[]; total: number }> {
  const counted = {
    confirmed: sql`rsvp_confirmed`,
    pending: sql`rsvp_pending`,
    declined: sql`rsvp_declined`,
    maybe: sql`maybe`,
    waiting: sql`waiting`,
    all: sql`rsvp_confirmed + rsvp_pending + rsvp_declined`,
  }[filter.status?.[0] ?? 'all'];
  const { forwards, backwards } = ORDERS[order];
  const ordered = {
    total: sql`select ${counted} as total from event_tallies where event_id = ${reader.id}`,
    ids: sql`select id from guests where ${filterCondition(reader, filter)}`,
    forwards,
    backwards,
  };
  const { rows } = await sql<GuestRow & { total: number }>`
    select span.total, ${guestColumns}
    from ${pageFromClause(ordered, page)}
    left join lateral (select * from guests where id = page.id limit 1) guests on true
    order by ${forwards}`.execute(db);
  return listed(rows);
}

/**
 * Reads a page of the guests that match a filter. One pass over the event's guests finds both the page and the total
 * (docs/decisions/0011-search.md). When ordered by name it reads only columns that are in the index of names.
 */
async function listFound(
  db: Kysely<unknown>,
  reader: GuestReader,
  filter: GuestFilter,
  order: GuestOrder,
  { limit, offset }: Page,
): Promise<{ guests: Guest[]; total: number }> {
  const { rows } = await sql<GuestRow & { total: number }>`
    with found as materialized (
      select id, ${ORDERS[order].by} from guests where ${filterCondition(reader, filter)}
    ), page as (
      select id, row_number() over (order by ${ORDERS[order].forwards}) as place
      from (select * from found order by ${ORDERS[order].forwards} limit ${limit} offset ${offset}) chosen
    )
    select counted.total, ${guestColumns}
    from (select count(*)::integer as total from found) counted
    left join page on true
    left join lateral (select * from guests where id = page.id limit 1) guests on true
    order by page.place`.execute(db);
  return listed(rows);
}

/** The query returns a single row, with only the total, if the requested page is after the last one. */
function listed(rows: (GuestRow & { total: number })[]): { guests: Guest[]; total: number } {
  const guests = rows.filter(({ id }) => id !== null).map(({ total: _, ...row }) => storedGuestOf(row).guest);
  return { guests, total: rows[0]?.total ?? 0 };
}
