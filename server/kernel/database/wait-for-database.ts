import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from './database.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/**
 * Longest pause between attempts to store a job's outcome. When the database can be reached again, jobs without a
 * heartbeat run again within seconds, and such a run must find the outcome.
 */
const LONGEST_WAIT_TO_WRITE_MS = 1_000;
/** Number of tries to reach the database in about a minute, once the pause between them is the longest. */
const TRIES_A_MINUTE = 12;

interface Waiting {
  signal: AbortSignal;
  /**
   * Called when the database can't be reached: at once, and again if the reason changes or about a minute has passed.
   */
  onAway(error: unknown): void;
  /** True for an error after which another try to reach the database may succeed. */
  isAway?(error: unknown): boolean;
  longestWaitMs?: number;
}

/**
 * Repeats `ask` with growing pauses until the database answers. Throws errors that waiting can't help, and the signal's
 * reason.
 */
export async function waitForDatabase<T>(
  ask: () => Promise<T>,
  { signal, onAway, isAway = isUnavailable, longestWaitMs = LONGEST_WAIT_MS }: Waiting,
): Promise<T> {
  let reported: string | undefined;
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error)) throw error;
      const why = String(error);
      if (why !== reported || tries % TRIES_A_MINUTE === 0) onAway(error);
      reported = why;
      const wait = FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10);
      await sleep(Math.min(wait, longestWaitMs), undefined, { signal });
    }
  }
}

/**
 * Writes the outcome of an external call, which must not be repeated only because its outcome was not recorded. It
 * writes at once and, if the database can't be reached, again until it can. Throws errors that waiting can't help, and
 * the signal's reason.
 */
export async function recordOutcome(
  write: () => Promise<void>,
  waiting: Pick<Waiting, 'signal' | 'onAway'>,
): Promise<void> {
  try {
    // The first write is tried even while the server shuts down: it may be the last chance to record the outcome.
    await write();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    await waitForDatabase(write, { ...waiting, longestWaitMs: LONGEST_WAIT_TO_WRITE_MS });
  }
}
