import { EventEmitter, once } from 'node:events';

/** Those who follow are told this often, of all that came together. */
const TELL_MS = 50;

export interface News {
  /** There is something new: whoever waits is told soon, once for however much came. */
  soon(): void;
  /** Whoever waits is told now. */
  now(): void;
  /** Resolves at the next news from here on, or with the signal. */
  next(signal: AbortSignal): Promise<void>;
}

export function createNews(): News {
  const told = new EventEmitter().setMaxListeners(0);
  let telling = false;
  return {
    soon() {
      if (telling) return;
      telling = true;
      setTimeout(() => {
        telling = false;
        told.emit('news');
      }, TELL_MS);
    },
    now() {
      told.emit('news');
    },
    next: (signal) =>
      once(told, 'news', { signal }).then(
        () => {},
        () => {},
      ),
  };
}
