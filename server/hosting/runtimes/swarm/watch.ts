import { setTimeout as sleep } from 'node:timers/promises';

interface Reader<State> {
  /** Latest state that this reader (code that follows the state) has not taken yet. */
  state?: State;
  failure?: { error: unknown };
  wake: () => void;
}

/**
 * Watches a state that changes, such as a cluster's. As long as any code follows the state, `look` is called regularly
 * to read it, and each follower gets the latest state. If `look` returns undefined, followers get nothing.
 */
export function createWatch<State>(look: () => Promise<State | undefined>, everyMs: number) {
  const readers = new Set<Reader<State>>();
  let hurry = new AbortController();
  let isLooking = false;

  const goOn = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    while (readers.size > 0) {
      const found = await look().then(
        (state) => (state === undefined ? {} : { state }),
        (error) => ({ failure: { error } }),
      );
      for (const reader of readers) {
        Object.assign(reader, found);
        reader.wake();
      }
      hurry = new AbortController();
      await sleep(everyMs, undefined, { signal: hurry.signal }).catch(() => {});
    }
    isLooking = false;
  };

  return {
    /**
     * Each state that `look` returns from now on, until the signal aborts; a slow reader gets only the latest one.
     * Throws the errors of `look`.
     */
    async *states(signal: AbortSignal): AsyncGenerator<State> {
      let changed = Promise.withResolvers<void>();
      const reader: Reader<State> = { wake: () => changed.resolve() };
      const stop = () => changed.resolve();
      signal.addEventListener('abort', stop, { once: true });
      readers.add(reader);
      void goOn();
      try {
        while (!signal.aborted) {
          await changed.promise;
          changed = Promise.withResolvers();
          if (signal.aborted) return;
          const { state, failure } = reader;
          delete reader.state;
          delete reader.failure;
          if (failure) throw failure.error;
          if (state !== undefined) yield state;
        }
      } finally {
        readers.delete(reader);
        signal.removeEventListener('abort', stop);
      }
    },

    /** Reads the state at once, without waiting for the next regular read. */
    hurry: (): void => hurry.abort(),
  };
}
