import { useSyncExternalStore } from 'react';

let isReached = true;
const listeners = new Set<() => void>();

/** Notes whether the server answered the last request. */
export function setServerReachable(now: boolean): void {
  if (now === isReached) return;
  isReached = now;
  for (const told of listeners) told();
}

export const useServerReachable = (): boolean => useSyncExternalStore(subscribe, () => isReached);

function subscribe(told: () => void): () => void {
  listeners.add(told);
  return () => listeners.delete(told);
}
