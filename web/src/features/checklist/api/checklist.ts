import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type Checklist,
  type ChecklistItem,
  type ChecklistItemChanges,
  dismissChecklist,
  type EventFacts,
  once,
  readChecklist,
  readChecklistItem,
  restoreChecklist,
  updateChecklistItem,
  updateFacts,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';

export type Item = ChecklistItem['item'];

/** With the facts that it follows from. */
export const checklistQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'checklist'],
    queryFn: async ({ signal }) => (await readChecklist({ client, signal, path: { id } })).data.checklist,
  });

/** One item as it is now, and of which version: what is written over it says what it was made of. */
export const checklistItemQuery = (id: string, item: Item) =>
  queryOptions({
    queryKey: ['event', id, 'checklist-item', item],
    async queryFn({ signal }) {
      const { data, response } = await readChecklistItem({ client, signal, path: { id, item } });
      return { item: data.item, etag: response.headers.get('etag') ?? '' };
    },
  });

const readAgain = (queries: QueryClient, id: string) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: checklistQuery(id).queryKey }),
    queries.invalidateQueries({ queryKey: ['event', id, 'history'] }),
  ]);

function useShown(id: string) {
  const queries = useQueryClient();
  return {
    queries,
    show: (checklist: Checklist) => queries.setQueryData(checklistQuery(id).queryKey, checklist),
  };
}

interface ChangedItem {
  item: Item;
  body: ChecklistItemChanges;
  /** Left out where what is said holds whatever else was changed, such as that it is done. */
  etag?: string;
}

/** Shown at once; where the server will not have it, as it was. */
export function useChangeItem(id: string) {
  const { queries, show } = useShown(id);
  return useMutation({
    mutationFn: async ({ item, body, etag }: ChangedItem) =>
      (
        await updateChecklistItem({
          client,
          path: { id, item },
          body,
          ...(etag && { headers: { 'if-match': etag } }),
        })
      ).data.item,
    async onMutate({ item, body }) {
      const { queryKey } = checklistQuery(id);
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueryData(queryKey);
      if (before)
        show({
          ...before,
          items: before.items.map((one) => (one.item === item ? { ...one, ...body } : one)),
        });
      return before;
    },
    onError(_error, _change, before) {
      if (before) show(before);
    },
    onSettled: () => readAgain(queries, id),
  });
}

/** Shown at once; the list that follows comes with the answer. */
export function useChangeFacts(id: string) {
  const { queries, show } = useShown(id);
  return useMutation({
    mutationFn: async (body: Partial<EventFacts>) =>
      (await updateFacts({ client, path: { id }, body })).data.checklist,
    onMutate(body) {
      const before = queries.getQueryData(checklistQuery(id).queryKey);
      if (before) show({ ...before, facts: { ...before.facts, ...body } });
      return before;
    },
    onSuccess: show,
    onError(_error, _change, before) {
      if (before) show(before);
    },
    onSettled: () => readAgain(queries, id),
  });
}

/** As a whole, and back. */
export function useDismissChecklist(id: string) {
  const { queries, show } = useShown(id);
  return useMutation({
    mutationFn: async (dismissed: boolean) => {
      const asked = { client, path: { id }, headers: once() };
      return (await (dismissed ? dismissChecklist(asked) : restoreChecklist(asked))).data.checklist;
    },
    onSuccess: show,
    onSettled: () =>
      Promise.all([
        readAgain(queries, id),
        queries.invalidateQueries({ queryKey: ['event', id], exact: true }),
      ]),
  });
}
