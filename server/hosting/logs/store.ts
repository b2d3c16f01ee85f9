import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { toParameter } from '../../kernel/database/transaction.ts';

/** Lines to be appended to a log. A retry sends the same chunk, so that it is appended only once. */
export interface Chunk {
  log_id: string;
  chunk_id: string;
  /** Number of log lines in `text`, where a newline ends each line. */
  lines: number;
  text: string;
  /** True if no more lines will follow in the log. */
  ended: boolean;
  /** Number of the lease term in which the writer holds the lease; null if any server may write. */
  generation: number | null;
}

export interface Appended {
  log_id: string;
  /**
   * Result of appending log lines. `later`: the log's row is locked, so try again. `refused`: the log does not exist
   * any more, has ended, or another server holds the lease.
   */
  outcome: 'written' | 'later' | 'refused';
  /** True if the log is larger than its size limit, so that its oldest lines should be removed. */
  overflows: boolean;
}

export interface LoggedLine {
  /** Number of the line in its log, starting at 1. */
  id: number;
  line: string;
}

export interface State {
  /** Number of the log's newest line. */
  head: number;
  /** Stored size of the log, in bytes. */
  bytes: number;
  ended: boolean;
}

export interface Page extends Pick<State, 'head' | 'ended'> {
  lines: LoggedLine[];
}

/** Channel on which servers notify each other of logs with new lines. */
export const LOG_CHANNEL = 'simcha_logs';

/** Size limits of a site's log and of its access log. */
const MOST_SITE_BYTES = 2 * 2 ** 20;
const MOST_ACCESS_BYTES = 8 * 2 ** 20;
/** Size by which a log falls below its limit when its oldest lines are pruned. */
const PRUNED_BYTES = 2 ** 19;
/** Storage overhead of a row with log lines, in bytes. */
const ROW_BYTES = 100;
const PAGE_BYTES = 2 ** 18;
const PAGE_CHUNKS = 500;
/** Largest expected difference between a server's clock, which gives lines their times, and the database's. */
const CLOCKS_DIFFER = { minutes: 1 };

/** Size limit of a row of `logs`; null for logs that end by themselves. */
const mostBytes = sql`
  case when logs.environment_id is not null then ${sql.lit(MOST_SITE_BYTES)}
    when logs.access_environment_id is not null then ${sql.lit(MOST_ACCESS_BYTES)} end`;

const size = sql`octet_length(text) + ${sql.lit(ROW_BYTES)}`;

/** Appends chunks of lines to logs, at most one chunk for each log, without waiting for locks. */
export async function appendChunks(db: Kysely<unknown>, chunks: readonly Chunk[]): Promise<Appended[]> {
  const { rows } = await sql<Appended>`
    with batch as materialized (
      select * from json_to_recordset(${JSON.stringify(chunks)}::json)
        as chunk (log_id uuid, chunk_id uuid, lines integer, text text, ended boolean, generation bigint)
    ), late as materialized (
      select batch.log_id from batch left join logs using (log_id)
      where logs.log_id is null or logs.ended or batch.generation < (select generation from hosting_lease)
    ), free as materialized (
      select logs.log_id from logs where log_id in (select log_id from batch) for no key update skip locked
    ), grown as (
      update logs set
        lines = logs.lines + batch.lines,
        bytes = logs.bytes + case when batch.lines > 0 then octet_length(batch.text) + ${sql.lit(ROW_BYTES)} else 0 end,
        last_chunk = batch.chunk_id,
        ended = logs.ended or batch.ended
      from batch join free using (log_id)
      where logs.log_id = batch.log_id and logs.last_chunk is distinct from batch.chunk_id
        and not logs.ended and batch.log_id not in (select log_id from late)
      returning logs.log_id, logs.lines - batch.lines + 1 as first_line, logs.lines as last_line, batch.text,
        logs.bytes > ${mostBytes} as overflows
    ), written as (
      insert into log_chunks (log_id, first_line, last_line, text)
      select log_id, first_line, last_line, text from grown where last_line >= first_line
    )
    select batch.log_id, coalesce(grown.overflows, false) as overflows,
      case when grown.log_id is not null or before.last_chunk = batch.chunk_id then 'written'
        when late.log_id is not null then 'refused' else 'later' end as outcome,
      case when grown.log_id is not null then pg_notify(${LOG_CHANNEL}, grown.log_id::text)::text end as told
    from batch left join logs as before using (log_id) left join grown using (log_id)
      left join late using (log_id)`.execute(db);
  return rows;
}

/** Marks a log as ended. Those who follow it are notified when the transaction `through` commits. */
export async function endLog(through: Kysely<unknown>, logId: string): Promise<void> {
  await sql`
    with ended as (update logs set ended = true where log_id = ${logId} returning log_id)
    select pg_notify(${LOG_CHANNEL}, log_id::text) from ended`.execute(through);
}

/**
 * Removes the oldest chunks of a log that exceeds its limit. The log's row is locked before its chunks, in the same
 * order as for its deletion.
 */
