import { EngineError } from './errors.ts';

/** Result of the work, or undefined if the engine's object does not exist (404). */
export async function undefinedIfMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EngineError && error.status === 404) return undefined;
    throw error;
  }
}

/** Does work that removes an object from the engine; an object that does not exist any more counts as success. */
export async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  await undefinedIfMissing(work);
}
