import { type Database, isUnavailable } from '../../kernel/database/database.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import { messages } from './messages.ts';
import { append, type Chunk, prune, reclaim } from './store.ts';

/** Between two statements. */
const FLUSH_MS = 100;
/** Between two tries while the database is away. */
const RETRY_MS = 1_000;
/** Tries of what the database takes for another reason not, before it is left out. */
const MOST_TRIES = 3;
/** Text of one chunk, and of all in one statement, in UTF-16 units. */
const CHUNK_UNITS = 2 ** 16;
const STATEMENT_UNITS = 2 ** 18;
/** What may wait in memory, for one log and for all. */
const MOST_WAITING = 2 ** 20;
const MOST_WAITING_IN_ALL = 2 ** 25;

/** So many times half a MiB. */
const PRUNES_TO_RECLAIM = 8;

interface Waiting {
  lines: string[];
  units: number;
  /** Lines there was no room for, and what would have stood before them. */
  leftOut: number;
  prefix: string;
  ended: boolean;
  generation: number | null;
  /** On its way, perhaps there already. */
  chunk?: Chunk;
}

export interface LogWriter {
  /** Adds a line for each text, which begins with `prefix`. What waits has a bound, beyond which lines are only counted. */
  put(logId: string, prefix: string, texts: readonly string[]): void;
  /** The same for the few lines that must not be missing. */
  mustPut(logId: string, prefix: string, text: string): void;
  /** No more lines will come. Tells those who follow, once all that waits is written. */
  end(logId: string): void;
  /** Resolves when all of the log's lines are in the database, or when it doesn't take them now. */
  flush(logId: string): Promise<void>;
  /** Writes what waits, unless the database is away. */
  close(): Promise<void>;
  /** The same for a holder of the lease: nothing is written once the lease is another one's. */
  inTerm(generation: number): Pick<LogWriter, 'put' | 'mustPut' | 'end' | 'flush'>;
}

/**
 * Writes logs into the database: what comes within a tenth of a second is one statement, for all logs together. What
 * the database doesn't take waits, and costs nobody anything else.
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
    // What waits of an earlier term would not be taken any more.
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

  /** The next chunk of a log: as many of its lines as one holds, and at least one. */
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

  /** The log's chunk is not on its way any more. Others come first, until it is this log's turn again. */
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

  /** PostgreSQL takes back by itself what the oldest lines held; the embedded database has to be asked to. */
  const shorten = async (logId: string) => {
    try {
      await prune(db, logId);
      prunes += 1;
      if (kind === 'embedded' && prunes % PRUNES_TO_RECLAIM === 0) await reclaim(db);
    } catch (error) {
      // The next chunk asks for it again.
      log.warn({ err: error }, 'the oldest lines of a log could not be removed');
    }
  };

  const fail = (error: unknown, batch: readonly Chunk[]) => {
    failures += 1;
    if (failures === 1) log.warn({ err: error }, 'logs of deployments and sites wait for the database');
    if (isUnavailable(error) || failures < MOST_TRIES) return;
    // Whatever it is about them: nobody else's lines wait behind these.
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

  /** One statement; gives the logs that it took something of. Never rejects. */
  const flushOnce = async (first?: string): Promise<Set<string>> => {
    const moved = new Set<string>();
    const batch = batchOf(first);
    if (batch.length === 0) return moved;
    try {
      const appended = await append(db, batch);
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
