import { type Kysely, type RawBuilder, sql } from 'kysely';
import { writtenColumns } from '../../kernel/database/rows.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { COPIED_TABLES, type Copy, idInCopy } from './tables.ts';

/** Copies the rows that belong to an event to another event, both locked. Returns the number of rows by table. */
export async function copyEventRows(
  transaction: Kysely<unknown>,
  copy: Copy,
  now: Temporal.Instant,
): Promise<Record<string, number>> {
  const copied: Record<string, number> = {};
  for (const { table, of, ids = [], instead, asOne, isCopied } of COPIED_TABLES) {
    if (isCopied && !isCopied(copy)) continue;
    const columns = await writtenColumns(transaction, table);
    const own: Record<string, RawBuilder<unknown>> = {
      event_id: sql`${copy.to}::uuid`,
      version: sql`1`,
      created_at: sql`${toParameter(now)}::timestamptz`,
      updated_at: sql`${toParameter(now)}::timestamptz`,
      ...Object.fromEntries(ids.map((id) => [id, idInCopy(copy, id)])),
      ...instead?.(copy),
    };
    const { numAffectedRows = 0n } = await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      select ${sql.join(columns.map((column) => own[column] ?? sql.ref(column)))}
      from ${sql.table(table)} where ${of?.(copy) ?? sql`event_id = ${copy.from}`}`.execute(transaction);
    copied[table] = asOne && numAffectedRows > 0n ? 1 : Number(numAffectedRows);
  }
  return copied;
}
