import { createHash } from 'node:crypto';
import type { Backend } from './backend.ts';
import { REPLICA_COOKIE } from './cookies.ts';
import type { IncomingRequest } from './incoming-request.ts';
import type { Site } from './routing-table.ts';

const OUR_COOKIE = new RegExp(`(?:^|;)\\s*${REPLICA_COOKIE}=([\\w-]{16})(?=\\s*(?:;|$))`);

export interface BackendChoice {
  backend: Backend;
  /** `Set-Cookie` header for the visitor, who then comes back to this backend; only for sites with sticky sessions. */
  cookie?: string;
}

/**
 * Chooses the backend for a request. Sticky sites keep a visitor's former backend while it exists; otherwise the least
 * busy backend gets the request, round-robin among equally busy ones. `tried` is skipped if there is another backend.
 */
export function chooseBackend(
  site: Site,
  request: Pick<IncomingRequest, 'header'>,
  tried?: Backend,
): BackendChoice | undefined {
  const backends =
    tried && site.backends.length > 1 ? site.backends.filter((one) => one !== tried) : site.backends;
  if (!site.sticky || site.backends.length < 2) {
    const backend = backends.length > 1 ? leastBusy(site, backends) : backends[0];
    return backend && { backend };
  }
  const cookieName = OUR_COOKIE.exec(request.header('cookie') ?? '')?.[1];
  const former =
    cookieName === undefined ? undefined : backends.find((backend) => backendName(backend) === cookieName);
  if (former) return { backend: former };
  const backend = leastBusy(site, backends);
  return (
    backend && {
      backend,
      cookie: `${REPLICA_COOKIE}=${backendName(backend)}; Path=/; HttpOnly; SameSite=Lax`,
    }
  );
}

function leastBusy(site: Site, backends: readonly Backend[]): Backend | undefined {
  let best: Backend | undefined;
  site.turn = (site.turn + 1) % backends.length;
  for (let i = 0; i < backends.length; i += 1) {
    const backend = backends[(site.turn + i) % backends.length] as Backend;
    if (!best || loadOf(backend) < loadOf(best)) best = backend;
  }
  return best;
}

function loadOf({ requests, tunnels }: Backend): number {
  return requests + tunnels.size;
}

const names = new WeakMap<Backend, string>();

/** Backend name in the cookie: a hash, so it is the same on every server and does not reveal the backend's address. */
function backendName(backend: Backend): string {
  const known = names.get(backend);
  if (known !== undefined) return known;
  const origin = backend.target.kind === 'static' ? backend.target.folder : backend.target.origin;
  const name = createHash('sha256').update(origin).digest('base64url').slice(0, 16);
  names.set(backend, name);
  return name;
}
