import { isIP } from 'node:net';
import type { Config } from '../../kernel/config.ts';

/** Owner of a host name: the platform or a site. Unknown names count as sites', and get the answer "no such site". */
export type HostOwner = 'platform' | 'site';

/**
 * Normalises the name in a `Host` header: lower case, without port and without the root's dot. Undefined for invalid
 * hosts: with user information, spaces, a path or an invalid port.
 */
export function parseHostName(header: string): string | undefined {
  const [, name, port] = HOST.exec(header) ?? [];
  if (name === undefined || Number(port ?? 0) > 65_535) return undefined;
  const plain = name.toLowerCase();
  return plain.endsWith('.') ? plain.slice(0, -1) : plain;
}

// Pattern for the `Host` header. RFC 9112, section 3.2: no user information. Underscores are not valid in host names of
// the web, but browsers and resolvers accept them. Letters beyond ASCII must come as punycode.
const HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9_-]|\.(?!\.|:|$)){0,252}\.?)(?::(\d{0,5}))?$/i;

/**
 * Distinguishes the platform's own names from those of sites. The platform owns the host of PUBLIC_URL, HOST,
 * PLATFORM_HOSTS, localhost, IP addresses and private names. Other public names never reach the platform: that stops
 * DNS rebinding, where a foreign page's name resolves to this server.
 */
export function hostOwners(
  config: Pick<Config, 'publicUrl' | 'host' | 'appsDomain' | 'platformHosts'>,
): (host: string) => HostOwner {
  const own = new Set([
    'localhost',
    parseHostName(new URL(config.publicUrl).host) ?? '',
    parseHostName(config.host) ?? '',
    ...config.platformHosts,
  ]);
  const underApps = `.${config.appsDomain}`;
  return (host) => {
    if (own.has(host)) return 'platform';
    if (host === config.appsDomain || host.endsWith(underApps)) return 'site';
    return isAddress(host) || isPrivateName(host) ? 'platform' : 'site';
  };
}

export function isAddress(host: string): boolean {
  return host.startsWith('[') ? isIP(host.slice(1, -1)) === 6 : isIP(host) === 4;
}

/** True for names that no public web page can have: a single label (`simcha`), or a name under a private suffix. */
export function isPrivateName(host: string): boolean {
  return !host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

// Suffixes of private host names. .internal: ICANN board resolution 2024.07.29.06; .local: RFC 6762; home.arpa: RFC
// 8375; localhost: RFC 6761.
const PRIVATE_SUFFIXES = ['.internal', '.local', '.home.arpa', '.localhost'];
