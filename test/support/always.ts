import { setTimeout as sleep } from 'node:timers/promises';

/** Does it again and again until it is ended, so long after it was done; what fails is told there. */
export function always(work: () => Promise<void>, pauseMs = 20) {
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
    /** Gives how often it was done. */
    async end(): Promise<number> {
      isOver = true;
      await doing;
      return times;
    },
  };
}
