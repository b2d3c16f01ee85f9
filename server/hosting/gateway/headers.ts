import { isReplicaCookie, peerCookies, restrictCookie, withoutPlatformCookies } from './cookies.ts';
import { headerKind, PASSED_ON } from './header-kinds.ts';
import type { Framing } from './request-head.ts';
import type { ResponseHead } from './response-head.ts';

/** Headers in node's raw form: name, value, name, value. */
export type RawHeaders = readonly string[];

export interface ClientRequest {
  method: string;
  /** Request target in origin form: begins with a slash, or is the `*` of OPTIONS. */
  target: string;
  headers: RawHeaders;
  /** `Host` header as received, including the port. */
  host: string;
  /** IP address of the client or proxy that has opened the connection. */
  address: string;
  /** True if that client is one of TRUSTED_PROXIES, so its forwarding headers count. */
  trusted: boolean;
  /** Framing of the request's body: `chunked`, a length in bytes, or undefined without a body. */
  body: Framing;
  /** True if the request goes to a peer gateway, which passes it to the site. */
  toPeer?: boolean | undefined;
  /** True if the header `Authorization` has the password that the gateway has checked; only a peer gateway gets it. */
  hidesLogin?: boolean | undefined;
}

/** Request head as sent to a site, up to and including the empty line. */
export function requestHead(request: ClientRequest): string {
  const { headers, trusted, body } = request;
  const named = connectionOptions(headers);
  let head = `${request.method} ${request.target} HTTP/1.1\r\nhost: ${request.host}\r\n`;
  let forwardedFor = '';
  let forwardedProto = '';
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    const value = headers[i + 1] as string;
    if (named?.has(name.toLowerCase())) continue;
    switch (headerKind(name)) {
      case 'hop-by-hop':
      case 'content-length':
      case 'own':
      case 'disguised':
        continue;
      case 'authorization':
        if (!request.hidesLogin || request.toPeer) head += `${name}: ${value}\r\n`;
        continue;
      case 'cookie': {
        const cookies = request.toPeer ? peerCookies(value) : withoutPlatformCookies(value);
        if (cookies !== '') head += `cookie: ${cookies}\r\n`;
        continue;
      }
      case 'forwarding': {
        if (!trusted) continue;
        const plain = name.toLowerCase();
        if (plain === 'x-forwarded-for') forwardedFor += `${value}, `;
        if (plain === 'x-forwarded-proto' && /^https?$/i.test(value)) forwardedProto = value.toLowerCase();
        continue;
      }
      default:
        head += `${name}: ${value}\r\n`;
    }
  }
  if (request.toPeer) head += `${PASSED_ON}: 1\r\n`;
  head += `x-forwarded-for: ${forwardedFor}${request.address}\r\nx-forwarded-host: ${request.host}\r\n`;
  head += `x-forwarded-proto: ${forwardedProto || 'http'}\r\n`;
  if (body === 'chunked') head += 'transfer-encoding: chunked\r\n';
  else if (body !== undefined) head += `content-length: ${body}\r\n`;
  return `${head}connection: keep-alive\r\n\r\n`;
}

/** Request head for a WebSocket: the same as `requestHead`, with the upgrade request. */
export function upgradeHead(request: ClientRequest): string {
  const head = requestHead(request);
  return `${head.slice(0, -'connection: keep-alive\r\n\r\n'.length)}connection: Upgrade\r\nupgrade: websocket\r\n\r\n`;
}

/** Filters the headers of a site's answer for the client, who has requested the site at `host`. */
export function responseHeaders(
  { status, headers }: ResponseHead,
  host: string,
  ours: readonly string[],
  fromPeer = false,
): string[] {
  const named = connectionOptions(headers);
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    const value = headers[i + 1] as string;
    if (named?.has(name.toLowerCase())) continue;
    switch (headerKind(name)) {
      case 'hop-by-hop':
      case 'forbidden':
        continue;
      case 'content-length':
        // A 204 answer has no `content-length` (RFC 9110, section 8.6).
        if (status !== 204) kept.push(name, value);
        continue;
      case 'set-cookie': {
        const cookie = fromPeer && isReplicaCookie(value) ? value : restrictCookie(value, host, ours);
        if (cookie !== undefined) kept.push(name, cookie);
        continue;
      }
      default:
        kept.push(name, value);
    }
  }
  return kept;
}

/** Header names listed in `Connection`; undefined if there are none, which is the usual case. */
function connectionOptions(headers: RawHeaders): Set<string> | undefined {
  let options: Set<string> | undefined;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue;
    const value = headers[i + 1] as string;
    if (value === 'keep-alive' || value === 'close') continue;
    options ??= new Set();
    for (const option of value.toLowerCase().split(',')) {
      // The header `Connection` names headers to remove. Headers for the body's length, the host and cookies stay in
      // any case.
      const plain = option.trim();
      if (plain !== 'content-length' && plain !== 'host' && plain !== 'set-cookie') options.add(plain);
    }
  }
  return options;
}
