import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  readVariables,
  type SiteVariable,
  type SiteVariables,
  type SiteVariablesChanges,
  updateEnvironment,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { refreshSite, siteKey } from '../../sites/api/sites.ts';
import type { ShownVariable } from './variables.ts';

/** Query for the variables of a site, with what this preview gets. */
export const previewVariablesQuery = (name: string, preview: string) =>
  queryOptions<SiteVariables>({
    queryKey: [...siteKey(name), 'previews', preview, 'variables'],
    queryFn: async ({ signal }) =>
      (await readVariables({ client, signal, path: { uuid: name }, query: { preview } })).data,
  });

/** Sets a preview's own values; null deletes one, so that the preview gets the site's again. */
export function useChangePreviewVariables(name: string, preview: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (changes: SiteVariablesChanges) => {
      const body = Object.fromEntries(
        Object.entries(changes).map(([variable, change]) => [variable, change?.value ?? null]),
      );
      await updateEnvironment({ client, path: { uuid: name }, query: { preview }, body });
      await queries.invalidateQueries({ queryKey: previewVariablesQuery(name, preview).queryKey });
    },
    onSettled: () => {
      refreshSite(queries, name).catch(() => {});
    },
  });
}

/** Variable as a preview gets it; nothing if the preview does not get it. */
export function shownInPreview({ name, scope, previews }: SiteVariable): ShownVariable[] {
  if (previews === null) return [];
  const { value, from, group } = previews;
  const own = from === 'preview' ? { value, preview_value: null, scope: null, in_previews: true } : null;
  return [{ name, scope, value, previewValue: value, group, origin: from, own }];
}
