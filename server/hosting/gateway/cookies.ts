/**
 * Sites and the platform may share a registrable domain, and cookies are blind to ports: without care the
 * platform's cookies would come along to a site, and a site could plant cookies at the platform (RFC 6265, 8.6).
 */

/**
 * Names of the platform's own cookies: what begins so never reaches a site, and no site may set it. A cookie without a
 * name, `=simcha_x=1`, comes back as `simcha_x=1`.
 */
const PLATFORM_COOKIE = /^[\s=]*(?:__(?:host|secure|http|host-http)-)?simcha[_-]/i;

/** A `Cookie` header without the platform's cookies; empty when nothing is left. */
export function withoutPlatformCookies(header: string): string {
  if (!/simcha/i.test(header)) return header;
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !PLATFORM_COOKIE.test(pair))
    .join('; ');
}

/** Says which of a site's replicas a visitor had, where the site asked for it (balancing.ts). */
export const REPLICA_COOKIE = 'simcha_replica';

export function isReplicaCookie(cookie: string): boolean {
  return cookie.startsWith(`${REPLICA_COOKIE}=`);
}

/** A `Cookie` header on its way to another server of ours, which chooses the replica. */
export function passableCookies(header: string): string {
  const ours = header
    .split(';')
    .map((pair) => pair.trim())
    .filter(isReplicaCookie);
  return [withoutPlatformCookies(header), ...ours].filter((part) => part !== '').join('; ');
}

/**
 * A site's `Set-Cookie` as it may go out; undefined when it may not. A `Domain` that reaches beyond the site's own
 * host is left out, which confines the cookie to that host, where the name is one of ours or the domain covers us.
 */
export function confinedCookie(cookie: string, host: string, ours: readonly string[]): string | undefined {
  if (PLATFORM_COOKIE.test(cookie)) return undefined;
  if (!/;\s*domain/i.test(cookie)) return cookie;
  const parts = cookie.split(';');
  const kept = parts.filter((part, index) => {
    const [, domain = ''] = (index > 0 && /^\s*domain\s*(?:=\s*\.?(.*?)\s*)?$/i.exec(part)) || [];
    return domain === '' || domain.toLowerCase() === host || !reaches(domain.toLowerCase(), host, ours);
  });
  return kept.join(';');
}

/** `ours` are the domains that sites and the platform share names under. */
function reaches(domain: string, host: string, ours: readonly string[]): boolean {
  const covers = (name: string, by: string) => name === by || name.endsWith(`.${by}`);
  return ours.some((own) => covers(host, own) || covers(own, domain));
}
