import { type RawBuilder, sql } from 'kysely';

/** SQL expressions that count an event's guests, in total and by tag. */

export const IS_COMING = sql`guests.rsvp_status = 'confirmed'`;

/**
 * SQL for the number of people who come with a guest. A confirmed guest counts as at least one person, even if the row
 * says 0.
 */
export const PEOPLE_COMING = sql`case when ${IS_COMING} then greatest(guests.coming, 1) else 0 end`;

/**
 * SQL columns that count guests, invited people and coming people, over rows with a guest's `party_size` and `people`.
 */
export const COUNT_COLUMNS = sql`
  count(*)::integer as guests, coalesce(sum(party_size), 0)::integer as invited,
  coalesce(sum(people), 0)::integer as people`;

/** Counts guests by tag. Guests without a tag are counted under null, guests with several tags under each of them. */
export function countsByTag(counts: RawBuilder<unknown>, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select tag, ${counts} from ${rows} left join lateral unnest(tags) as tag on true group by tag`;
}

export const MOST_GUESTS_FIRST = sql`guests desc, tag`;
