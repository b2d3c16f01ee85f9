import { CommonRefusal } from '../refusal.ts';

/** Maximum number of event streams that are open at once on one server for `key`, such as a user. */
export interface Cap {
  key: string;
  most: number;
}

/** Counts the open event streams of each key, such as each user. */
export function createOpenStreams() {
  const open = new Map<string, number>();
  const add = (key: string, change: number) => {
    const count = (open.get(key) ?? 0) + change;
    if (count > 0) open.set(key, count);
    else open.delete(key);
  };

  /**
   * Counts an event stream under each key of `caps`, and returns a function that takes the stream off again. If any of
   * the keys is at its maximum, it throws a 429 and counts the stream under none. The check and the count happen
   * without an await in between, so parallel requests can't exceed the maximum.
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
