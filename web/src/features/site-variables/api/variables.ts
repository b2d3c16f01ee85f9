import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type GivenValue,
  linkVariableGroup,
  readVariables,
  type SiteVariable,
  type SiteVariables,
  type SiteVariablesChanges,
  unlinkVariableGroup,
  updateVariables,
  type VariableDefinition,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { refreshSite, siteKey } from '../../sites/api/sites.ts';
import type { Variables } from './env-file.ts';

/** Query for the variables of a site, with what production and previews get. */
export const variablesQuery = (name: string) =>
  queryOptions<SiteVariables>({
    queryKey: [...siteKey(name), 'variables'],
    queryFn: async ({ signal }) => (await readVariables({ client, signal, path: { uuid: name } })).data,
  });

/** Sets variables of a site; null deletes one, and absent fields of a variable stay. */
export function useChangeVariables(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: SiteVariablesChanges): Promise<SiteVariables> =>
      (await updateVariables({ client, path: { uuid: name }, body })).data,
    onSuccess: (changed) => queries.setQueryData(variablesQuery(name).queryKey, changed),
    // The form closes at once, and does not wait until all of the site is read anew.
    onSettled: () => {
      refreshSite(queries, name).catch(() => {});
    },
  });
}

/** Links a group to a site, or unlinks it. */
export function useLinkGroup(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ group, isLinked }: { group: string; isLinked: boolean }) => {
      const path = { uuid: name, group };
      await (isLinked ? linkVariableGroup({ client, path }) : unlinkVariableGroup({ client, path }));
      await Promise.all([
        refreshSite(queries, name),
        queries.invalidateQueries({ queryKey: ['variable-groups'] }),
      ]);
    },
  });
}

/** Variable as the list and the form show it: of a site, a preview or a group. */
export interface ShownVariable {
  name: string;
  scope: SiteVariable['scope'];
  /** Value in production; null if there is none. */
  value: string | null;
  /** Value in previews; null if they don't get the variable. */
  previewValue: string | null;
  /** Linked group that sets the value in production; null for the site or group that is shown. */
  group: string | null;
  /** Place where the value of a preview was set; missing in the lists of sites and groups. */
  origin?: GivenValue['from'];
  /** Definition that the site, preview or group itself has. */
  own: VariableDefinition | null;
}

export const shownInSite = ({ name, scope, production, previews, own }: SiteVariable): ShownVariable => ({
  name,
  scope,
  value: production?.value ?? null,
  previewValue: previews?.value ?? null,
  group: own === null || production?.group ? ((production ?? previews)?.group ?? null) : null,
  own,
});

export const shownInGroup = (name: string, own: VariableDefinition): ShownVariable => ({
  name,
  scope: own.scope ?? 'all',
  value: own.value,
  previewValue: own.in_previews ? (own.preview_value ?? own.value) : null,
  group: null,
  own,
});

/** Values that a site, preview or group itself sets, without those for previews, by name. */
export function ownValues(variables: readonly ShownVariable[]): Variables {
  return Object.fromEntries(
    variables.flatMap(({ name, own }) => (typeof own?.value === 'string' ? [[name, own.value]] : [])),
  );
}

/** Changes that bring variables back as they are now. */
export function restoringChanges(
  variables: readonly ShownVariable[],
  names: readonly string[],
): SiteVariablesChanges {
  const own = new Map(variables.map((one) => [one.name, one.own]));
  return Object.fromEntries(names.map((name) => [name, own.get(name) ?? null]));
}
