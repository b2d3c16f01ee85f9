import { useCallback, useRef } from 'react';
import { useStored } from './stored-value.ts';

/** Idempotency key of a form for its current values: submitting again after a lost answer creates nothing twice. */
export function useIdempotencyKey(): (typed: unknown) => string {
  const last = useRef({ typed: '', key: '' });
  return useCallback((typed) => {
    const now = JSON.stringify(typed);
    if (last.current.typed !== now) last.current = { typed: now, key: crypto.randomUUID() };
    return last.current.key;
  }, []);
}

/** Idempotency key for restoring one deletion from the trash. A later deletion of the same thing has another key. */
export const restoreKeyOf = ({ id, until }: { id: string; until: string }): string => `return:${id}:${until}`;

/**
 * Idempotency key of a form whose values survive a reload. If a request got no response, submitting the same values
 * again does not do the work twice.
 */
export function useStoredIdempotencyKey(draftKey: string) {
  const [sent, keepSent] = useStored<{ typed: string; key: string } | undefined>(
    `${draftKey}-sent`,
    undefined,
  );
  return {
    keyOf(typed: unknown): string {
      const now = JSON.stringify(typed);
      if (sent?.typed === now) return sent.key;
      const key = crypto.randomUUID();
      keepSent({ typed: now, key });
      return key;
    },
    /** Forgets the idempotency key after success: submitting the same values again creates another item. */
    forget: () => keepSent(undefined),
  };
}
