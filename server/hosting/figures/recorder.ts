import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { addTraffic } from './store.ts';
import type { Traffic } from './traffic.ts';

export interface RecorderParts {
  db: Kysely<unknown>;
  traffic: Traffic;
  clock: Clock;
  log: Logger;
  /** Interval at which the counts are written to the database. */
  everyMs: number;
}

/**
 * Recorder of a gateway's counts of requests: writes them to the database at an interval. While the database is
 * unavailable, the counts go on adding up here.
 */
export class TrafficRecorder {
  readonly #parts: RecorderParts;
  #timer: NodeJS.Timeout | undefined;
  /** Time of the last write: the counts since then belong to its minute. */
  #since: Temporal.Instant;
  #hasFailed = false;
  #isClosed = false;
  /** Promise that settles when the last write has ended. */
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#since = parts.clock();
  }

  start(): void {
    this.#since = this.#parts.clock();
    this.#schedule();
  }

  /** Writes the last counts, unless the database is unavailable. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#write();
  }

  /** Writes next at a multiple of the interval, so that the counts of one write are those of one minute. */
  #schedule(): void {
    if (this.#isClosed) return;
    const { clock, everyMs } = this.#parts;
    this.#timer = setTimeout(
      () => {
        this.#writing = this.#write();
        void this.#writing.then(() => this.#schedule());
      },
      everyMs - (clock().epochMilliseconds % everyMs),
    ).unref();
  }

  async #write(): Promise<void> {
    const { db, traffic, clock, log } = this.#parts;
    const at = this.#since;
    this.#since = clock();
    const counts = traffic.take();
    if (counts.size === 0) return;
    try {
      await addTraffic(db, counts, at);
      this.#hasFailed = false;
    } catch (error) {
      traffic.putBack(counts);
      if (!this.#hasFailed) log.warn({ err: error }, 'counts of requests wait for the database');
      this.#hasFailed = true;
    }
  }
}
