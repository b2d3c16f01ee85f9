import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type GuestRequest, MATCHED_BY } from './contract.ts';

type Similar = GuestRequest['may_be'][number];

/** Maximum number of guests, and of requests, that are named. */
const MOST_NAMED = 5;

/** Condition for the same name. A guest's `search` begins with the name, so its index can be used. */
const OF_NAME = sql`
  guests.search >= asked.name_form and guests.search < asked.name_form || '!'
  and guest_search_form(guests.name) = asked.name_form`;

// Each condition is a query of its own that uses an index. A single condition with `or` would scan all rows.
const guests = MATCHED_BY.map((by, rank) => {
  const column = sql.ref(`guests.${by === 'name' ? 'search' : by}`);
  const same = by === 'name' ? OF_NAME : sql`${column} = asked.${sql.ref(by)}`;
  return found('guest', by, rank, sql`guests where ${same}`, sql`${column}, id`);
});
const requests = MATCHED_BY.map((by, rank) => {
  const column = sql.ref(by === 'name' ? 'name_form' : by);
  const from = sql`guest_requests other where other.status = 'waiting' and other.id <> asked.id and other.${column} = asked.${column}`;
  return found('request', by, rank, from, sql`other.${column}, id`);
});

/**
 * Finds the guests and the other waiting requests with the same phone, email or name as some waiting requests. An
 * accepted request answers for the guest who has its phone or email.
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
