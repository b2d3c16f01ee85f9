import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Engine } from './engine.ts';

// Copies the embedded database into a PostgreSQL with the same schema. The list of tables comes from the system
// catalogue, so a new table needs no change here.

/** Maximum size, in bytes, of the rows that are read at once when a database is moved; one row may be longer. */
const BATCH_BYTES = 2 ** 20;
/** Bytes that a row needs in addition to its columns; the size of a batch of rows is estimated with them. */
const ROW_BYTES = 32;

export interface Table {
  /** Name of the table in SQL. It includes the schema if a session would not find the table otherwise. */
  name: string;
  /** Columns of the table that hold written values and not values that the database generates. */
  columns: string[];
  /** SQL expression for the approximate size of one of the table's rows, in bytes, once it is read. */
  size: string;
  /** Relations that hold the table's rows: the table itself, or its partitions. */
  parts: string[];
}

/** Lists all tables of the database except the tables in `without`. */
export async function listTables(source: Engine, without: readonly string[]): Promise<Table[]> {
  // The size of a text is measured by octet_length: pg_column_size would give the compressed size.
  const { rows } = await source.query<Table>(
    `select tables.oid::regclass::text as name,
       array_agg(quote_ident(attname) order by attnum) as columns,
       string_agg(format('coalesce(%s(%I), 0)', case
         when atttypid in ('text'::regtype, 'varchar'::regtype, 'bytea'::regtype) then 'octet_length'
         else 'pg_column_size' end, attname), ' + ') as size,
       case relkind
         when 'p' then array(select relid::text from pg_partition_tree(tables.oid) where isleaf)
         else array[tables.oid::regclass::text] end as parts
     from pg_class tables
     join pg_namespace on pg_namespace.oid = relnamespace
     join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where relkind in ('r', 'p') and not relispartition and nspname !~ '^pg_' and nspname <> 'information_schema'
       and tables.oid::regclass::text <> all($1::text[])
     group by tables.oid order by name`,
    [without],
  );
  return rows;
}

/** Names of the tables that have rows in the target database. */
export async function listFilledTables(target: pg.ClientBase, tables: readonly Table[]): Promise<string[]> {
  const { rows } = await target.query<{ name: string }>(
    'select name from unnest($1::text[]) name where to_regclass(name) is not null',
    [namesOf(tables)],
  );
  const filled: string[] = [];
  for (const { name } of rows) {
    const first = await target.query(`select from ${name} limit 1`);
    if (first.rows.length > 0) filled.push(name);
  }
  return filled;
}

/**
 * Copies all rows of the tables into those of `target`, in one transaction: all or nothing. The tables are first locked
 * against other writers; then `first` runs, which can throw to prevent the copy. Returns the number of rows.
 */
export async function moveRows(
  source: Engine,
  target: pg.ClientBase,
  tables: readonly Table[],
  first: () => Promise<void>,
): Promise<bigint> {
  const names = namesOf(tables);
  await target.query('begin');
  try {
    await disableTimeouts(target);
    await target.query(`lock table ${names.join(', ')} in exclusive mode`);
    await first();
    const keys = await foreignKeysOf(target, names);
    const order = orderParentsFirst(names, keys);
    const awake = [await disableTriggers(target, names), await deferForeignKeys(target, order, keys)];
    for (const name of order) {
      const table = tables.find((one) => one.name === name);
      if (table) await copyRows(source, target, table);
    }
    // PostgreSQL refuses to alter a table whose rows still have checks pending.
    await target.query('set constraints all immediate');
    for (const statement of awake.flat()) await target.query(statement);
    await restartSequences(source, target);
    const rows = await compareRowCounts(source, target, names);
    await target.query('commit');
    return rows;
  } catch (error) {
    await target.query('rollback').catch(() => {});
    throw error;
  }
}

function namesOf(tables: readonly Table[]): string[] {
  return tables.map(({ name }) => name);
}

/**
 * Switches off timeouts that the target database or its user may have set for requests, because copying takes longer.
 */
