import { setTimeout as sleep } from 'node:timers/promises';
import { type Reason, reason } from '../model/reasons/reason.ts';

const MEBIBYTE = 2 ** 20;
const EVERY_MS = 5_000;
/** What takes long to look through is looked through less often. */
const SHARE = 10;

/** Has `look`, which never rejects, look at what something fills of a disk, again and again. Rejects with the signal's reason. */
export async function lookAtDisks(look: () => Promise<void>, signal: AbortSignal): Promise<never> {
  for (let wait = EVERY_MS; ; ) {
    await sleep(wait, undefined, { signal, ref: false });
    const began = performance.now();
    await look();
    wait = Math.max(EVERY_MS, (performance.now() - began) * SHARE);
  }
}

/** How something is over its limit; undefined where it is not. `bytes`: an engine's, which are infinite where it can't measure it. */
export function overOf(bytes: number, mebibytes: number): Reason | undefined {
  // Who nests folders deeply enough would fill all of the disk.
  if (bytes === Number.POSITIVE_INFINITY) return reason('disk_unmeasured', { why: reason('disk_uncounted') });
  return bytes > mebibytes * MEBIBYTE ? reason('disk_full', { mebibytes }) : undefined;
}
