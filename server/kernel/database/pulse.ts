import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Time that a query waits before the database is asked whether it still answers, in milliseconds. */
const UNASKED_MS = 750;
const LOOK_MS = 250;
/**
 * Time limit for the probe `select 1`: a database that takes longer counts as stopped. Altogether a request waits some
 * 3.5 s for a stopped database.
 */
const ANSWER_MS = 2_500;

/** Thrown when the database no longer answers; the client gets a 503, and another try may help. */
export class DatabaseFrozen extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the database answers nothing');
  }
}

interface Waiting {
  since: number;
  giveUp(frozen: DatabaseFrozen): void;
}

export interface PulseOptions {
  /** Asks the database for any reply. Resolves at each reply, also if it is an error. */
  ask(): Promise<unknown>;
  /** Called when no query is waiting any more, so that the connection that probes the database can be closed. */
  rest(): void;
  onFrozen(): void;
  onBack(): void;
}

/**
 * Tells a database that has stopped (its machine is frozen, its network drops everything) from a query that takes long.
 * While a query waits, the database gets a trivial query. If there is no reply, all waiting queries fail and further
 * ones are refused at once, until the database replies again.
 */
export class Pulse {
  readonly #parts: PulseOptions;
  readonly #waiting = new Set<Waiting>();
  #isWatching = false;
  #isFrozen = false;
  #isClosed = false;

  constructor(parts: PulseOptions) {
    this.#parts = parts;
  }

  /**
   * Waits for the result of `work`; throws DatabaseFrozen if the database stops answering meanwhile. `giveUp` then
   * releases what `work` holds.
   */
  async during<T>(work: () => Promise<T>, giveUp: (frozen: DatabaseFrozen) => void = () => {}): Promise<T> {
    if (this.#isFrozen) throw new DatabaseFrozen();
    let waiting: Waiting | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        waiting = {
          since: performance.now(),
          giveUp(frozen) {
            giveUp(frozen);
            reject(frozen);
          },
        };
        this.#waiting.add(waiting);
        if (!this.#isWatching) void this.#watch();
        work().then(resolve, reject);
      });
    } finally {
      if (waiting) this.#waiting.delete(waiting);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    while (!this.#isClosed && (this.#waiting.size > 0 || this.#isFrozen)) {
      await sleep(LOOK_MS, undefined, { ref: false });
      if (!this.#isFrozen && !this.#isAnyLate()) continue;
      this.#note(await this.#answers());
    }
    this.#isWatching = false;
    this.#parts.rest();
  }

  #isAnyLate(): boolean {
    const [oldest] = this.#waiting;
    return oldest !== undefined && performance.now() - oldest.since >= UNASKED_MS;
  }

  async #answers(): Promise<boolean> {
    let hasAnswered = false;
    const answer = this.#parts.ask().then(
      () => (hasAnswered = true),
      () => (hasAnswered = true),
    );
    await Promise.race([answer, sleep(ANSWER_MS, undefined, { ref: false })]);
    // If this process itself was halted for a while, the timer fires before the replies that have arrived are read. So
    // they are read before the check.
    if (!hasAnswered) await setImmediate();
    return hasAnswered;
  }

  #note(answers: boolean): void {
    if (answers === !this.#isFrozen) return;
    this.#isFrozen = !answers;
    if (answers) {
      this.#parts.onBack();
      return;
    }
    this.#parts.onFrozen();
    for (const { giveUp } of this.#waiting) giveUp(new DatabaseFrozen());
  }
}
