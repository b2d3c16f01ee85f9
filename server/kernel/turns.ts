import { randomUUID } from 'node:crypto';

export type Turns = ReturnType<typeof createTurns>;

/**
 * Runs work of one key one after the other, in the order it came, also after a failure; other keys don't wait. Within
 * this process alone: what must hold between servers is the database's to keep, and whoever waits here for something
 * the database would make them wait for does so without holding a connection.
 */
export function createTurns() {
  // Locks go by name through the whole process.
  const scope = randomUUID();
  return <T>(key: string, work: () => Promise<T>): Promise<T> =>
    navigator.locks.request(`${scope} ${key}`, work);
}
