import { setTimeout as sleep } from 'node:timers/promises';

interface Reader<State> {
  /** Latest state that the reader has not read yet. */
  state?: State;
  failure?: { error: unknown };
  wake: () => void;
}

/**
 * Calls `look` again and again while there are readers, and gives each of them the latest state; undefined is skipped.
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
     * States from now on, until the signal aborts; a slow reader gets only the latest state. Throws errors of `look`.
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

    /** Calls `look` again at once. */
    hurry: (): void => hurry.abort(),
  };
}
