import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Event, readCalendarDays } from 'simcha-client';
import { client } from './api.ts';

/**
 * Query for the days of the calendar (Hebrew date, sunset, advice) from `from` to `to`. The days stay the same while a
 * page is open, except for their language.
 */
export const daysQuery = (asked: { from: string; to: string; language: Event['language_pref'] }) =>
  queryOptions({
    queryKey: ['calendar', asked],
    staleTime: 3_600_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await readCalendarDays({ client, signal, query: asked })).data.days,
  });
