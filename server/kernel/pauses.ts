import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Longest time, in milliseconds, for which long work has the event loop before other requests get it. */
const LONGEST_TASK_MS = 8;

/**
 * Makes a function for long work to call between its small steps. It lets other requests use the event loop once the
 * work has had it for long enough.
 */
export function createPauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < LONGEST_TASK_MS) return;
    await yieldToOthers();
    since = performance.now();
  };
}
