import type { Config } from '../config.ts';

/** A year in seconds, for which browsers use https alone. */
const HTTPS_ONLY_SECONDS = 31_536_000;

/**
 * Headers that protect responses in browsers, as Helmet sets them, without those that no current browser reads. Pages
 * have a policy of their own in place of this one, which allows nothing.
 */
export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> {
  return {
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    // The API can be used from pages of other origins, as far as CORS allows.
    'cross-origin-resource-policy': 'cross-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // TLS ends at a proxy in front of this server; PUBLIC_URL says whether there is one.
    ...(publicUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${HTTPS_ONLY_SECONDS}; includeSubDomains`,
    }),
  };
}
