import { setTimeout as sleep } from 'node:timers/promises';
import { makeAbortable } from '../../../kernel/abortable.ts';
import type { Logger } from '../../../kernel/log.ts';

/** Asks the runtime for an answer. Rejects if it does not answer this server, although it may answer another one. */
export type Reach = (signal: AbortSignal) => Promise<void>;

/**
 * Reason why the runtime could not be reached within `ms`; undefined if it answers, or if this runtime needs no check.
 */
async function failureToReach(
  reach: Reach | undefined,
  signal: AbortSignal,
  ms: number,
): Promise<Error | undefined> {
  if (!reach) return undefined;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  return makeAbortable(reach(inTime), inTime).then(
    () => undefined,
    (error) => error as Error,
  );
}

export interface RuntimeReachParts {
  reach: Reach | undefined;
  /** Time limit for an answer of the runtime. */
  awayMs: number;
  /** Interval at which the runtime is asked again while it does not answer. */
  retryMs: number;
  log: Logger;
}

/** Tells whether the runtime answers this server. */
export class RuntimeReach {
  readonly #parts: RuntimeReachParts;
  #isAway = false;

  constructor(parts: RuntimeReachParts) {
    this.#parts = parts;
  }

  async isReachable(signal: AbortSignal): Promise<boolean> {
    return !signal.aborted && (await this.#failure(signal)) === undefined;
  }

  /** Like `isReachable`, and logs once that the runtime no longer answers, or answers again. */
  async isReachableLogged(signal: AbortSignal): Promise<boolean> {
    const failure = await this.#failure(signal);
    if (signal.aborted) return false;
    const { log } = this.#parts;
    if (failure && !this.#isAway) log.warn(`what runs the sites does not answer: ${failure.message}`);
    else if (!failure && this.#isAway) log.info('what runs the sites answers again');
    this.#isAway = failure !== undefined;
    return !this.#isAway;
  }

  /**
   * Waits until the runtime answers, until the signal aborts, or until a lease holder that can't reach its runtime
   * would give up the lease: another server may reach the runtime.
   */
  async untilReachable(signal: AbortSignal): Promise<void> {
    const { awayMs, retryMs } = this.#parts;
    const until = AbortSignal.any([signal, AbortSignal.timeout(awayMs + 2 * retryMs)]);
    while (!until.aborted && !(await this.isReachable(until)))
      await sleep(retryMs, undefined, { signal: until }).catch(() => {});
  }

  #failure(signal: AbortSignal): Promise<Error | undefined> {
    const { reach, awayMs } = this.#parts;
    return failureToReach(reach, signal, awayMs);
  }
}
