import { createHash } from 'node:crypto';
import { REPLICA_COOKIE } from './cookies.ts';
import type { Backend, Site } from './routing-table.ts';

const OUR_COOKIE = new RegExp(`(?:^|;)\\s*${REPLICA_COOKIE}=([\\w-]{16})(?=\\s*(?:;|$))`);

export interface Choice {
  door: Backend;
  /** `Set-Cookie` value that brings the visitor back to this backend; only for sites with sticky sessions. */
  cookie?: string;
}

/**
 * Chooses the backend for a request. Sticky sites keep a visitor's former backend while it exists; otherwise the least
 * busy backend gets the request, round-robin among equally busy ones. `tried` is skipped if there is another backend.
 */
export function choose(site: Site, cookies: string | undefined, tried?: Backend): Choice | undefined {
  const doors = tried && site.doors.length > 1 ? site.doors.filter((one) => one !== tried) : site.doors;
  if (!site.sticky || site.doors.length < 2) {
    const door = doors.length > 1 ? leastBusy(site, doors) : doors[0];
    return door && { door };
  }
  const kept = OUR_COOKIE.exec(cookies ?? '')?.[1];
  const before = kept === undefined ? undefined : doors.find((door) => nameOf(door) === kept);
  if (before) return { door: before };
  const door = leastBusy(site, doors);
  return door && { door, cookie: `${REPLICA_COOKIE}=${nameOf(door)}; Path=/; HttpOnly; SameSite=Lax` };
}

function leastBusy(site: Site, doors: readonly Backend[]): Backend | undefined {
  let best: Backend | undefined;
  site.turn = (site.turn + 1) % doors.length;
  for (let i = 0; i < doors.length; i += 1) {
    const door = doors[(site.turn + i) % doors.length] as Backend;
    if (!best || load(door) < load(best)) best = door;
  }
  return best;
}

function load({ requests, tunnels }: Backend): number {
  return requests + tunnels.size;
}

const names = new WeakMap<Backend, string>();

/** Backend name in the cookie: a hash, so it is the same on every server and does not reveal the backend's address. */
function nameOf(door: Backend): string {
  const known = names.get(door);
  if (known !== undefined) return known;
  const origin = door.target.kind === 'static' ? door.target.folder : door.target.origin;
  const name = createHash('sha256').update(origin).digest('base64url').slice(0, 16);
  names.set(door, name);
  return name;
}
