import type { Application, Deployment } from 'simcha-client';

/** Release of a site that was live. */
export interface SiteRelease {
  /** Newest deployment that ran the release. A rollback names it. */
  deployment: Deployment;
  /** First deployment that ran it, which built it unless that is no longer listed. */
  first: Deployment;
  isCurrent: boolean;
  /** True if the release is still stored, so that the site can return to it. */
  isStored: boolean;
}

/**
 * Releases among deployments, which come newest first. Several deployments run one release: restarts and rollbacks.
 * The releases are sorted by the time at which they were first live, newest first.
 */
export function releasesOf(deployments: readonly Deployment[]): SiteRelease[] {
  const releases = new Map<string, SiteRelease>();
  for (const deployment of deployments) {
    if (deployment.status !== 'live') continue;
    // A deleted release has no identifier any more; its deployments have its commit.
    const key = deployment.release_uuid ?? `deleted ${deployment.commit_hash}`;
    const known = releases.get(key);
    releases.delete(key);
    releases.set(key, {
      deployment: known?.deployment ?? deployment,
      first: deployment,
      isCurrent: deployment.is_current || known?.isCurrent === true,
      isStored: deployment.release_uuid !== null,
    });
  }
  return [...releases.values()].sort((one, other) => (madeAt(one) < madeAt(other) ? 1 : -1));
}

const madeAt = ({ first }: SiteRelease): string => first.ended_at ?? first.requested_at;

/** Promotion that brought a release to the site, or that made it live again; undefined if none did. */
export function promotionOf({
  deployment,
  first,
  isCurrent,
}: Pick<SiteRelease, 'deployment' | 'first' | 'isCurrent'>): Deployment | undefined {
  return [...(isCurrent ? [deployment] : []), first].find(({ action }) => action === 'promote');
}

/** Path between a repository and its commits on the hosts that show them at a known address. */
const COMMIT_HOSTS: Readonly<Record<string, string>> = {
  'github.com': '',
  'codeberg.org': '',
  'gitlab.com': '/-',
};

/** Addresses of a commit, and of its comparison with another one, at the repository's host; undefined if not known. */
export function hostLinks({ repository }: Pick<Application, 'repository'>) {
  const [, host = '', path = ''] =
    /^(?:https:\/\/(?:[^@/]*@)?|ssh:\/\/git@|git@)([^/:]+)[/:](.+?)(?:\.git)?\/?$/.exec(repository ?? '') ??
    [];
  const between = COMMIT_HOSTS[host.toLowerCase()];
  if (between === undefined) return undefined;
  const base = `https://${host}/${path}${between}`;
  return {
    commit: (hash: string) => `${base}/commit/${hash}`,
    comparison: (from: string, to: string) => `${base}/compare/${from}...${to}`,
  };
}
