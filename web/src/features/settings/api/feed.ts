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

/** Opens the user's calendar feed or changes what it contains; the feed's address stays the same. */
export function useOpenFeed() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: CalendarFeedChanges): Promise<CalendarFeed> =>
      (await openCalendarFeed({ client, body })).data.feed,
    onSuccess: (feed) => queries.setQueryData(feedQuery.queryKey, feed),
  });
}

/** Revokes the address of the user's calendar feed and makes a new one, or closes the feed. */
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
