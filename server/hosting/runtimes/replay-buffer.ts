/**
 * What happens one after the other, kept for readers up to a bound: who reads late, or slowly, misses the oldest and
 * holds up nobody.
 */
export function createReplayBuffer<Item>(most: number, sizeOf: (item: Item) => number = () => 1) {
  const kept: Item[] = [];
  /** How many were kept before the first that is. */
  let gone = 0;
  let size = 0;
  let isOver = false;
  let changed = Promise.withResolvers<void>();
  const wake = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  async function* read(from: number, signal: AbortSignal): AsyncGenerator<Item> {
    const stopped = Promise.withResolvers<void>();
    const stop = () => stopped.resolve();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (let at = from; !signal.aborted; ) {
        at = Math.max(at, gone);
        const item = kept[at - gone];
        if (item !== undefined) {
          at += 1;
          yield item;
        } else if (isOver) return;
        else await Promise.race([changed.promise, stopped.promise]);
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  return {
    put(item: Item): void {
      kept.push(item);
      size += sizeOf(item);
      while (size > most && kept.length > 1) {
        size -= sizeOf(kept.shift() as Item);
        gone += 1;
      }
      wake();
    },
    /** Nothing more will happen. */
    end(): void {
      isOver = true;
      wake();
    },
    /** All that is kept, then what comes. */
    fromStart: (signal: AbortSignal): AsyncIterable<Item> => read(0, signal),
    /** What comes from now on. */
    fromNow: (signal: AbortSignal): AsyncIterable<Item> => read(gone + kept.length, signal),
  };
}

export type ReplayBuffer<Item> = ReturnType<typeof createReplayBuffer<Item>>;
