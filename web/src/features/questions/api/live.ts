import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive } from '../../events/api/live.ts';
import { questionsQuery } from '../../guests/api/guests.ts';

/** However much comes in, the numbers are not read again more often. */
const APART_MS = 500;

/** What guests answer, and what others ask them, while one looks: after whatever changes the counts come. */
export function useLiveNumbers(eventId: string): boolean {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useLive(eventId, ({ event }) => {
    if (event !== 'counts') return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      queries.invalidateQueries({ queryKey: ['event', eventId, 'numbers'] }).catch(() => {});
      queries.invalidateQueries({ queryKey: questionsQuery(eventId).queryKey }).catch(() => {});
    }, APART_MS);
  });
}
