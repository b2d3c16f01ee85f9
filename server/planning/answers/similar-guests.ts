import { type Kysely, type RawBuilder, sql } from 'kysely';
import { contactConditions } from '../guests/contacts.ts';
import { type GuestRequest, MATCHED_BY } from './contract.ts';

type Similar = GuestRequest['may_be'][number];

/** Maximum number of similar guests, and of similar requests, that are named beside a request. */
const MOST_NAMED = 5;

/**
 * Column that is compared to find similar guests and requests. Names that differ only in spelling or order have the
 * same key.
 */
const COLUMNS = { phone: sql.ref('phone'), email: sql.ref('email'), name: sql.ref('name_key') } as const;

// Each condition (same phone, email or name) is a query of its own that uses an index. A single condition with `or`
// would scan all rows.
const guests = MATCHED_BY.flatMap((by, rank) => {
  const value = sql`asked.${COLUMNS[by]}`;
  const conditions = by === 'name' ? [sql`guests.name_key = ${value}`] : contactConditions(by, value);
  return conditions.map((condition) =>
    found('guest', by, rank, sql`guests where ${condition}`, sql`guests.${COLUMNS[by]}, id`),
  );
});
const requests = MATCHED_BY.map((by, rank) => {
  const column = COLUMNS[by];
  const from = sql`guest_requests other where other.status = 'waiting' and other.id <> asked.id and other.${column} = asked.${column}`;
  return found('request', by, rank, from, sql`other.${column}, id`);
});

/**
 * Finds the guests and the other waiting requests with the same phone, email or name as some waiting requests. If the
 * organizer accepts a request, it becomes the answer of the guest who has the same phone or email.
 */
export async function findSimilar(
  db: Kysely<unknown>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Similar[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Similar & { asked: string }>`
    select asked.id as asked, matched.what, matched.id, matched.name, matched.by
    from guest_requests asked cross join lateral (
      select distinct on (what, id) * from (${sql.join([...guests, ...requests], sql` union all `)}) each
      order by what, id, rank
    ) matched
    where asked.id = any(${ids}::uuid[]) and asked.status = 'waiting'
    order by asked.id, matched.what, matched.rank, matched.id`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ asked }) => asked)].map(([asked, all]) => {
      const named = Map.groupBy(all, ({ what }) => what).values();
      return [asked, [...named].flatMap((of) => of.slice(0, MOST_NAMED).map(({ asked: _, ...one }) => one))];
    }),
  );
}

function found(
  what: Similar['what'],
  by: Similar['by'],
  rank: number,
  from: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select ${sql.lit(what)} as what, id, name, ${sql.lit(by)} as by, ${sql.lit(rank)} as rank
    from ${from} and event_id = asked.event_id order by ${order} limit ${sql.lit(MOST_NAMED)}
  )`;
}
