import { useCallback, useRef } from 'react';

/** One idempotency key for one form as it stands: sent again after a lost answer, it makes no second thing. */
export function useOnceKey(): (typed: unknown) => string {
  const last = useRef({ typed: '', key: '' });
  return useCallback((typed) => {
    const now = JSON.stringify(typed);
    if (last.current.typed !== now) last.current = { typed: now, key: crypto.randomUUID() };
    return last.current.key;
  }, []);
}
