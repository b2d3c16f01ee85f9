import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

/** Does it some time after it is first asked for, and once however often that was; not at all once the page is left. */
export function useAtMostEvery(ms: number, work: () => void): () => void {
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
