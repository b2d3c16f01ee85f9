import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { sessionQuery } from '../features/sign-in/api/session.ts';
import { useServerReachable } from '../lib/server-reachability.ts';

const AGAIN_MS = 3_000;

/** Polls an unreachable server until it answers, then repeats the queries that failed and calls `onBack`. */
export function useReconnect(onBack: () => void = () => {}): void {
  const queries = useQueryClient();
  const isReached = useServerReachable();
  const wasReached = useRef(true);
  const handleBack = useEffectEvent(onBack);
  useEffect(() => {
    const isBack = isReached && !wasReached.current;
    wasReached.current = isReached;
    if (isBack) {
      const failed = ({ state }: { state: { error: unknown } }) => state.error !== null;
      queries.refetchQueries({ type: 'active', predicate: failed }).catch(() => {});
      handleBack();
    }
    if (isReached) return;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      await queries.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => {});
      timer = setTimeout(ask, AGAIN_MS);
    };
    timer = setTimeout(ask, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isReached, queries]);
}
