import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { readRules, type SiteRules, type SiteRulesChanges, updateRules } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { siteKey } from '../../sites/api/sites.ts';

/** Sites to which a rule applies. */
export type RuleScope = SiteRules['maintenance'];
export const RULE_SCOPES = ['off', 'production', 'previews', 'all'] as const satisfies readonly RuleScope[];

export const rulesQuery = (name: string) =>
  queryOptions<SiteRules>({
    queryKey: [...siteKey(name), 'rules'],
    queryFn: async ({ signal }) => (await readRules({ client, signal, path: { uuid: name } })).data,
  });

export function useChangeRules(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: SiteRulesChanges) =>
      (await updateRules({ client, path: { uuid: name }, body })).data,
    onSuccess: (rules) => queries.setQueryData(rulesQuery(name).queryKey, rules),
  });
}
