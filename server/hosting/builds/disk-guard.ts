import { lookAtDisks, overOf } from '../engine/disk-looks.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';

/** What of a build fills more than it may, if anything does. */
export type Excess = (signal: AbortSignal) => Promise<Reason | undefined>;

/** How what a build made is over its limit, where it is. */
export function tooLarge(bytes: number, mebibytes: number): Reason | undefined {
  const how = overOf(bytes, mebibytes);
  return how && reason('build_exceeds', { how });
}

/** Runs `work` to its end, or until a build fills more than it may: then it throws a RuntimeFailure that says so. */
export async function guarded<T>(
  excess: Excess,
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const look = async () => {
    // Who can't be asked now is asked again.
    const how = await excess(until).catch(() => undefined);
    if (how) over.abort(new RuntimeFailure(how));
  };
  lookAtDisks(look, until).catch(() => {});
  try {
    return await work(until);
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : error;
  } finally {
    over.abort();
  }
}
