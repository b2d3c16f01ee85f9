import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Engine } from './engine.ts';

// From the embedded database into a PostgreSQL with the same schema. What there is says the catalogue: a table that comes
// to the schema comes along.

/** Of rows that are read at once; a single one may be longer. */
const BATCH_BYTES = 2 ** 20;
/** Of each row, beside what its columns have. */
const ROW_BYTES = 32;

export interface Table {
  /** As SQL has it: with its schema where a session would not find it otherwise. */
  name: string;
  /** Those that are written, and not made by the database itself. */
  columns: string[];
  /** SQL for about how many bytes a row has once it is read. */
  size: string;
  /** What its rows are in: itself, or its partitions. */
  parts: string[];
}

/** Every table but those `without`. */
export async function tablesOf(source: Engine, without: readonly string[]): Promise<Table[]> {
  // What octet_length says of a text is its length; pg_column_size says what it was compressed to.
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

/** Which of the tables are there and have rows. */
export async function filledOf(target: pg.ClientBase, tables: readonly Table[]): Promise<string[]> {
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
 * Copies all rows of the tables into those of `target`, in one transaction of its: whole or nothing. Nobody else writes
 * there meanwhile, from before `first`, which throws where they are not to be copied. Gives how many rows there are.
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
    await withoutTimeouts(target);
    await target.query(`lock table ${names.join(', ')} in exclusive mode`);
    await first();
    const keys = await foreignKeysOf(target, names);
    const order = parentsFirst(names, keys);
    const awake = [await withoutTriggers(target, names), await withLateKeys(target, order, keys)];
    for (const name of order) {
      const table = tables.find((one) => one.name === name);
      if (table) await copyRows(source, target, table);
    }
    // A table whose rows are still to be checked can't be altered.
    await target.query('set constraints all immediate');
    for (const statement of awake.flat()) await target.query(statement);
    await restartSequences(source, target);
    const rows = await countedAlike(source, target, names);
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

/** The database, or the user, may have some that are meant for requests. */
async function withoutTimeouts(target: pg.ClientBase): Promise<void> {
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
  /** The table that has it: the child, or a partition of it. */
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

/** An order in which each comes after all that it refers to, but for one where they go around a circle. */
export function parentsFirst(names: readonly string[], keys: readonly ForeignKey[]): string[] {
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

/** Keys of a table to itself, or around a circle, are checked when all is there. Gives the statements that undo it. */
async function withLateKeys(
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

/** They have done their work on these rows already: counted them, opened their logs, told of them. Gives what undoes it. */
async function withoutTriggers(target: pg.ClientBase, names: readonly string[]): Promise<string[]> {
  const { rows } = await target.query<{ of: string; name: string }>(
    `select tgrelid::regclass::text as of, quote_ident(tgname) as name from pg_trigger
     where not tgisinternal and tgparentid = 0 and tgenabled = 'O'
       and coalesce(pg_partition_root(tgrelid), tgrelid) = any($1::text[]::regclass[])`,
    [names],
  );
  for (const { of, name } of rows) await target.query(`alter table ${of} disable trigger ${name}`);
  return rows.map(({ of, name }) => `alter table ${of} enable trigger ${name}`);
}

/** As PostgreSQL writes values for itself: text, from which each comes out as it was. */
async function copyRows(source: Engine, target: pg.ClientBase, table: Table): Promise<void> {
  const copy = copyFrom(`copy ${table.name} (${table.columns.join(', ')}) from stdin`);
  await pipeline(Readable.from(batchesOf(source, table)), target.query(copy));
}

async function* batchesOf(source: Engine, { columns, size, parts }: Table): AsyncGenerator<Buffer> {
  for (const part of parts) {
    // Rows stay where they are: nobody else has the database.
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

/** Each goes on behind the last number that it gave; with `setval` it would do so even where this is rolled back. */
async function restartSequences(source: Engine, target: pg.ClientBase): Promise<void> {
  const { rows } = await source.query<{ name: string; next: string }>(
    `select seqrelid::regclass::text as name, (pg_sequence_last_value(seqrelid) + seqincrement)::text as next
     from pg_sequence where pg_sequence_last_value(seqrelid) is not null`,
  );
  for (const { name, next } of rows) await target.query(`alter sequence ${name} restart with ${next}`);
}

async function countedAlike(
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
