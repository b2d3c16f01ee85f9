import { parseHostName } from './hosts.ts';
import type { Framing, RequestHead } from './request-head.ts';

/** Parsed address of a request. `host` is undefined for an HTTP/1.0 request without a `Host` header. */
export interface AddressedRequest {
  hostHeader: string;
  host: string | undefined;
  target: string;
  body: Framing;
}

/** Parses the address of a request. Undefined if its host name is invalid, or its target names another host. */
export function parseAddressee(
  head: Pick<RequestHead, 'host' | 'target' | 'framing'>,
): AddressedRequest | undefined {
  const target = originForm(head.target, head.host);
  if (target === undefined) return undefined;
  if (head.host === undefined) return { hostHeader: '', host: undefined, target, body: head.framing };
  const host = parseHostName(head.host);
  return host === undefined ? undefined : { hostHeader: head.host, host, target, body: head.framing };
}

/**
 * Absolute form (`GET http://host/path`) is accepted only if it names the same host as `Host` does (RFC 9112, 3.2.2).
 */
function originForm(target: string, hostHeader: string | undefined): string | undefined {
  if (target.startsWith('/') || target === '*') return target;
  const [, authority, path = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (authority === undefined || authority.toLowerCase() !== hostHeader?.toLowerCase()) return undefined;
  return path.startsWith('/') ? path : `/${path}`;
}
