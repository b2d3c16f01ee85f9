import { type Database, isUnavailable } from '../../kernel/database/database.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import { messages } from './messages.ts';
import { appendChunks, type Chunk, pruneLog, reclaimSpace } from './store.ts';

/** Time between two statements. */
const FLUSH_MS = 100;
/** Time between two attempts while the database is unavailable. */
const RETRY_MS = 1_000;
/** Attempts to write chunks that the database refuses for another reason; afterwards they are left out. */
const MOST_TRIES = 3;
/** Size limits for one chunk and for one statement, in UTF-16 code units. */
const CHUNK_UNITS = 2 ** 16;
const STATEMENT_UNITS = 2 ** 18;
/** Limits for lines waiting in memory, for one log and for all, in UTF-16 code units. */
const MOST_WAITING = 2 ** 20;
const MOST_WAITING_IN_ALL = 2 ** 25;

/** Number of prunings (half a MiB each) after which space is reclaimed. */
const PRUNES_TO_RECLAIM = 8;

interface Waiting {
  lines: string[];
  units: number;
  /** Number of lines left out for lack of space, and their prefix. */
  leftOut: number;
  prefix: string;
  ended: boolean;
  generation: number | null;
  /** Chunk that is being written, and perhaps already stored. */
  chunk?: Chunk;
}

export interface LogWriter {
  /** Adds a line for each text, starting with `prefix`. Beyond the limit for waiting lines, lines are only counted. */
  put(logId: string, prefix: string, texts: readonly string[]): void;
  /** Adds one of the few lines that must not be left out. */
  mustPut(logId: string, prefix: string, text: string): void;
  /** Ends the log; followers are notified once all waiting lines are written. */
  end(logId: string): void;
  /** Resolves when all of the log's lines are in the database, or when the database does not accept them now. */
  flush(logId: string): Promise<void>;
  /** Writes waiting lines, unless the database is unavailable. */
  close(): Promise<void>;
  /** Writer for the lease holder: it writes nothing once another server holds the lease. */
  inTerm(generation: number): Pick<LogWriter, 'put' | 'mustPut' | 'end' | 'flush'>;
}

/**
 * Creates a writer of logs to the database: all lines of a tenth of a second, for all logs, go into one statement.
 * Lines wait while the database refuses them, and nobody waits for a write.
 */
