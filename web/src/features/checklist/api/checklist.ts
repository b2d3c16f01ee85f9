import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type Checklist,
  type ChecklistItem,
  type ChecklistItemChanges,
  dismissChecklist,
  type EventFacts,
  idempotencyKey,
  readChecklist,
  readChecklistItem,
  restoreChecklist,
  updateChecklistItem,
  updateFacts,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';

export type ChecklistItemName = ChecklistItem['item'];

/** Checklist of an event, with the facts about the event on which the checklist depends. */
export const checklistQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'checklist'],
    queryFn: async ({ signal }) => (await readChecklist({ client, signal, path: { id } })).data.checklist,
  });

/** Checklist item with its version, which a change of the item's note must send. */
export const checklistItemQuery = (id: string, item: ChecklistItemName) =>
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
  item: ChecklistItemName;
  body: ChecklistItemChanges;
  /** Version of the checklist item. Missing for changes that fit every version, such as marking the item as done. */
  etag?: string;
}

/** Changes an item of an event's checklist. The change is shown at once and taken back if the server refuses it. */
export function useChangeChecklistItem(id: string) {
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

/**
 * Changes facts about the event on which its checklist depends. They are shown at once; the new checklist comes with
 * the server's answer.
 */
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

/** Dismisses the whole checklist of an event, or restores it. */
export function useDismissChecklist(id: string) {
  const { queries, show } = useShown(id);
  return useMutation({
    mutationFn: async (dismissed: boolean) => {
      const asked = { client, path: { id }, headers: idempotencyKey() };
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
