import { randomUUID } from 'node:crypto';
import { CommonRefusal } from './refusal.ts';

/** How long somebody waits for their turn before they are told to come back. */
const LONGEST_WAIT_MS = 15_000;

/** For turns whose work has an end of its own: longer than a timer can be set to nobody waits. */
export const UNTIL_DONE_MS = 2 ** 31 - 1;

/**
 * Runs work of one key one after the other, in the order it came, also after a failure; other keys don't wait. A turn
 * that does not come in time is a 503. Within this process alone: what must hold between servers is the database's to
 * keep, and whoever waits here for what the database would make them wait for does so without holding a connection.
 */
export function createKeyedLock(longestWaitMs = LONGEST_WAIT_MS) {
  // Locks go by name through the whole process.
  const scope = randomUUID();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), longestWaitMs);
    try {
      return await navigator.locks.request(`${scope} ${key}`, { signal: waiting.signal }, () => {
        clearTimeout(timer);
        return work();
      });
    } catch (error) {
      if (waiting.signal.aborted) throw new CommonRefusal(503, 'unavailable');
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * One run at a time: who asks while one is under way gets the next one, which sees what that one may have missed, and
 * shares it with all who ask until it begins. `run` never rejects.
 */
export function coalesceRuns(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running = running.then(() => {
      next = undefined;
      return run();
    });
    return next;
  };
}
