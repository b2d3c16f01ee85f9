import { type Database, isUnavailable } from '../../kernel/database/database.ts';
import type { Logger } from '../../kernel/log.ts';
import { LogQueue } from './queue.ts';
import { appendChunks, type Chunk, pruneLog, reclaimSpace } from './store.ts';

/** Default time between two SQL statements that write log lines. */
const FLUSH_MS = 100;
/** Time between two attempts to write log lines while the database is unavailable. */
const RETRY_MS = 1_000;
/**
 * Attempts to write chunks that the database refuses for another reason than being unavailable; afterwards their lines
 * are left out.
 */
const MOST_TRIES = 3;

/**
 * Number of times that old lines were removed from logs (half a MiB each time), after which the database's space is
 * reclaimed.
 */
const PRUNES_TO_RECLAIM = 8;

/** Writer for lines of any log. */
export interface LineWriter {
  /** Adds a line for each text, starting with `prefix`. Beyond the limit for waiting lines, lines are only counted. */
  put(logId: string, prefix: string, texts: readonly string[]): void;
  /** Adds a line to a log. The line is never left out, so callers use this for few lines. */
  mustPut(logId: string, prefix: string, text: string): void;
  /** Ends the log; followers are notified once all waiting lines are written. */
  end(logId: string): void;
  /** Resolves when all of the log's lines are in the database, or when the database does not accept them now. */
  flush(logId: string): Promise<void>;
}

/**
 * Writer of logs to the database: all lines of a tenth of a second, for all logs, go into one statement. Lines wait
 * while the database refuses them, and nobody waits for a write.
 */
export class LogWriter implements LineWriter {
  readonly #database: Pick<Database, 'sql' | 'kind'>;
  readonly #log: Logger;
  readonly #flushMs: number;
  readonly #queue = new LogQueue();
  /** Number of failed SQL statements since the last successful one. */
  #failures = 0;
  #prunes = 0;
  /** Timer of the next SQL statement that writes log lines. */
  #timer: NodeJS.Timeout | undefined;
  /** Promise that settles when all SQL statements requested so far have ended. */
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  /** Log writer for lines that need no lease. */
  readonly #lines = this.inTerm(null);

  constructor(database: Pick<Database, 'sql' | 'kind'>, log: Logger, { flushMs } = { flushMs: FLUSH_MS }) {
    this.#database = database;
    this.#log = log;
    this.#flushMs = flushMs;
  }

  put(logId: string, prefix: string, texts: readonly string[]): void {
    this.#lines.put(logId, prefix, texts);
  }

  mustPut(logId: string, prefix: string, text: string): void {
    this.#lines.mustPut(logId, prefix, text);
  }

  end(logId: string): void {
    this.#lines.end(logId);
  }

  async flush(logId: string): Promise<void> {
    while (this.#queue.has(logId)) {
      if (!(await this.#flushInTurn(logId)).has(logId)) return;
    }
  }

  /** Log writer for the lease holder: it writes nothing once another server holds the lease. */
  inTerm(generation: number | null): LineWriter {
    return {
      put: (logId, prefix, texts) => {
        this.#queue.put({ logId, generation }, prefix, texts);
        this.#schedule();
      },
      mustPut: (logId, prefix, text) => {
        this.#queue.mustPut({ logId, generation }, prefix, text);
        this.#schedule();
      },
      end: (logId) => {
        this.#queue.end({ logId, generation });
        this.#schedule();
      },
      flush: (logId) => this.flush(logId),
    };
  }

  /** Writes waiting log lines, unless the database is unavailable. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    while (this.#queue.size > 0) {
      if ((await this.#flushInTurn()).size === 0) return;
    }
  }

  #schedule(): void {
    if (this.#timer || this.#isClosed) return;
    const wait = this.#failures > 0 ? RETRY_MS : this.#flushMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#flushInTurn();
    }, wait);
  }

  #flushInTurn(first?: string): Promise<Set<string>> {
    const mine = this.#turn.then(() => this.#flushOnce(first));
    this.#turn = mine.then(() => {
      if (this.#queue.size > 0) this.#schedule();
    });
    return mine;
  }

  /**
   * Writes waiting log lines to the database with one statement. Returns the ids of the logs whose lines were written,
   * or refused for good. Never rejects.
   */
  async #flushOnce(first?: string): Promise<Set<string>> {
    const moved = new Set<string>();
    const batch = this.#queue.batch(first);
    if (batch.length === 0) return moved;
    try {
      const appended = await appendChunks(this.#database.sql, batch);
      this.#failures = 0;
      const chunks = new Map(batch.map((chunk) => [chunk.log_id, chunk]));
      for (const { log_id, outcome } of appended) {
        const chunk = chunks.get(log_id);
        if (!chunk || outcome === 'later') continue;
        moved.add(log_id);
        if (outcome === 'refused') this.#queue.drop(chunk);
        else this.#queue.settle(chunk);
      }
      for (const { log_id, overflows } of appended) if (overflows) await this.#shorten(log_id);
    } catch (error) {
      this.#fail(error, batch);
    }
    return moved;
  }

  #fail(error: unknown, batch: readonly Chunk[]): void {
    this.#failures += 1;
    if (this.#failures === 1)
      this.#log.warn({ err: error }, 'logs of deployments and sites wait for the database');
    if (isUnavailable(error) || this.#failures < MOST_TRIES) return;
    // After several failures, these log lines are given up, so that other logs do not wait behind them.
    this.#failures = 0;
    this.#log.error({ err: error }, 'lines of logs could not be written');
    for (const chunk of batch) this.#queue.leaveOut(chunk);
  }

  /**
   * Removes a log's oldest lines. PostgreSQL reclaims their space automatically; the embedded database does so only on
   * request.
   */
  async #shorten(logId: string): Promise<void> {
    const { sql, kind } = this.#database;
    try {
      await pruneLog(sql, logId);
      this.#prunes += 1;
      if (kind === 'embedded' && this.#prunes % PRUNES_TO_RECLAIM === 0) await reclaimSpace(sql);
    } catch (error) {
      // If the oldest lines of a log could not be removed, that is tried again when more lines of the log are written.
      this.#log.warn({ err: error }, 'the oldest lines of a log could not be removed');
    }
  }
}
