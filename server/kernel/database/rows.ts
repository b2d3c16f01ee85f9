import { type RawBuilder, sql } from 'kysely';
import { parameter } from './transaction.ts';

/** Pieces of SQL made from an object: every key is a column, so it must have no others, and none from a client. */
type Row = Readonly<Record<string, unknown>>;

/** `insert into … (…) values (…)`. */
export function insertInto(table: string, row: Row): RawBuilder<unknown> {
  return sql`insert into ${sql.table(table)} (${columnsOf(row)}) values (${sql.join(Object.values(row).map(parameter))})`;
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

function columnsOf(row: Row): RawBuilder<unknown> {
  return sql.join(Object.keys(row).map((column) => sql.ref(column)));
}
