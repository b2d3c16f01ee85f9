import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** How long something waits for an answer before the database is asked whether it still gives any. */
const UNASKED_MS = 750;
const LOOK_MS = 250;
/** A database that takes longer for `select 1` has stopped: all in all a request waits some 3.5 s for one. */
const ANSWER_MS = 2_500;

/** The database has stopped answering: worth a 503 and another try. */
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

export interface PulseParts {
  /** Resolves when the database has said anything, an error too. */
  ask(): Promise<unknown>;
  /** Called when nothing waits any more. */
  rest(): void;
  onFrozen(): void;
  onBack(): void;
}

/**
 * Tells a database that has stopped (its machine is frozen, its network swallows everything) from a question that takes long.
 * While something waits, the database is asked something else that takes no time. If that stays unanswered, everything that
 * waits is given up, and what comes next is refused at once, until the database answers again.
 */
export class Pulse {
  readonly #parts: PulseParts;
  readonly #waiting = new Set<Waiting>();
  #isWatching = false;
  #isFrozen = false;
  #isClosed = false;

  constructor(parts: PulseParts) {
    this.#parts = parts;
  }

  /** Waits for `work`, or until the database has stopped; throws DatabaseFrozen. `giveUp` ends what `work` holds then. */
  async during<T>(work: () => Promise<T>, giveUp: (frozen: DatabaseFrozen) => void = () => {}): Promise<T> {
    if (this.#isFrozen) throw new DatabaseFrozen();
    const stopped = Promise.withResolvers<never>();
    const waiting: Waiting = {
      since: performance.now(),
      giveUp(frozen) {
        giveUp(frozen);
        stopped.reject(frozen);
      },
    };
    this.#waiting.add(waiting);
    if (!this.#isWatching) void this.#watch();
    try {
      return await Promise.race([work(), stopped.promise]);
    } finally {
      this.#waiting.delete(waiting);
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
    // A process that stood still itself finds its clock run out first, and what has arrived meanwhile after that.
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
