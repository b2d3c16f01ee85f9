import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from './errors.ts';

/**
 * Time to wait until nothing uses an image or a volume any more: engines release ended containers a moment after they
 * have ended.
 */
const UNUSED_MS = 15_000;
const LOOK_AGAIN_MS = 500;

/** Rethrows an error, unless it says that the object to remove, such as an image, is still in use. */
export function ignoreInUse(error: unknown): void {
  if (!(error instanceof EngineError) || error.status !== 409) throw error;
}

/**
 * Repeats work that an engine refuses while an object, such as an image, is in use. Throws the refusal if that takes
 * too long.
 */
export async function retryWhileInUse(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (const until = performance.now() + UNUSED_MS; ; await sleep(LOOK_AGAIN_MS, undefined, { signal })) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > until) throw error;
      ignoreInUse(error);
    }
  }
}
