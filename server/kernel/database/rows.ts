import { type Kysely, type RawBuilder, sql } from 'kysely';
import { constantSql } from './offline.ts';
import { toParameter } from './transaction.ts';

/** Columns and values of a row. Every key becomes a column in SQL, so keys must never come from a client. */
type Row = Readonly<Record<string, unknown>>;

/** SQL that inserts a row: `insert into … (…) values (…)`. */
export function insertInto(table: string, row: Row): RawBuilder<unknown> {
  return sql`insert into ${named(table)} (${columnsOf(row)}) values (${valuesOf(row)})`;
}

/** SQL that inserts a row if a query has one; `source` is what follows after `from` in the query. */
export function insertFrom(table: string, row: Row, source: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into ${named(table)} (${columnsOf(row)}) select ${valuesOf(row)} from ${source}`;
}

/** SQL that inserts a row only if `condition` holds: `insert into … select … where …`. */
export function insertWhere(table: string, row: Row, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const values = Object.entries(row).map(([column, value]) => [column, toParameter(value)]);
  const json = JSON.stringify(Object.fromEntries(values));
  return sql`insert into ${named(table)} (${columnsOf(row)})
    select ${columnsOf(row)} from json_populate_record(null::${named(table)}, ${json}::json)
    where ${condition}`;
}

/** SQL select list of a table's columns, in their order; `readAs` replaces a column by an expression. */
export function selectColumns(
  table: string,
  columns: readonly string[],
  readAs: Readonly<Record<string, RawBuilder<unknown>>> = {},
): RawBuilder<unknown> {
  return constantSql(
    sql.join(
      columns.map((column) => {
        const read = readAs[column];
        return read ? sql`${read} as ${sql.ref(column)}` : sql.ref(`${table}.${column}`);
      }),
    ),
  );
}

/** SQL assignments after `set` in an update, one for each column of `row`. */
export function assignColumns(row: Row): RawBuilder<unknown> {
  return eachValue(row, (column) => `${quoted(column)} = `);
}

/** SQL that inserts a row, or replaces the row with the same `key`: `insert into … on conflict (…) do update`. */
export function upsertInto(table: string, key: Row, row: Row): RawBuilder<unknown> {
  const assignments = Object.keys(row).map((column) => `${quoted(column)} = excluded.${quoted(column)}`);
  return sql`${insertInto(table, { ...key, ...row })}
    on conflict (${columnsOf(key)}) do update set ${sql.raw(assignments.join(', '))}`;
}

/** Columns of a table that hold written values and not values that the database generates. */
export async function writtenColumns(db: Kysely<unknown>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
    order by attnum`.execute(db);
  return rows.map(({ name }) => name);
}

/** Inserts rows from JSON, in the form that `to_jsonb` gave to rows of the same table. */
export async function insertJsonRows(
  db: Kysely<unknown>,
  table: string,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = sql.join((await writtenColumns(db, table)).map((column) => sql.ref(column)));
  await sql`
    insert into ${named(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${named(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  );
}

function columnsOf(row: Row): RawBuilder<unknown> {
  return sql.raw(Object.keys(row).map(quoted).join(', '));
}

function valuesOf(row: Row): RawBuilder<unknown> {
  return eachValue(row, () => '');
}

/**
 * SQL for each value of a row, with the text of its column before it and commas between. It is one part instead of one
 * for each value, since finding or compiling a statement takes longer with each part.
 */
function eachValue(row: Row, before: (column: string) => string): RawBuilder<unknown> {
  const texts = Object.keys(row).map((column, index) => (index === 0 ? '' : ', ') + before(column));
  return sql([...texts, ''] as unknown as TemplateStringsArray, ...Object.values(row).map(toParameter));
}

function named(table: string): RawBuilder<unknown> {
  return sql.raw(quoted(table));
}

function quoted(name: string): string {
  return `"${name}"`;
}
