import { CommonRefusal } from './refusal.ts';

/** Longest time, in milliseconds, that a caller waits for the lock of its key; after it the caller gets a 503. */
const LONGEST_WAIT_MS = 15_000;

/** Waiting time for callers who wait for a lock as long as it takes: the longest possible timer, in milliseconds. */
export const UNTIL_DONE_MS = 2 ** 31 - 1;

/**
 * Runs the work of one key one after another, in order of arrival, also after a failure. Work of other keys is not
 * delayed. A caller that waits too long gets a 503. The lock holds only within this process; between servers the
 * database has locks of its own. Callers that would wait for the database's lock wait here instead, without holding a
 * connection. Web locks would do the same, at many times the cost for each caller.
 */
export function createKeyedLock(longestWaitMs = LONGEST_WAIT_MS) {
  /** Callers that wait for the lock of each key that is locked, in order of arrival. */
  const queues = new Map<string, Set<() => void>>();
  const waitIn = (queue: Set<() => void>): Promise<void> =>
    new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(enter);
        reject(new CommonRefusal(503, 'unavailable'));
      }, longestWaitMs);
      queue.add(enter);
    });
  const leave = (key: string, queue: Set<() => void>) => {
    const [next] = queue;
    if (!next) return queues.delete(key);
    queue.delete(next);
    next();
  };
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    let queue = queues.get(key);
    if (queue) await waitIn(queue);
    else {
      queue = new Set();
      queues.set(key, queue);
    }
    try {
      return await work();
    } finally {
      leave(key, queue);
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
