/**
 * Sites and the platform may share a registrable domain, and cookies ignore ports. Without this filter browsers would
 * send the platform's cookies to sites, and a site could plant cookies at the platform (RFC 6265, 8.6).
 */

/**
 * Prefix of the platform's own cookies. Such cookies never reach a site, and no site may set them. A cookie without a
 * name, `=simcha_x=1`, comes back as `simcha_x=1`, so leading `=` signs are matched too.
 */
const PLATFORM_COOKIE = /^[\s=]*(?:__(?:host|secure|http|host-http)-)?simcha[_-]/i;

/** Removes the platform's cookies from a `Cookie` header. Returns an empty string if nothing is left. */
export function withoutPlatformCookies(header: string): string {
  if (!/simcha/i.test(header)) return header;
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !PLATFORM_COOKIE.test(pair))
    .join('; ');
}

/** Cookie with the name of the replica that served a visitor, for sites with sticky sessions (balancing.ts). */
export const REPLICA_COOKIE = 'simcha_replica';

export function isReplicaCookie(cookie: string): boolean {
  return cookie.startsWith(`${REPLICA_COOKIE}=`);
}

/**
 * Filters a `Cookie` header that goes to a peer gateway: the replica cookie stays, because the peer chooses the
 * replica.
 */
export function peerCookies(header: string): string {
  const ours = header
    .split(';')
    .map((pair) => pair.trim())
    .filter(isReplicaCookie);
  return [withoutPlatformCookies(header), ...ours].filter((part) => part !== '').join('; ');
}

/**
 * Filters a site's `Set-Cookie` header. Undefined if the cookie must not reach the visitor. A `Domain` wider than the
 * site's own host is removed if the host is one of the platform's domains or the cookie would reach one of them; the
 * cookie then applies to the site's host alone.
 */
export function restrictCookie(cookie: string, host: string, ours: readonly string[]): string | undefined {
  if (PLATFORM_COOKIE.test(cookie)) return undefined;
  if (!/;\s*domain/i.test(cookie)) return cookie;
  const parts = cookie.split(';');
  const kept = parts.filter((part, index) => {
    const [, domain = ''] = (index > 0 && /^\s*domain\s*(?:=\s*\.?(.*?)\s*)?$/i.exec(part)) || [];
    return (
      domain === '' || domain.toLowerCase() === host || !coversOwnDomains(domain.toLowerCase(), host, ours)
    );
  });
  return kept.join(';');
}

/**
 * True if a cookie for `domain` could reach the platform or other sites. `ours`: domains that sites and the platform
 * share.
 */
function coversOwnDomains(domain: string, host: string, ours: readonly string[]): boolean {
  const covers = (name: string, by: string) => name === by || name.endsWith(`.${by}`);
  return ours.some((own) => covers(host, own) || covers(own, domain));
}
