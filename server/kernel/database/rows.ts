import { type Kysely, type RawBuilder, sql } from 'kysely';
import { parameter } from './transaction.ts';

/** Pieces of SQL made from an object: every key is a column, so it must have no others, and none from a client. */
type Row = Readonly<Record<string, unknown>>;

/** `insert into … (…) values (…)`. */
export function insertInto(table: string, row: Row): RawBuilder<unknown> {
  return sql`insert into ${sql.table(table)} (${columnsOf(row)}) values (${sql.join(Object.values(row).map(parameter))})`;
}

/** The same, of which nothing comes unless `condition` holds. */
export function insertWhere(table: string, row: Row, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const values = Object.entries(row).map(([column, value]) => [column, parameter(value)]);
  const json = JSON.stringify(Object.fromEntries(values));
  return sql`insert into ${sql.table(table)} (${columnsOf(row)})
    select ${columnsOf(row)} from json_populate_record(null::${sql.table(table)}, ${json}::json)
    where ${condition}`;
}

/** Columns to read from a table, in their order; `readAs` says how, where that is not as they are. */
export function columnsRead(
  table: string,
  columns: readonly string[],
  readAs: Readonly<Record<string, RawBuilder<unknown>>> = {},
): RawBuilder<unknown> {
  return sql.join(
    columns.map((column) => {
      const read = readAs[column];
      return read ? sql`${read} as ${sql.ref(column)}` : sql.ref(`${table}.${column}`);
    }),
  );
}

/** What stands behind `set` in an update. */
export function assign(row: Row): RawBuilder<unknown> {
  return sql.join(
    Object.entries(row).map(([column, value]) => sql`${sql.ref(column)} = ${parameter(value)}`),
  );
}

/** `insert into … on conflict (…) do update`: the row takes the place of the one with the same `key`, but for `key`. */
export function putInto(table: string, key: Row, row: Row): RawBuilder<unknown> {
  const taken = Object.keys(row).map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
  return sql`${insertInto(table, { ...key, ...row })}
    on conflict (${columnsOf(key)}) do update set ${sql.join(taken)}`;
}

/** The columns of a table that are written, and not made by the database itself. */
export async function writtenColumns(db: Kysely<unknown>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
    order by attnum`.execute(db);
  return rows.map(({ name }) => name);
}

/** Inserts rows as `to_jsonb` made them of the same table. */
export async function insertAsWere(
  db: Kysely<unknown>,
  table: string,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = sql.join((await writtenColumns(db, table)).map((column) => sql.ref(column)));
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  );
}

function columnsOf(row: Row): RawBuilder<unknown> {
  return sql.join(Object.keys(row).map((column) => sql.ref(column)));
}