export function createLogWriter({ sql: db, kind }: Pick<Database, 'sql' | 'kind'>, log: Logger): LogWriter {
  const waiting = new Map<string, Waiting>();
  let unitsInAll = 0;
  let failures = 0;
  let prunes = 0;
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let closed = false;

  const waitingOf = (logId: string, generation: number | null): Waiting => {
    const known = waiting.get(logId);
    if (known?.generation === generation) return known;
    // Waiting lines of an earlier lease generation would be refused.
    if (known) unitsInAll -= known.units;
    const one: Waiting = { lines: [], units: 0, leftOut: 0, prefix: '', ended: false, generation };
    waiting.set(logId, one);
    return one;
  };
  const add = (one: Waiting, line: string) => {
    one.lines.push(line);
    one.units += line.length + 1;
    unitsInAll += line.length + 1;
  };
  const sayLeftOut = (one: Waiting) => {
    if (one.leftOut === 0) return;
    const { prefix, leftOut } = one;
    one.leftOut = 0;
    add(one, `${prefix} ${messages.leftOut(leftOut)}`);
  };
  const schedule = () => {
    if (timer || closed) return;
    const wait = failures > 0 ? RETRY_MS : FLUSH_MS;
    timer = setTimeout(() => {
      timer = undefined;
      void flushInTurn();
    }, wait);
  };

  /** Next chunk of a log: as many of its lines as fit, at least one. */
  const chunkOf = (logId: string, one: Waiting): Chunk => {
    if (one.lines.length === 0) sayLeftOut(one);
    let units = 0;
    let count = 0;
    for (const line of one.lines) {
      if (count > 0 && units + line.length + 1 > CHUNK_UNITS) break;
      units += line.length + 1;
      count += 1;
    }
    const text = one.lines
      .splice(0, count)
      .map((line) => `${line}\n`)
      .join('');
    const isLast = one.lines.length === 0 && one.leftOut === 0;
    const { generation } = one;
    return { log_id: logId, chunk_id: newId(), lines: count, text, ended: one.ended && isLast, generation };
  };

  const batchOf = (first: string | undefined): Chunk[] => {
    const batch: Chunk[] = [];
    let units = 0;
    const order = first === undefined ? waiting.keys() : new Set([first, ...waiting.keys()]);
    for (const logId of order) {
      const one = waiting.get(logId);
      if (!one) continue;
      if (units >= STATEMENT_UNITS) break;
      one.chunk ??= chunkOf(logId, one);
      units += one.chunk.text.length;
      batch.push(one.chunk);
    }
    return batch;
  };

  /** Removes a written chunk. The log goes to the end of the queue if it has more lines. */
  const settle = (chunk: Chunk) => {
    const one = waiting.get(chunk.log_id);
    if (one?.chunk !== chunk) return;
    one.units -= chunk.text.length;
    unitsInAll -= chunk.text.length;
    delete one.chunk;
    waiting.delete(chunk.log_id);
    if (one.lines.length > 0 || one.leftOut > 0 || (one.ended && !chunk.ended))
      waiting.set(chunk.log_id, one);
  };
  const drop = (chunk: Chunk) => {
    const one = waiting.get(chunk.log_id);
    if (one?.chunk !== chunk) return;
    unitsInAll -= one.units;
    waiting.delete(chunk.log_id);
  };

  /** PostgreSQL reclaims the space of deleted lines automatically; the embedded database must be told to. */
  const shorten = async (logId: string) => {
    try {
      await pruneLog(db, logId);
      prunes += 1;
      if (kind === 'embedded' && prunes % PRUNES_TO_RECLAIM === 0) await reclaimSpace(db);
    } catch (error) {
      // A failed pruning is repeated after the next chunk.
      log.warn({ err: error }, 'the oldest lines of a log could not be removed');
    }
  };

  const fail = (error: unknown, batch: readonly Chunk[]) => {
    failures += 1;
    if (failures === 1) log.warn({ err: error }, 'logs of deployments and sites wait for the database');
    if (isUnavailable(error) || failures < MOST_TRIES) return;
    // After several failures these lines are given up, so that other logs do not wait behind them.
    failures = 0;
    log.error({ err: error }, 'lines of logs could not be written');
    for (const chunk of batch) {
      const one = waiting.get(chunk.log_id);
      settle(chunk);
      if (!one || chunk.lines === 0) continue;
      one.leftOut += chunk.lines;
      waiting.set(chunk.log_id, one);
    }
  };

  /** Writes one statement; returns the logs of which something was accepted. Never rejects. */
  const flushOnce = async (first?: string): Promise<Set<string>> => {
    const moved = new Set<string>();
    const batch = batchOf(first);
    if (batch.length === 0) return moved;
    try {
      const appended = await appendChunks(db, batch);
      failures = 0;
      const chunks = new Map(batch.map((chunk) => [chunk.log_id, chunk]));
      for (const { log_id, outcome } of appended) {
        const chunk = chunks.get(log_id);
        if (!chunk || outcome === 'later') continue;
        moved.add(log_id);
        if (outcome === 'refused') drop(chunk);
        else settle(chunk);
      }
      for (const { log_id, overflows } of appended) if (overflows) await shorten(log_id);
    } catch (error) {
      fail(error, batch);
    }
    return moved;
  };
  const flushInTurn = (first?: string): Promise<Set<string>> => {
    const mine = turn.then(() => flushOnce(first));
    turn = mine.then(() => {
      if (waiting.size > 0) schedule();
    });
    return mine;
  };

  const writerOf = (generation: number | null): ReturnType<LogWriter['inTerm']> => ({
    put(logId, prefix, texts) {
      const one = waitingOf(logId, generation);
      one.prefix = prefix;
      for (const text of texts) {
        const units = prefix.length + text.length + 2;
        if (one.units + units > MOST_WAITING || unitsInAll + units > MOST_WAITING_IN_ALL) one.leftOut += 1;
        else {
          sayLeftOut(one);
          add(one, `${prefix} ${text}`);
        }
      }
      schedule();
    },
    mustPut(logId, prefix, text) {
      const one = waitingOf(logId, generation);
      sayLeftOut(one);
      one.prefix = prefix;
      add(one, `${prefix} ${text}`);
      schedule();
    },
    end(logId) {
      waitingOf(logId, generation).ended = true;
      schedule();
    },
    async flush(logId) {
      while (waiting.has(logId)) {
        if (!(await flushInTurn(logId)).has(logId)) return;
      }
    },
  });

  return {
    ...writerOf(null),
    inTerm: writerOf,
    async close() {
      closed = true;
      clearTimeout(timer);
      while (waiting.size > 0) {
        if ((await flushInTurn()).size === 0) return;
      }
    },
  };
}
