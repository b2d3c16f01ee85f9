import { useSyncExternalStore } from 'react';

let isReached = true;
const listeners = new Set<() => void>();

/** Records whether the server answered the last request. */
export function setServerReachable(now: boolean): void {
  if (now === isReached) return;
  isReached = now;
  for (const listener of listeners) listener();
}

export const useServerReachable = (): boolean => useSyncExternalStore(subscribe, () => isReached);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
