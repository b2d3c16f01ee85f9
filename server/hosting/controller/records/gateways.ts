import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Time in which a running server updates its row in the table `gateways` several times. */
const GONE_MS = 10_000;

/** SQL condition: the gateway has updated its row within `goneMs`. Each server does so every few seconds. */
export function isRunningGateway(goneMs: number): RawBuilder<unknown> {
  return sql`seen_at > clock_timestamp() - ${goneMs} * interval '1 millisecond'`;
}

/** True if a server runs on this database. */
export async function isServed(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select from gateways where ${isRunningGateway(GONE_MS)}`.execute(db);
  return rows.length > 0;
}
