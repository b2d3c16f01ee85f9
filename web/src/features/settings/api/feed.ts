import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type CalendarFeed,
  type CalendarFeedChanges,
  closeCalendarFeed,
  idempotencyKey,
  openCalendarFeed,
  readCalendarFeed,
  renewCalendarFeed,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';

export const feedQuery = queryOptions({
  queryKey: ['calendar-feed'],
  queryFn: async ({ signal }) => (await readCalendarFeed({ client, signal })).data.feed,
});

/** Opens the calendar feed or changes its contents; its address stays. */
export function useOpenFeed() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: CalendarFeedChanges): Promise<CalendarFeed> =>
      (await openCalendarFeed({ client, body })).data.feed,
    onSuccess: (feed) => queries.setQueryData(feedQuery.queryKey, feed),
  });
}

/** Revokes the feed's address and replaces it, or closes the feed. */
export function useEndAddress() {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(next: 'another' | 'none'): Promise<void> {
      if (next === 'another') await renewCalendarFeed({ client, headers: idempotencyKey() });
      else await closeCalendarFeed({ client });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: feedQuery.queryKey }),
  });
}
