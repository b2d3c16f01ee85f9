import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Time after which a gateway that has not been seen counts as gone. */
const GATEWAY_GONE = '10 seconds';

/** SQL condition: the gateway is running. Each server updates its row every few seconds. */
export const isRunningGateway: RawBuilder<unknown> = sql`seen_at > clock_timestamp() - ${GATEWAY_GONE}::interval`;

/** True if a server runs on this database. */
export async function isServed(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select from gateways where ${isRunningGateway}`.execute(db);
  return rows.length > 0;
}
