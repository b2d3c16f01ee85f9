import type { Application, Deployment } from 'simcha-client';

export interface ListedSite {
  site: Application;
  /** Last deployment of the production site; undefined if there is none. */
  last: Deployment | undefined;
}

/** Sites that need their owner come first: those that are down, then those whose last deployment failed. */
function urgency({ site: { status }, last }: ListedSite): number {
  if (status === 'down' || status === 'failed') return 0;
  if (last?.status === 'failed') return 1;
  return status === 'deploying' ? 2 : 3;
}

const changedAt = ({ site, last }: ListedSite): string => last?.requested_at ?? site.created_at;

/** Sites in the order of the list: the most urgent first, then the most recently deployed. */
export function inOrder(sites: readonly ListedSite[]): ListedSite[] {
  return sites.toSorted(
    (one, other) => urgency(one) - urgency(other) || (changedAt(one) < changedAt(other) ? 1 : -1),
  );
}
