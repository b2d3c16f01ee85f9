import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { idempotencyKey, makeExampleEvent, readExampleEvent, removeExampleEvent } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { reloadEventLists } from './events.ts';

/** Query for the id of the user's example event; null if the user has none. */
export const exampleQuery = queryOptions({
  queryKey: ['events', 'example'],
  queryFn: async ({ signal }) => (await readExampleEvent({ client, signal })).data.event_id,
});

export function useMakeExample() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => (await makeExampleEvent({ client, headers: idempotencyKey() })).data.event,
    onSuccess: () => reloadEventLists(queries),
  });
}

export function useRemoveExample() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => removeExampleEvent({ client }),
    onSuccess: () => reloadEventLists(queries),
  });
}
