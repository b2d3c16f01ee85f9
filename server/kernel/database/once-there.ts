import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from './database.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** As many tries of the longest wait are a minute. */
const TRIES_A_MINUTE = 12;

interface Waiting {
  signal: AbortSignal;
  /** Told that the database is away: once, and again for another reason or after about a minute. */
  onAway(error: unknown): void;
  /** Whether another try may help. */
  isAway?(error: unknown): boolean;
}

/** Asks a database that may be away, again and ever more rarely, until it answers. Throws what no waiting helps, and the signal’s reason. */
export async function onceThere<T>(
  ask: () => Promise<T>,
  { signal, onAway, isAway = isUnavailable }: Waiting,
): Promise<T> {
  let told: string | undefined;
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error)) throw error;
      const why = String(error);
      if (why !== told || tries % TRIES_A_MINUTE === 0) onAway(error);
      told = why;
      const wait = FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10);
      await sleep(Math.min(wait, LONGEST_WAIT_MS), undefined, { signal });
    }
  }
}
