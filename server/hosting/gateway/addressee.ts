import type { IncomingMessage } from 'node:http';
import type { Framing } from './headers.ts';
import { parseHostName } from './hosts.ts';

/** Parsed address of a request. `host` is undefined for an HTTP/1.0 request without a `Host` header. */
export interface AddressedRequest {
  hostHeader: string;
  host: string | undefined;
  target: string;
  body: Framing;
}

/** Parses the address of a request. Undefined if its headers contradict each other or its host name is invalid. */
export function parseAddressee(
  request: Pick<IncomingMessage, 'rawHeaders' | 'url' | 'httpVersionMinor'>,
): AddressedRequest | undefined {
  const { rawHeaders } = request;
  let hostHeader: string | undefined;
  let length: string | undefined;
  let encoding: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const size = name.length;
    if (size !== 4 && size !== 14 && size !== 17) continue;
    const plain = name.toLowerCase();
    const value = rawHeaders[i + 1] as string;
    if (plain === 'host') {
      if (hostHeader !== undefined) return undefined;
      hostHeader = value;
    } else if (plain === 'content-length') {
      if (length !== undefined) return undefined;
      length = value;
    } else if (plain === 'transfer-encoding') {
      if (encoding !== undefined) return undefined;
      encoding = value;
    }
  }
  const framing = framingOf(length, encoding, request.httpVersionMinor);
  if (framing === 'broken') return undefined;
  const target = originForm(request.url ?? '/', hostHeader);
  if (target === undefined) return undefined;
  if (hostHeader === undefined) {
    return request.httpVersionMinor === 0
      ? { hostHeader: '', host: undefined, target, body: framing }
      : undefined;
  }
  const host = parseHostName(hostHeader);
  return host === undefined ? undefined : { hostHeader, host, target, body: framing };
}

/**
 * The gateway checks a second time how long a request's body is, although node's parser has already refused most
 * invalid requests: a wrong length would allow request smuggling.
 */
function framingOf(
  length: string | undefined,
  encoding: string | undefined,
  minor: number,
): Framing | 'broken' {
  if (encoding !== undefined) {
    const fits = encoding.toLowerCase() === 'chunked' && length === undefined && minor === 1;
    return fits ? 'chunked' : 'broken';
  }
  if (length === undefined) return undefined;
  return /^\d{1,15}$/.test(length) ? Number(length) : 'broken';
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
