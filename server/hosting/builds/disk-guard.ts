import { excessReason, watchDiskUsage } from '../engine/disk-usage.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';

/** Reason for failure if a build fills more of the disk than it may; undefined if it doesn't. */
export type ExcessCheck = (signal: AbortSignal) => Promise<Reason | undefined>;

/** Reason for failure if a build's result is over its size limit; undefined if it isn't. */
export function buildSizeExcess(bytes: number, mebibytes: number): Reason | undefined {
  const how = excessReason(bytes, mebibytes);
  return how && reason('build_exceeds', { how });
}

/** Runs `work` until it ends or the build is over its disk limit; then it throws a RuntimeFailure with the reason. */
export async function runWithinDiskLimit<T>(
  excess: ExcessCheck,
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const check = async () => {
    // If the disk usage can't be measured now, the next measurement decides.
    const how = await excess(until).catch(() => undefined);
    if (how) over.abort(new RuntimeFailure(how));
  };
  watchDiskUsage(check, until).catch(() => {});
  try {
    return await work(until);
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : error;
  } finally {
    over.abort();
  }
}
