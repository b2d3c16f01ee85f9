import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats the function `work`, with a pause after each run, until `end` is called. If a run failed, `end` throws its
 * error.
 */
export function repeatUntilEnded(work: () => Promise<void>, pauseMs = 20) {
  let isOver = false;
  let times = 0;
  const doing = (async () => {
    for (; !isOver; times += 1) {
      await work();
      await sleep(pauseMs);
    }
  })();
  doing.catch(() => {});
  return {
    /** Stops repeating the work and returns the number of runs. */
    async end(): Promise<number> {
      isOver = true;
      await doing;
      return times;
    },
  };
}
