import { setTimeout as sleep } from 'node:timers/promises';
import { type Reason, reason } from '../model/reasons/reason.ts';

const MEBIBYTE = 2 ** 20;
const EVERY_MS = 5_000;
/** Multiple of a measurement's duration to wait before the next one: slow measurements are made less often. */
const LOAD_DIVISOR = 10;

/** Calls `measure`, which measures disk usage and never rejects, again and again. Rejects with the signal's reason. */
export async function watchDiskUsage(measure: () => Promise<void>, signal: AbortSignal): Promise<never> {
  for (let waitMs = EVERY_MS; ; ) {
    await sleep(waitMs, undefined, { signal, ref: false });
    const began = performance.now();
    await measure();
    waitMs = Math.max(EVERY_MS, (performance.now() - began) * LOAD_DIVISOR);
  }
}

/**
 * Reason if disk usage is over the limit, otherwise undefined. `bytes` comes from an engine, which reports infinity for
 * what it can't measure.
 */
export function excessReason(bytes: number, mebibytes: number): Reason | undefined {
  // Unmeasurable usage counts as too much: deeply nested folders could otherwise fill the whole disk.
  if (bytes === Number.POSITIVE_INFINITY) return reason('disk_unmeasured', { why: reason('disk_uncounted') });
  return bytes > mebibytes * MEBIBYTE ? reason('disk_full', { mebibytes }) : undefined;
}
