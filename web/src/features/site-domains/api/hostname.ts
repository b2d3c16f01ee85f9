import { isRegisteredDomain } from 'simcha-client';
import type { words } from '../words.ts';

/** Problem with a typed host name, as the key of its sentence in words.ts. */
export type HostnameProblem = keyof typeof words & ('notHostname' | 'notPublic' | 'isOurs' | 'isAdded');

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Names below which no public domain lies. */
const PRIVATE = /(^|\.)(localhost|local|internal|onion|invalid|arpa|test)$/;
/** Host name as the DNS has it, of a name or an address that a person typed or pasted; empty for no host name. */
export function hostnameOf(typed: string): string {
  const host = typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/\.$/, '');
  if (host === '' || /[\s\\:@%[\]_*]/.test(host)) return '';
  const { hostname } = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : { hostname: '' };
  return hostname.split('.').every((label) => LABEL.test(label)) ? hostname : '';
}

/**
 * Judges a typed domain as the server would, so that the problem is shown before the form is sent. `ours`: the
 * site's own host name; `added`: domains that the site has.
 */
export function judgeDomain(
  typed: string,
  { ours, added }: { ours: string; added: readonly string[] },
): HostnameProblem | undefined {
  const hostname = hostnameOf(typed);
  if (hostname === '' || !hostname.includes('.') || /(^|\.)\d+$/.test(hostname)) return 'notHostname';
  if (PRIVATE.test(hostname)) return 'notPublic';
  const parent = ours.slice(ours.indexOf('.') + 1);
  if (hostname === parent || hostname.endsWith(`.${parent}`)) return 'isOurs';
  return added.includes(hostname) ? 'isAdded' : undefined;
}

/** Order of domains on the page: each beside the one that differs by `www.` only. */
export function byBareName(
  { hostname: one }: { hostname: string },
  { hostname: other }: { hostname: string },
): number {
  const bare = (hostname: string) => hostname.replace(/^www\./, '');
  return bare(one).localeCompare(bare(other), 'en') || one.length - other.length;
}

/**
 * Second name that people expect beside a domain: with `www.` for a registered one, without it for its `www.`;
 * undefined for any other.
 */
export function siblingOf(hostname: string): string | undefined {
  if (isRegisteredDomain(hostname)) return `www.${hostname}`;
  const bare = hostname.replace(/^www\./, '');
  return bare !== hostname && isRegisteredDomain(bare) ? bare : undefined;
}
