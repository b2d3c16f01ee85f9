import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type CalendarFeed,
  type CalendarFeedChanges,
  closeCalendarFeed,
  once,
  openCalendarFeed,
  readCalendarFeed,
  renewCalendarFeed,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';

export const feedQuery = queryOptions({
  queryKey: ['calendar-feed'],
  queryFn: async ({ signal }) => (await readCalendarFeed({ client, signal })).data.feed,
});

/** Opens it, or changes what is in it; the address stays. */
export function useOpenFeed() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: CalendarFeedChanges): Promise<CalendarFeed> =>
      (await openCalendarFeed({ client, body })).data.feed,
    onSuccess: (feed) => queries.setQueryData(feedQuery.queryKey, feed),
  });
}

/** Ends its address: another one comes in its place, or none. */
export function useEndAddress() {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(next: 'another' | 'none'): Promise<void> {
      if (next === 'another') await renewCalendarFeed({ client, headers: once() });
      else await closeCalendarFeed({ client });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: feedQuery.queryKey }),
  });
}
