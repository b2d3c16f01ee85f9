export type Turns = ReturnType<typeof createTurns>;

/**
 * Runs work of one key one after the other, in the order it came. The answers of one event wait for one another in the
 * database anyway, by its row; waiting here, a thousand of them at once hold one connection and not all there are.
 */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