async function disableTimeouts(target: pg.ClientBase): Promise<void> {
  await target.query(
    `select set_config(name, '0', true) from pg_settings where name in
       ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  );
}

export interface ForeignKey {
  child: string;
  parent: string;
}

interface Constraint extends ForeignKey {
  name: string;
  /** Table that has the foreign key: the table that refers to another, or one of its partitions. */
  of: string;
  deferrable: boolean;
}

async function foreignKeysOf(target: pg.ClientBase, names: readonly string[]): Promise<Constraint[]> {
  const { rows } = await target.query<Constraint>(
    `select quote_ident(conname) as name, conrelid::regclass::text as of, condeferrable as deferrable,
       coalesce(pg_partition_root(conrelid), conrelid)::regclass::text as child,
       coalesce(pg_partition_root(confrelid), confrelid)::regclass::text as parent
     from pg_constraint
     where contype = 'f' and conparentid = 0
       and coalesce(pg_partition_root(conrelid), conrelid) = any($1::text[]::regclass[])`,
    [names],
  );
  return rows;
}

/** Orders tables so that each comes after all tables that it refers to; a cycle is broken at one of its tables. */
export function orderParentsFirst(names: readonly string[], keys: readonly ForeignKey[]): string[] {
  const left = new Set(names);
  const order: string[] = [];
  const waits = (name: string) =>
    keys.some(({ child, parent }) => child === name && parent !== name && left.has(parent));
  while (left.size > 0) {
    const ready = [...left].filter((name) => !waits(name));
    for (const name of ready.length > 0 ? ready : [...left].slice(0, 1)) {
      left.delete(name);
      order.push(name);
    }
  }
  return order;
}

/**
 * Defers foreign keys that refer to their own table, or that are part of a cycle, until all rows are copied. Returns
 * the statements that undo this.
 */
async function deferForeignKeys(
  target: pg.ClientBase,
  order: readonly string[],
  keys: readonly Constraint[],
): Promise<string[]> {
  const late = keys.filter(
    ({ child, parent, deferrable }) => !deferrable && order.indexOf(parent) >= order.indexOf(child),
  );
  const alter = ({ of, name }: Constraint, how: string) =>
    `alter table ${of} alter constraint ${name} ${how}`;
  for (const key of late) await target.query(alter(key, 'deferrable'));
  await target.query('set constraints all deferred');
  return late.map((key) => alter(key, 'not deferrable'));
}

/**
 * Disables the triggers of the target's tables: they have already done their work when the rows were first written
 * (counted them, opened their logs, sent notifications). Returns the statements that undo this.
 */
async function disableTriggers(target: pg.ClientBase, names: readonly string[]): Promise<string[]> {
  const { rows } = await target.query<{ of: string; name: string }>(
    `select tgrelid::regclass::text as of, quote_ident(tgname) as name from pg_trigger
     where not tgisinternal and tgparentid = 0 and tgenabled = 'O'
       and coalesce(pg_partition_root(tgrelid), tgrelid) = any($1::text[]::regclass[])`,
    [names],
  );
  for (const { of, name } of rows) await target.query(`alter table ${of} disable trigger ${name}`);
  return rows.map(({ of, name }) => `alter table ${of} enable trigger ${name}`);
}

/** Copies a table's rows in PostgreSQL's own text format, which keeps every value unchanged. */
async function copyRows(source: Engine, target: pg.ClientBase, table: Table): Promise<void> {
  const copy = copyFrom(`copy ${table.name} (${table.columns.join(', ')}) from stdin`);
  await pipeline(Readable.from(batchesOf(source, table)), target.query(copy));
}

async function* batchesOf(source: Engine, { columns, size, parts }: Table): AsyncGenerator<Buffer> {
  for (const part of parts) {
    // Batches of rows to copy are ranges of row positions (ctid). The positions stay the same, because nobody else uses
    // the database.
    const { rows: batches } = await source.query<{ first: string; last: string }>(
      `select min(place)::text as first, max(place)::text as last from (
         select ctid as place, sum(${size} + ${ROW_BYTES}) over (order by ctid)::bigint / ${BATCH_BYTES} as batch
         from only ${part}
       ) placed
       group by batch order by batch`,
    );
    for (const { first, last } of batches) {
      const { blob } = await source.query(
        `copy (select ${columns.join(', ')} from only ${part} where ctid between '${first}' and '${last}') to '/dev/blob'`,
      );
      if (blob) yield Buffer.from(await blob.arrayBuffer());
    }
  }
}

/**
 * Sets each sequence of the target database to continue after its last number. `setval` is not transactional: its
 * effect stays even after a rollback.
 */
async function restartSequences(source: Engine, target: pg.ClientBase): Promise<void> {
  const { rows } = await source.query<{ name: string; next: string }>(
    `select seqrelid::regclass::text as name, (pg_sequence_last_value(seqrelid) + seqincrement)::text as next
     from pg_sequence where pg_sequence_last_value(seqrelid) is not null`,
  );
  for (const { name, next } of rows) await target.query(`alter sequence ${name} restart with ${next}`);
}

async function compareRowCounts(
  source: Engine,
  target: pg.ClientBase,
  names: readonly string[],
): Promise<bigint> {
  let all = 0n;
  for (const name of names) {
    const count = `select count(*)::text as count from ${name}`;
    const here = (await source.query<{ count: string }>(count)).rows[0]?.count;
    const there = (await target.query<{ count: string }>(count)).rows[0]?.count;
    if (here === undefined || here !== there) {
      throw new Error(`the table ${name} has ${here} rows, and ${there} came over`);
    }
    all += BigInt(here);
  }
  return all;
}
