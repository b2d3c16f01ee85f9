import type { Application } from 'simcha-client';

type Site = Pick<Application, 'application_uuid' | 'name' | 'subdomain' | 'owner' | 'role'>;

/** Sites to which the user may promote a release of `site`, as the server decides it. */
export function promotionTargets<T extends Site>(site: Site, sites: readonly T[]): T[] {
  return sites.filter(
    ({ application_uuid: id, owner, role }) =>
      id !== site.application_uuid && role !== 'look' && (owner === site.owner || site.role !== 'look'),
  );
}
