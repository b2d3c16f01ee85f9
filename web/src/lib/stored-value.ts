import { useCallback, useState } from 'react';

/** State of a component that survives a reload of this tab and is deleted when the tab is closed. */
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

/** Stored values belong to the signed-in user: values that another user left in this tab are deleted. */
export function claimStorageFor(userId: string): void {
  const before = readStored<string>('of');
  if (before !== undefined && before !== userId) forgetStored();
  writeStored('of', userId);
}

/** Deletes all values that are stored in this tab. */
export function forgetStored(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // If the browser blocks the page's storage, no values are stored that could be deleted.
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

/** Stores a value in this tab; the values undefined and '' delete it. */
export function writeStored(name: string, value: unknown): void {
  try {
    if (value === undefined || value === '') sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), JSON.stringify(value));
  } catch {
    // If the page's storage is blocked or full, the error is ignored: the values then last as long as the page.
  }
}
