import { isIP } from 'node:net';
import type { Config } from '../../kernel/config.ts';

/** Who a host name belongs to. A name that nobody has is a site's too: one that is not there. */
export type Owner = 'platform' | 'site';

/**
 * The name in a `Host` header as sites are known by: lower case, without port and without the root's dot.
 * undefined for what is no host at all: user information, spaces, a path, a port that is none.
 */
export function hostName(header: string): string | undefined {
  const [, name, port] = HOST.exec(header) ?? [];
  if (name === undefined || Number(port ?? 0) > 65_535) return undefined;
  const plain = name.toLowerCase();
  return plain.endsWith('.') ? plain.slice(0, -1) : plain;
}

// RFC 9112, section 3.2: no user information in Host. Underscores are in no host name of the web, but browsers and
// resolvers take them; letters beyond ASCII must come as punycode.
const HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9_-]|\.(?!\.|:|$)){0,252}\.?)(?::(\d{0,5}))?$/i;

/**
 * Tells the platform's own names from those of sites. The platform's are the host of PUBLIC_URL, HOST,
 * PLATFORM_HOSTS, localhost, addresses and private names. A name of the public web that is none of ours never
 * reaches the platform: a page of somebody else's whose name is made to lead here (DNS rebinding) stays outside.
 */
export function hostOwners(
  config: Pick<Config, 'publicUrl' | 'host' | 'appsDomain' | 'platformHosts'>,
): (host: string) => Owner {
  const own = new Set([
    'localhost',
    hostName(new URL(config.publicUrl).host) ?? '',
    hostName(config.host) ?? '',
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

/** A name that no page of the public web can have: one label (`simcha`), or under a suffix kept for private use. */
export function isPrivateName(host: string): boolean {
  return !host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

// .internal: ICANN board resolution 2024.07.29.06; .local: RFC 6762; home.arpa: RFC 8375; localhost: RFC 6761.
const PRIVATE_SUFFIXES = ['.internal', '.local', '.home.arpa', '.localhost'];
