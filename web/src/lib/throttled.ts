import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

/**
 * Limits how often a function runs. Several calls within `ms` run it once, `ms` after the first call. Leaving the page
 * cancels the run.
 */
export function useThrottled(ms: number, work: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const done = useEffectEvent(work);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      done();
    }, ms);
  }, [ms]);
}