export async function pruneLog(db: Kysely<unknown>, logId: string): Promise<void> {
  await sql`
    with held as materialized (
      select log_id, ${mostBytes} - ${sql.lit(PRUNED_BYTES)} as kept from logs where log_id = ${logId}
      for no key update
    ), aged as (
      select last_line, kept, sum(${size}) over (order by last_line desc) as total
      from held join log_chunks using (log_id)
    ), gone as (
      delete from log_chunks using aged
      where log_chunks.log_id = ${logId} and log_chunks.last_line = aged.last_line
        and aged.total > aged.kept
      returning ${size} as bytes
    )
    update logs set bytes = bytes - (select coalesce(sum(bytes), 0) from gone) where log_id = ${logId}`.execute(
    db,
  );
}

/** Removes the lines of access logs that were written before `limit`. */
export async function forgetOldAccess(db: Kysely<unknown>, limit: Temporal.Instant): Promise<void> {
  const written = toParameter(limit);
  await sql`
    with held as materialized (
      select log_id from logs where access_environment_id is not null and exists (
        select from log_chunks where log_chunks.log_id = logs.log_id and written_at < ${written}
      ) for no key update
    ), gone as (
      delete from log_chunks using held where log_chunks.log_id = held.log_id and written_at < ${written}
      returning log_chunks.log_id, ${size} as bytes
    )
    update logs set bytes = logs.bytes - old.bytes
    from (select log_id, sum(bytes) as bytes from gone group by log_id) as old
    where logs.log_id = old.log_id`.execute(db);
}

/** Makes the space of deleted log chunks reusable. Must not run in a transaction. */
export async function reclaimSpace(db: Kysely<unknown>): Promise<void> {
  await sql`vacuum log_chunks`.execute(db);
}

/** State of a log; a deleted log counts as ended. */
export async function stateOf(db: Kysely<unknown>, logId: string): Promise<State> {
  const { rows } = await sql<State>`
    select lines::float8 as head, bytes::float8 as bytes, ended from logs where log_id = ${logId}`.execute(
    db,
  );
  return rows[0] ?? GONE;
}

const GONE: State = { head: 0, bytes: 0, ended: true };

/** Lines of a log after the line with the number `after`, as many as fit on one page. */
export async function pageAfter(db: Kysely<unknown>, logId: string, after: number): Promise<Page> {
  const { rows } = await sql<Omit<Page, 'lines'> & ChunkRow>`
    select logs.lines::float8 as head, logs.ended, chunks.first_line::float8 as first_line, chunks.text
    from logs left join lateral (
      select first_line, text, sum(octet_length(text)) over (order by last_line) - octet_length(text) as before
      from log_chunks where log_chunks.log_id = logs.log_id and last_line > ${after}
      order by last_line limit ${sql.lit(PAGE_CHUNKS)}
    ) as chunks on chunks.before < ${sql.lit(PAGE_BYTES)}
    where logs.log_id = ${logId}
    order by chunks.first_line`.execute(db);
  const [first] = rows;
  if (!first) return { head: GONE.head, ended: GONE.ended, lines: [] };
  return { head: first.head, ended: first.ended, lines: linesOf(rows).filter(({ id }) => id > after) };
}

/** Newest lines of a log, at most `most`, of those after the line with the number `after`. */
export async function newestLines(
  db: Kysely<unknown>,
  logId: string,
  { most, after = 0 }: { most: number; after?: number },
): Promise<LoggedLine[]> {
  const { rows } = await sql<ChunkRow>`
    select first_line::float8 as first_line, text from log_chunks
    where log_id = ${logId} and last_line > ${after}
      and last_line > (select lines from logs where log_id = ${logId}) - ${most}
    order by last_line`.execute(db);
  return linesOf(rows)
    .filter(({ id }) => id > after)
    .slice(-most);
}

/**
 * Number of the last line before the first line of the time `since` or later; the newest line's number if the log has
 * no such line. Each line begins with its time (toTimestamp), so times compare as text.
 */
export async function lineBefore(
  db: Kysely<unknown>,
  logId: string,
  since: Temporal.Instant,
): Promise<number> {
  const time = toTimestamp(since);
  const { rows } = await sql<{ line: number }>`
    select coalesce((
      select first_line + lines.number - 2
      from log_chunks, string_to_table(text, ${'\n'}) with ordinality as lines(line, number)
      where log_id = ${logId} and written_at >= ${toParameter(since.subtract(CLOCKS_DIFFER))}
        and left(lines.line, ${sql.lit(time.length)}) collate "C" >= ${time}
      order by last_line, lines.number limit 1
    ), (select lines from logs where log_id = ${logId}), 0)::float8 as line`.execute(db);
  return rows[0]?.line ?? 0;
}

interface ChunkRow {
  first_line: number | null;
  text: string | null;
}

function linesOf(rows: readonly ChunkRow[]): LoggedLine[] {
  return rows.flatMap(({ first_line, text }) =>
    first_line === null || text === null
      ? []
      : text
          .split('\n')
          .slice(0, -1)
          .map((line, i) => ({ id: first_line + i, line })),
  );
}
