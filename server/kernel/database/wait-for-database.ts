import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from './database.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** A job that was taken for dead is worked again within seconds of the database's return: what came of it is there first. */
const LONGEST_WAIT_TO_WRITE_MS = 1_000;
/** As many tries of the longest wait are a minute. */
const TRIES_A_MINUTE = 12;

interface Waiting {
  signal: AbortSignal;
  /** Told that the database is away: once, and again for another reason or after about a minute. */
  onAway(error: unknown): void;
  /** Whether another try may help. */
  isAway?(error: unknown): boolean;
  longestWaitMs?: number;
}

/** Asks a database that may be away, again and ever more rarely, until it answers. Throws what no waiting helps, and the signal’s reason. */
export async function waitForDatabase<T>(
  ask: () => Promise<T>,
  { signal, onAway, isAway = isUnavailable, longestWaitMs = LONGEST_WAIT_MS }: Waiting,
): Promise<T> {
  let told: string | undefined;
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error)) throw error;
      const why = String(error);
      if (why !== told || tries % TRIES_A_MINUTE === 0) onAway(error);
      told = why;
      const wait = FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10);
      await sleep(Math.min(wait, longestWaitMs), undefined, { signal });
    }
  }
}

/**
 * Writes down what came of a question to somebody else, who must not be asked again for want of it: at once, and where the
 * database is away, again until it is back. Throws what no waiting helps, and what `signal` is aborted with.
 */
export async function recordOutcome(
  write: () => Promise<void>,
  waiting: Pick<Waiting, 'signal' | 'onAway'>,
): Promise<void> {
  try {
    // Also while the server shuts down: it may be the last moment.
    await write();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    await waitForDatabase(write, { ...waiting, longestWaitMs: LONGEST_WAIT_TO_WRITE_MS });
  }
}
