import { setTimeout as sleep } from 'node:timers/promises';

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
