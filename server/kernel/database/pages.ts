import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Page } from '../paging.ts';

/** Rows to read; `order` uses the names of `columns`. */
export interface PageSource {
  columns: RawBuilder<unknown>;
  /** SQL after `from`, with its conditions. */
  from: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

/** Reads a page of rows and the total number in one statement, so that they agree. */
export async function pageOfRows<Row extends object>(
  db: Kysely<unknown>,
  { columns, from, order }: PageSource,
  { limit, offset }: { limit: number; offset: bigint },
): Promise<{ rows: Row[]; total: number }> {
  const { rows } = await sql<Row & { page_total: number; on_page: true | null }>`
    select counted.page_total, page.*
    from (select count(*)::integer as page_total from ${from}) counted
    left join (
      select ${columns}, true as on_page from ${from} order by ${order} limit ${limit} offset ${offset}
    ) page on true
    order by ${order}`.execute(db);
  // Past the last page the join leaves one row that has only the total.
  const found = rows.filter(({ on_page }) => on_page);
  return {
    rows: found.map(({ page_total: _, on_page: __, ...row }) => row as unknown as Row),
    total: rows[0]?.page_total ?? 0,
  };
}

/** Rows whose number is stored somewhere, so that they need not be counted. */
export interface CountedRows {
  /** Query for `total`, the stored number of rows. */
  total: RawBuilder<unknown>;
  /** Query for the rows' `id`, without an order. */
  ids: RawBuilder<unknown>;
  forwards: RawBuilder<unknown>;
  backwards: RawBuilder<unknown>;
}

/** Up to this offset, rows are skipped from the start without comparing with the distance from the end. */
const NEAR = 1_000n;

/**
 * SQL after `from` to read a page: `span.total`, and `page.id`, null past the last page. A far page is read from the
 * nearer end, so that the last page costs what the first one does; one statement, so that the page and the total belong
 * to the same moment.
 */
export function pageFromClause(
  { total, ids, forwards, backwards }: CountedRows,
  { limit, offset }: Omit<Page, 'page'>,
): RawBuilder<unknown> {
  if (offset <= NEAR) {
    return sql`(${total}) span
    left join lateral (${ids} order by ${forwards} limit ${limit} offset ${offset}) page on true`;
  }
  return sql`(
      select total, take, behind < ahead as is_backwards, least(ahead, behind) as passed_over
      from (
        select total, take, ahead, total - ahead - take as behind
        from (
          select total, least(${offset}::bigint, total) as ahead,
            least(${limit}::bigint, total - least(${offset}::bigint, total)) as take
          from (${total}) counted
        ) cut
      ) placed
    ) span
    left join lateral (
      select id from (
        (${ids} order by ${forwards}
          limit case when span.is_backwards then 0 else span.take end offset span.passed_over)
        union all
        (${ids} order by ${backwards}
          limit case when span.is_backwards then span.take else 0 end offset span.passed_over)
      ) nearer
      limit ${limit}
    ) page on true`;
}
