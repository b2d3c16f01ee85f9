import { useCallback, useRef } from 'react';
import { useKept } from './kept.ts';

/** One idempotency key for one form as it stands: sent again after a lost answer, it makes no second thing. */
export function useOnceKey(): (typed: unknown) => string {
  const last = useRef({ typed: '', key: '' });
  return useCallback((typed) => {
    const now = JSON.stringify(typed);
    if (last.current.typed !== now) last.current = { typed: now, key: crypto.randomUUID() };
    return last.current.key;
  }, []);
}

/** Does something to one of many; asked again after a lost answer, it does it to none twice. */
export function useOncePerThing<T>(work: (id: string, headers: { 'idempotency-key': string }) => Promise<T>) {
  const keys = useRef(new Map<string, string>());
  return async (id: string): Promise<T> => {
    const key = keys.current.get(id) ?? crypto.randomUUID();
    keys.current.set(id, key);
    const answer = await work(id, { 'idempotency-key': key });
    keys.current.delete(id);
    return answer;
  };
}

/** The same for a form whose values outlive a reload: what was sent before one and answered to nobody is not made twice. */
export function useKeptOnceKey(keptAs: string) {
  const [sent, keepSent] = useKept<{ typed: string; key: string } | undefined>(`${keptAs}-sent`, undefined);
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
