import { type RawBuilder, sql } from 'kysely';

/** How guests are counted, in all and by tag. */

export const COMES = sql`guests.rsvp_status = 'confirmed'`;

/** Who comes with a guest. A confirmed guest is at least one, whoever wrote the row. */
export const PEOPLE = sql`case when ${COMES} then greatest(guests.coming, 1) else 0 end`;

/** Of rows with a guest's `party_size` and `people`. */
export const COUNTED = sql`
  count(*)::integer as guests, coalesce(sum(party_size), 0)::integer as invited,
  coalesce(sum(people), 0)::integer as people`;

/** What is counted of rows with `tags`, for each tag; null is that of who has none, and whoever has several is counted in each. */
export function byTag(counts: RawBuilder<unknown>, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select tag, ${counts} from ${rows} left join lateral unnest(tags) as tag on true group by tag`;
}

export const MOST_GUESTS_FIRST = sql`guests desc, tag`;
