import { randomUUID } from 'node:crypto';
import { CommonRefusal } from './refusal.ts';

/** Longest time, in milliseconds, that a caller waits for the lock of its key; after it the caller gets a 503. */
const LONGEST_WAIT_MS = 15_000;

/** Waiting time for callers who wait for a lock as long as it takes: the longest possible timer, in milliseconds. */
export const UNTIL_DONE_MS = 2 ** 31 - 1;

/**
 * Runs the work of one key one after another, in order of arrival, also after a failure. Work of other keys is not
 * delayed. A caller that waits too long gets a 503. The lock holds only within this process; between servers the
 * database has locks of its own. Callers that would wait for the database's lock wait here instead, without holding a
 * connection.
 */
export function createKeyedLock(longestWaitMs = LONGEST_WAIT_MS) {
  // Names of web locks are shared by the whole process, so this lock puts a random name in front of its keys.
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
 * Combines runs of a function. A call during a run gets the next run, because the current run may have missed changes;
 * all calls before the start of the next run share that run. `run` must not reject.
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
