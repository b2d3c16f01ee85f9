import { EngineError } from './errors.ts';

/** Waits for a call to an engine. Returns the call's result, or undefined if the engine has no such object (404). */
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
