/**
 * Buffer of items in their order, kept for readers up to a maximum size. A late or slow reader misses the oldest items
 * and delays nobody.
 */
export function createReplayBuffer<Item>(most: number, sizeOf: (item: Item) => number = () => 1) {
  const kept: Item[] = [];
  /** Number of items that the buffer has dropped. */
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
    /** Ends all readers of the buffer after its last item. */
    end(): void {
      isOver = true;
      wake();
    },
    /** Items that the buffer still has, followed by items that are added from now on. */
    fromStart: (signal: AbortSignal): AsyncIterable<Item> => read(0, signal),
    /** Only items that are added from now on, without those already in the buffer. */
    fromNow: (signal: AbortSignal): AsyncIterable<Item> => read(gone + kept.length, signal),
  };
}

export type ReplayBuffer<Item> = ReturnType<typeof createReplayBuffer<Item>>;
