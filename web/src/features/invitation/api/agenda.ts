import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type AgendaItem,
  type AgendaItemChanges,
  createAgendaItem,
  deleteAgendaItem,
  listAgenda,
  type NewAgendaItem,
  readAgendaItem,
  updateAgendaItem,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';

/** Query for the agenda of an event, ordered by time, as guests see it. */
export const agendaQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'agenda'],
    queryFn: async ({ signal }) => (await listAgenda({ client, signal, path: { id } })).data.items,
  });

export interface ReadAgendaItem {
  item: AgendaItem;
  etag: string;
}

export const agendaItemQuery = (id: string, agendaItemId: string) =>
  queryOptions({
    queryKey: ['event', id, 'agenda', agendaItemId],
    async queryFn({ signal }): Promise<ReadAgendaItem> {
      const path = { id, agendaItemId };
      const { data, response } = await readAgendaItem({ client, signal, path });
      return { item: data.item, etag: response.headers.get('etag') ?? '' };
    },
  });

export function useAddAgendaItem(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key }: { body: NewAgendaItem; key: string }) =>
      (await createAgendaItem({ client, path: { id }, body, headers: { 'idempotency-key': key } })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: agendaQuery(id).queryKey, exact: true }),
  });
}

export function useChangeAgendaItem(id: string, agendaItemId: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ body, etag }: { body: AgendaItemChanges; etag: string }) {
      const path = { id, agendaItemId };
      const headers = { 'if-match': etag };
      const { data, response } = await updateAgendaItem({ client, path, body, headers });
      return { ...data, etag: response.headers.get('etag') ?? '' };
    },
    onSuccess({ item, etag }) {
      queries.setQueryData(agendaItemQuery(id, agendaItemId).queryKey, { item, etag });
      return queries.invalidateQueries({ queryKey: agendaQuery(id).queryKey, exact: true });
    },
  });
}

export function useRemoveAgendaItem(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id: agendaItemId }: AgendaItem) =>
      deleteAgendaItem({ client, path: { id, agendaItemId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: agendaQuery(id).queryKey, exact: true }),
  });
}
