import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive } from '../../events/api/live.ts';
import { lineQuery } from './line.ts';
import { readRequestsAgain } from './requests.ts';

/** However much comes in, it is not read again more often. */
const APART_MS = 300;

/** Who asks to come, waits, or gets a place while one looks. */
export function useLiveWaiting(eventId: string): boolean {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useLive(eventId, ({ event }) => {
    if (event === 'counts') return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      readRequestsAgain(queries, eventId).catch(() => {});
      queries.invalidateQueries({ queryKey: lineQuery(eventId).queryKey }).catch(() => {});
    }, APART_MS);
  });
}
