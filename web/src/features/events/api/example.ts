import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { makeExampleEvent, once, readExampleEvent, removeExampleEvent } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { forgetLists } from './events.ts';

/** Identifier of the user's example event; null if there is none. */
export const exampleQuery = queryOptions({
  queryKey: ['events', 'example'],
  queryFn: async ({ signal }) => (await readExampleEvent({ client, signal })).data.event_id,
});

export function useMakeExample() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => (await makeExampleEvent({ client, headers: once() })).data.event,
    onSuccess: () => forgetLists(queries),
  });
}

export function useRemoveExample() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => removeExampleEvent({ client }),
    onSuccess: () => forgetLists(queries),
  });
}
