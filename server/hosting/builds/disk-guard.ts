import { setTimeout as sleep } from 'node:timers/promises';
import { RuntimeFailure } from '../reasons/failure.ts';
import type { Reason } from '../reasons/reason.ts';

const LOOK_MS = 5_000;
/** What takes long to look through is looked through less often. */
const SHARE = 10;

/** What of a build fills more than it may, if anything does. */
export type Excess = (signal: AbortSignal) => Promise<Reason | undefined>;

/** Runs `work` to its end, or until a build fills more than it may: then it throws a RuntimeFailure that says so. */
export async function guarded<T>(
  excess: Excess,
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const watch = async () => {
    for (let wait = LOOK_MS; !until.aborted; ) {
      await sleep(wait, undefined, { signal: until, ref: false });
      const began = performance.now();
      // Who can't be asked now is asked again.
      const how = await excess(until).catch(() => undefined);
      if (how) return over.abort(new RuntimeFailure(how));
      wait = Math.max(LOOK_MS, (performance.now() - began) * SHARE);
    }
  };
  watch().catch(() => {});
  try {
    return await work(until);
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : error;
  } finally {
    over.abort();
  }
}
