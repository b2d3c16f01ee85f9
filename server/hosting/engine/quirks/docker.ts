import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../errors.ts';

// Defects of Docker's engine. Where no version is named, none is known in which the defect has ended.

const RETRY_MS = 250;
const MOST_ATTEMPTS = 10;

/**
 * Repeats a measurement of the disk: engines before version 23 refuse to make two at once
 * (https://github.com/moby/moby/pull/42715). Podman refuses one with 404 if a container is removed meanwhile.
 */
export async function retryMeasurement<T>(measure: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await measure();
    } catch (error) {
      const isPassing =
        error instanceof EngineError &&
        (error.status === 404 || /disk usage operation is already running/.test(error.message));
      if (turn === MOST_ATTEMPTS || !isPassing) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** Ignores the 500 with which Docker reports that somebody else removed the image at the same time. */
export function ignoreImageRemovedMeanwhile(error: unknown): void {
  if (!(error instanceof EngineError && /unrecognized image ID/.test(error.message))) throw error;
}

/** Ignores the 500 with which Docker reports that somebody else removed a cluster's network at the same time. */
export function ignoreNetworkRemovedMeanwhile(error: unknown): void {
  if (!(error instanceof EngineError && /^network \S+ not found$/.test(error.message))) throw error;
}

/** Time limit for one removal of an image. */
const REMOVED_MS = 5_000;

/**
 * Removals of images, which may hang. An engine inspects all containers before it removes an image, and waits for each:
 * a container whose start hangs blocks every removal. Clean-up therefore does not wait, and tries again later.
 */
export class ImageRemovals {
  readonly #hanging = new Set<Promise<void>>();

  /** Does a removal of an image; throws a 409 if it, or an earlier removal, takes too long. */
  async remove(call: () => Promise<void>): Promise<void> {
    const busy = new EngineError(409, 'the engine is busy with the removal of another image');
    if (this.#hanging.size > 0) throw busy;
    const enough = new AbortController();
    const removed = call().catch(ignoreImageRemovedMeanwhile);
    const isLate = sleep(REMOVED_MS, true, { ref: false, signal: enough.signal }).catch(() => false);
    try {
      if (!(await Promise.race([removed, isLate]))) return;
    } finally {
      enough.abort();
    }
    const over = removed.catch(() => {}).finally(() => this.#hanging.delete(over));
    this.#hanging.add(over);
    throw busy;
  }
}
