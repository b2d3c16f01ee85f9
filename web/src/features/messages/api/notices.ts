import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type EventNoticesChanges, readNotices, updateNotices } from 'simcha-client';
import { client } from '../../../lib/api.ts';

export const noticesQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'notices'],
    queryFn: async ({ signal }) => (await readNotices({ client, signal, path: { id } })).data.notices,
  });

/** Switches an event's automatic messages on or off, and reloads the switches after success and after failure. */
export function useSwitchNotices(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: EventNoticesChanges) => updateNotices({ client, path: { id }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: noticesQuery(id).queryKey }),
  });
}
