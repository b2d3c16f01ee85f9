import type { SiteProblem } from './messages.ts';
import type { Site } from './routing-table.ts';

/**
 * Problem that keeps requests from a site; undefined if there is none. `isComplete`: false until the routing table was
 * filled for the first time.
 */
export function problemOfSite(site: Site | undefined, isComplete: boolean): SiteProblem | undefined {
  if (!site) return isComplete ? 'no_such_site' : 'site_starting';
  const hasBackend = site.backends.length > 0;
  switch (site.state) {
    case 'starting':
    case 'returning':
    case 'asleep':
      return hasBackend ? undefined : 'site_starting';
    case 'elsewhere':
    case 'unhosted':
      return 'site_elsewhere';
    case 'stopped':
      return 'site_stopped';
    case 'down':
      return 'site_down';
    case 'live':
      return hasBackend ? undefined : 'site_down';
  }
}
