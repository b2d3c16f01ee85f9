import { newId } from '../../kernel/identifiers.ts';
import { messages } from './messages.ts';
import type { Chunk } from './store.ts';

/** Size limits for one chunk of log lines and for one SQL statement, in UTF-16 code units. */
const CHUNK_UNITS = 2 ** 16;
const STATEMENT_UNITS = 2 ** 18;
/** Size limits for log lines waiting in memory, of one log and of all logs, in UTF-16 code units. */
const MOST_WAITING = 2 ** 20;
const MOST_WAITING_IN_ALL = 2 ** 25;

interface Waiting {
  lines: string[];
  units: number;
  /** Number of log lines that were left out for lack of space, and the prefix that such lines have in the log. */
  leftOut: number;
  prefix: string;
  ended: boolean;
  generation: number | null;
  /** Lines of the log that are being written to the database, and perhaps already stored there. */
  chunk?: Chunk;
}

/** Log, with the number of the lease term in which its writer holds the lease; null for writers that need no lease. */
export interface LogOfTerm {
  logId: string;
  generation: number | null;
}

/** Lines of all logs that wait to be written to the database, within limits of memory. */
export class LogQueue {
  readonly #waiting = new Map<string, Waiting>();
  #unitsInAll = 0;

  /** Number of logs with lines to be written. */
  get size(): number {
    return this.#waiting.size;
  }

  has(logId: string): boolean {
    return this.#waiting.has(logId);
  }

  /** Adds a line to a log for each text, starting with `prefix`. Beyond the size limits, lines are only counted. */
  put(log: LogOfTerm, prefix: string, texts: readonly string[]): void {
    const waiting = this.#waitingOf(log);
    waiting.prefix = prefix;
    for (const text of texts) {
      const units = prefix.length + text.length + 2;
      if (waiting.units + units > MOST_WAITING || this.#unitsInAll + units > MOST_WAITING_IN_ALL) {
        waiting.leftOut += 1;
        continue;
      }
      this.#addLeftOut(waiting);
      this.#add(waiting, `${prefix} ${text}`);
    }
  }

  /** Adds a line to a log regardless of the size limits. */
  mustPut(log: LogOfTerm, prefix: string, text: string): void {
    const waiting = this.#waitingOf(log);
    this.#addLeftOut(waiting);
    waiting.prefix = prefix;
    this.#add(waiting, `${prefix} ${text}`);
  }

  end(log: LogOfTerm): void {
    this.#waitingOf(log).ended = true;
  }

  /**
   * Chunks of log lines for the next SQL statement, at most one of each log, up to a size limit. The log `first` comes
   * first.
   */
  batch(first: string | undefined): Chunk[] {
    const batch: Chunk[] = [];
    let units = 0;
    const order = first === undefined ? this.#waiting.keys() : new Set([first, ...this.#waiting.keys()]);
    for (const logId of order) {
      const waiting = this.#waiting.get(logId);
      if (!waiting) continue;
      if (units >= STATEMENT_UNITS) break;
      waiting.chunk ??= this.#chunkOf(logId, waiting);
      units += waiting.chunk.text.length;
      batch.push(waiting.chunk);
    }
    return batch;
  }

  /** Removes a chunk of log lines that was written. If its log has more lines, the log goes to the end of the queue. */
  settle(chunk: Chunk): void {
    const waiting = this.#waiting.get(chunk.log_id);
    if (waiting?.chunk !== chunk) return;
    waiting.units -= chunk.text.length;
    this.#unitsInAll -= chunk.text.length;
    delete waiting.chunk;
    this.#waiting.delete(chunk.log_id);
    if (waiting.lines.length > 0 || waiting.leftOut > 0 || (waiting.ended && !chunk.ended))
      this.#waiting.set(chunk.log_id, waiting);
  }

  /** Removes a chunk of log lines that the database refused, with all other waiting lines of the same log. */
  drop(chunk: Chunk): void {
    const waiting = this.#waiting.get(chunk.log_id);
    if (waiting?.chunk !== chunk) return;
    this.#unitsInAll -= waiting.units;
    this.#waiting.delete(chunk.log_id);
  }

  /**
   * Removes a chunk of log lines that can't be written. Its lines are counted, and the log says how many lines were
   * left out.
   */
  leaveOut(chunk: Chunk): void {
    const waiting = this.#waiting.get(chunk.log_id);
    this.settle(chunk);
    if (!waiting || chunk.lines === 0) return;
    waiting.leftOut += chunk.lines;
    this.#waiting.set(chunk.log_id, waiting);
  }

  #waitingOf({ logId, generation }: LogOfTerm): Waiting {
    const known = this.#waiting.get(logId);
    if (known?.generation === generation) return known;
    // Waiting lines from an earlier lease term are removed, because the database would refuse them.
    if (known) this.#unitsInAll -= known.units;
    const waiting: Waiting = { lines: [], units: 0, leftOut: 0, prefix: '', ended: false, generation };
    this.#waiting.set(logId, waiting);
    return waiting;
  }

  #add(waiting: Waiting, line: string): void {
    waiting.lines.push(line);
    waiting.units += line.length + 1;
    this.#unitsInAll += line.length + 1;
  }

  /** Adds a line to a log that says how many lines were left out. */
  #addLeftOut(waiting: Waiting): void {
    if (waiting.leftOut === 0) return;
    const { prefix, leftOut } = waiting;
    waiting.leftOut = 0;
    this.#add(waiting, `${prefix} ${messages.leftOut(leftOut)}`);
  }

  /** Next chunk to write of a log: as many of the log's waiting lines as the size limit allows, at least one. */
  #chunkOf(logId: string, waiting: Waiting): Chunk {
    if (waiting.lines.length === 0) this.#addLeftOut(waiting);
    let units = 0;
    let count = 0;
    for (const line of waiting.lines) {
      if (count > 0 && units + line.length + 1 > CHUNK_UNITS) break;
      units += line.length + 1;
      count += 1;
    }
    const text = waiting.lines
      .splice(0, count)
      .map((line) => `${line}\n`)
      .join('');
    const isLast = waiting.lines.length === 0 && waiting.leftOut === 0;
    const { generation } = waiting;
    return {
      log_id: logId,
      chunk_id: newId(),
      lines: count,
      text,
      ended: waiting.ended && isLast,
      generation,
    };
  }
}
