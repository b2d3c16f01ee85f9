import { useCallback, useState } from 'react';

/** A state that outlives a reload of this tab, and goes with it. */
export function useStored<T>(name: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => readStored(name) ?? initial);
  const keep = useCallback(
    (next: T) => {
      setValue(next);
      writeStored(name, next);
    },
    [name],
  );
  return [value, keep];
}

const PREFIX = 'simcha.kept.';
const keyOf = (name: string) => PREFIX + name;

/** What is kept here is theirs who are signed in: whatever somebody else typed in this tab goes. */
export function keepFor(userId: string): void {
  const before = readStored<string>('of');
  if (before !== undefined && before !== userId) forgetStored();
  writeStored('of', userId);
}

/** All that was kept in this tab. */
export function forgetStored(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing.
  }
}

export function readStored<T>(name: string): T | undefined {
  try {
    const kept = sessionStorage.getItem(keyOf(name));
    return kept === null ? undefined : (JSON.parse(kept) as T);
  } catch {
    return undefined;
  }
}

/** undefined and '' forget it. */
export function writeStored(name: string, value: unknown): void {
  try {
    if (value === undefined || value === '') sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), JSON.stringify(value));
  } catch {
    // A browser that keeps nothing, or has no room: what is typed lives as long as the page.
  }
}
