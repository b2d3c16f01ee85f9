import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Page } from '../paging.ts';

/** SQL for the rows of a list that is read page by page; `order` uses the names of `columns`. */
export interface PageSource {
  columns: RawBuilder<unknown>;
  /** SQL after the word `from`: the tables of the list, and the conditions for its rows. */
  from: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

/**
 * Page sizes that are part of the SQL, so that the database plans a prepared statement once, for this number of rows.
 * Other sizes are parameters: the database then assumes that a page has a tenth of the list, and plans again each time.
 */
const PLANNED_SIZES = [20, 50, 100];

function limitTo(size: number): RawBuilder<unknown> {
  return sql`limit ${PLANNED_SIZES.includes(size) ? sql.lit(size) : size}`;
}

/** Reads a page of a list, and the total number of its rows, in one statement, so that they agree. */
export async function pageOfRows<Row extends object>(
  db: Kysely<unknown>,
  { columns, from, order }: PageSource,
  { limit, offset }: { limit: number; offset: bigint },
): Promise<{ rows: Row[]; total: number }> {
  const { rows } = await sql<Row & { page_total: number; on_page: true | null }>`
    select counted.page_total, page.*
    from (select count(*)::integer as page_total from ${from}) counted
    left join (
      select ${columns}, true as on_page from ${from} order by ${order} ${limitTo(limit)} offset ${offset}
    ) page on true
    order by ${order}`.execute(db);
  // When the requested page is after the last one, the query returns a single row that has only the total.
  const found = rows.filter(({ on_page }) => on_page);
  return {
    rows: found.map(({ page_total: _, on_page: __, ...row }) => row as unknown as Row),
    total: rows[0]?.page_total ?? 0,
  };
}

/** List whose number of rows is stored, so that its rows need not be counted. */
export interface CountedRows {
  /** SQL query for `total`, the stored number of the list's rows. */
  total: RawBuilder<unknown>;
  /** SQL query for the `id` of each of the list's rows, without an order. */
  ids: RawBuilder<unknown>;
  forwards: RawBuilder<unknown>;
  backwards: RawBuilder<unknown>;
}

/**
 * Largest offset up to which a page is always read from the start. For larger offsets the page is read from the nearer
 * end.
 */
const NEAR = 1_000n;

/**
 * SQL after `from` to read a page of a list: `span.total` is the list's number of rows, `page.id` the id of each row of
 * the page, or null for a page after the last one. A page near the list's end is read backwards from the end, so that
 * the last page costs as much as the first. A single statement reads page and total, so that both belong to the same
 * moment.
 */
export function pageFromClause(
  { total, ids, forwards, backwards }: CountedRows,
  { limit, offset }: Omit<Page, 'page'>,
): RawBuilder<unknown> {
  if (offset <= NEAR) {
    return sql`(${total}) span
    left join lateral (${ids} order by ${forwards} ${limitTo(limit)} offset ${offset}) page on true`;
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
