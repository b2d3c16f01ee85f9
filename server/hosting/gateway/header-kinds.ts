import { isProxyCommand } from '../site-rules/proxy-commands.ts';

/** Header that marks requests passed on by a peer gateway; such requests are never passed on again. */
export const PASSED_ON = 'simcha-passed-on';

/** How the gateway treats a header: `plain` ones are passed on as they are. */
export type HeaderKind =
  | 'plain'
  | 'hop-by-hop'
  | 'content-length'
  /** Written or answered by the gateway itself. */
  | 'own'
  | 'forwarding'
  | 'cookie'
  | 'set-cookie'
  | 'authorization'
  /** Has `_` where a header that is not plain has `-`. */
  | 'disguised'
  /** Takes effect beyond the site. */
  | 'forbidden';

// Hop-by-hop headers (RFC 9110, section 7.6.1).
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const OWN = new Set(['host', 'expect', 'proxy-authorization', PASSED_ON]);

const SAME_AS_NAME = new Set<HeaderKind & string>([
  'content-length',
  'cookie',
  'set-cookie',
  'authorization',
]);

/** Maximum number of cached names, and their maximum length. */
const MOST_NAMES = 1_000;
const LONGEST_NAME = 40;

/** Kinds of names that were received, in any case, because most names come again with each request. */
const cached = new Map<string, HeaderKind>();

/** Kind of a header by its name, in any case. */
export function headerKind(name: string): HeaderKind {
  const known = cached.get(name);
  if (known !== undefined) return known;
  const kind = kindOf(name.toLowerCase());
  if (name.length > LONGEST_NAME) return kind;
  if (cached.size >= MOST_NAMES) cached.clear();
  // A part of a longer text would keep the whole text in memory, so the name is copied.
  cached.set(Buffer.from(name, 'latin1').toString('latin1'), kind);
  return kind;
}

function kindOf(name: string): HeaderKind {
  // Many servers read `_` in a name as `-`, so `content_length` could give a request another length there.
  if (name.includes('_')) return kindOf(name.replaceAll('_', '-')) === 'plain' ? 'plain' : 'disguised';
  if (HOP_BY_HOP.has(name)) return 'hop-by-hop';
  if (OWN.has(name)) return 'own';
  if (SAME_AS_NAME.has(name as HeaderKind)) return name as HeaderKind;
  // `clear-site-data` would delete the cookies of the whole registrable domain, including the platform's.
  if (name === 'clear-site-data' || isProxyCommand(name)) return 'forbidden';
  return isForwardingHeader(name) ? 'forwarding' : 'plain';
}

/** True for headers in which proxies describe the request's origin. */
function isForwardingHeader(name: string): boolean {
  return name.startsWith('x-forwarded-') || name === 'forwarded' || name === 'x-real-ip';
}
