import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import { newId } from '../../kernel/identifiers.ts';

/** Number of webhook deliveries remembered per push hook. */
const DELIVERIES_KEPT = 1_000;

/**
 * Records that a webhook delivery of a push hook was received, and returns its id. Undefined if the delivery was
 * recorded before, or if the application does not exist.
 */
export async function recordDelivery(
  transaction: Kysely<unknown>,
  uuid: string,
  digest: Buffer,
  now: Temporal.Instant,
): Promise<string | undefined> {
  const id = newId();
  const { numAffectedRows = 0n } = await sql`
    insert into hook_deliveries (application_uuid, digest, taken_at, delivery_id)
    select application_uuid, ${digest}::bytea, ${toParameter(now)}::timestamptz, ${id}::uuid from applications
    where application_uuid = ${uuid} for key share
    on conflict do nothing`.execute(transaction);
  if (numAffectedRows === 0n) return undefined;
  await sql`
    delete from hook_deliveries where application_uuid = ${uuid} and taken_at < (
      select taken_at from hook_deliveries where application_uuid = ${uuid}
      order by taken_at desc limit 1 offset ${DELIVERIES_KEPT - 1})`.execute(transaction);
  return id;
}
