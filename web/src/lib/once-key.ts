import { useCallback, useRef } from 'react';
import { useStored } from './stored-value.ts';

/** One idempotency key for one form as it stands: sent again after a lost answer, it makes no second thing. */
export function useOnceKey(): (typed: unknown) => string {
  const last = useRef({ typed: '', key: '' });
  return useCallback((typed) => {
    const now = JSON.stringify(typed);
    if (last.current.typed !== now) last.current = { typed: now, key: crypto.randomUUID() };
    return last.current.key;
  }, []);
}

/** For what takes back one deletion, and no later one of the same thing: as it stands in a list of what was deleted. */
export const keyOfReturn = ({ id, until }: { id: string; until: string }): string => `return:${id}:${until}`;

/** The same for a form whose values outlive a reload: what was sent before one and answered to nobody is not made twice. */
export function useKeptOnceKey(keptAs: string) {
  const [sent, keepSent] = useStored<{ typed: string; key: string } | undefined>(`${keptAs}-sent`, undefined);
  return {
    keyOf(typed: unknown): string {
      const now = JSON.stringify(typed);
      if (sent?.typed === now) return sent.key;
      const key = crypto.randomUUID();
      keepSent({ typed: now, key });
      return key;
    },
    /** Once it is stored: the same typed again is another one. */
    forget: () => keepSent(undefined),
  };
}
