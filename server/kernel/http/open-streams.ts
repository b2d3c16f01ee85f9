import { CommonRefusal } from '../refusal.ts';

/** How many streams may be open at the same time for `key`, on one server. */
export interface Cap {
  key: string;
  most: number;
}

/** Counts what is open under each key. */
export function createOpenStreams() {
  const open = new Map<string, number>();
  const add = (key: string, change: number) => {
    const count = (open.get(key) ?? 0) + change;
    if (count > 0) open.set(key, count);
    else open.delete(key);
  };

  /**
   * Counts one more under every key, or none and throws a 429 where one is at its most; gives what counts it back.
   * Nothing is awaited between the look and the count, so no number of requests at once gets past it.
   */
  return (caps: readonly Cap[]): (() => void) => {
    if (caps.some(({ key, most }) => (open.get(key) ?? 0) >= most)) {
      throw new CommonRefusal(429, 'too_many_requests');
    }
    for (const { key } of caps) add(key, 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      for (const { key } of caps) add(key, -1);
    };
  };
}
