import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Which rows there are to read, `order` by the names of `columns`. */
export interface Source {
  columns: RawBuilder<unknown>;
  /** What stands behind `from`, with its conditions. */
  from: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

/** A page of rows, and how many there are in all; both in one statement, so that they agree. */
export async function pageOfRows<Row extends object>(
  db: Kysely<unknown>,
  { columns, from, order }: Source,
  { limit, offset }: { limit: number; offset: bigint },
): Promise<{ rows: Row[]; total: number }> {
  const { rows } = await sql<Row & { page_total: number; on_page: true | null }>`
    select counted.page_total, page.*
    from (select count(*)::integer as page_total from ${from}) counted
    left join (
      select ${columns}, true as on_page from ${from} order by ${order} limit ${limit} offset ${offset}
    ) page on true
    order by ${order}`.execute(db);
  // Past the last page the join leaves one row that carries the total alone.
  const found = rows.filter(({ on_page }) => on_page);
  return {
    rows: found.map(({ page_total: _, on_page: __, ...row }) => row as unknown as Row),
    total: rows[0]?.page_total ?? 0,
  };
}
