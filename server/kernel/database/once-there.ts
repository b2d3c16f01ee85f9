import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from './database.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

interface Waiting {
  signal: AbortSignal;
  /** Told of each try for which the database was away, from 1. */
  onAway(error: unknown, tries: number): void;
  /** Whether another try may help. */
  isAway?(error: unknown): boolean;
}

/** Asks a database that may be away, again and ever more rarely, until it answers. Throws what no waiting helps, and the signal’s reason. */
export async function onceThere<T>(
  ask: () => Promise<T>,
  { signal, onAway, isAway = isUnavailable }: Waiting,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error)) throw error;
      onAway(error, tries);
      const wait = FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10);
      await sleep(Math.min(wait, LONGEST_WAIT_MS), undefined, { signal });
    }
  }
}
