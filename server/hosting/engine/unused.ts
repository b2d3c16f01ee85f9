import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from './connection.ts';

/** What has ended is let go of a moment later than those who end it wait. */
const UNUSED_MS = 15_000;
const LOOK_AGAIN_MS = 500;

/** Of an image, or whatever else something is made of still. */
export function unlessUsed(error: unknown): void {
  if (!(error instanceof EngineError) || error.status !== 409) throw error;
}

/** Does what an engine refuses as long as something is used, once it is not. Throws its refusal where that takes too long. */
export async function onceUnused(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (const until = performance.now() + UNUSED_MS; ; await sleep(LOOK_AGAIN_MS, undefined, { signal })) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > until) throw error;
      unlessUsed(error);
    }
  }
}
