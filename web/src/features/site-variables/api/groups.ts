import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  createVariableGroup,
  deleteVariableGroup,
  idempotencyKey,
  type ListedVariableGroup,
  listVariableGroups,
  readVariableGroup,
  type SiteVariablesChanges,
  updateVariableGroup,
  type VariableGroup,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';

const KEY = ['variable-groups'] as const;

/** Query for the user's groups of variables, without values. */
export const groupsQuery = queryOptions<ListedVariableGroup[]>({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await listVariableGroups({ client, signal })).data.variable_groups,
});

export const groupQuery = (group: string) =>
  queryOptions<VariableGroup>({
    queryKey: [...KEY, group],
    queryFn: async ({ signal }) => (await readVariableGroup({ client, signal, path: { group } })).data,
  });

export function useCreateGroup() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) =>
      (await createVariableGroup({ client, headers: idempotencyKey(), body: { name } })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Sets variables of a group; null deletes one. */
export function useChangeGroup(group: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (variables: SiteVariablesChanges) =>
      (await updateVariableGroup({ client, path: { group }, body: { variables } })).data,
    onSuccess: (changed) => queries.setQueryData(groupQuery(group).queryKey, changed),
    onSettled: () => {
      // Sites to which the group is linked now count as changed.
      queries.invalidateQueries({ queryKey: ['site'] }).catch(() => {});
    },
  });
}

export function useDeleteGroup() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (group: string) => {
      await deleteVariableGroup({ client, path: { group } });
    },
    onSuccess: (_done, group) => {
      queries.removeQueries({ queryKey: groupQuery(group).queryKey });
      return Promise.all([
        queries.invalidateQueries({ queryKey: KEY }),
        queries.invalidateQueries({ queryKey: ['site'] }),
      ]);
    },
  });
}
