import type { IncomingMessage } from 'node:http';
import { isProxyCommand } from '../site-rules/proxy-commands.ts';
import { confinedCookie, isReplicaCookie, passableCookies, withoutPlatformCookies } from './cookies.ts';
import type { AnswerHead } from './response-parser.ts';

/** Headers as node reads and writes them: name, value, name, value. */
export type RawHeaders = readonly string[];

export interface ClientRequest {
  method: string;
  /** In origin form: it begins with a slash, or is the `*` of OPTIONS. */
  target: string;
  headers: RawHeaders;
  /** The `Host` as it came, port and all. */
  host: string;
  /** Where the connection comes from. */
  address: string;
  /** What the client says of the way before us counts: it is one of TRUSTED_PROXIES. */
  trusted: boolean;
  /** `chunked`, a length, or no body at all. */
  body: Framing;
  /** It goes to another server of ours, and from there to the site alone. */
  toFellow?: boolean | undefined;
}

/** Says that one of our servers has passed the request on already: none passes it on again. */
const PASSED_ON = 'simcha-passed-on';

export function wasPassedOn({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers[PASSED_ON] !== undefined;
}

export type Framing = 'chunked' | number | undefined;

/** The request's head as a site gets it, up to the empty line. */
export function requestHead(request: ClientRequest): string {
  const { headers, trusted, body } = request;
  const named = connectionOptions(headers);
  let head = `${request.method} ${request.target} HTTP/1.1\r\nhost: ${request.host}\r\n`;
  let forwardedFor = '';
  let forwardedProto = '';
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    const value = headers[i + 1] as string;
    const plain = name.toLowerCase();
    if (OWN_FRAMING.has(plain) || named?.has(plain)) continue;
    if (plain === 'cookie') {
      const cookies = request.toFellow ? passableCookies(value) : withoutPlatformCookies(value);
      if (cookies !== '') head += `cookie: ${cookies}\r\n`;
    } else if (!tellsTheWay(plain)) {
      head += `${name}: ${value}\r\n`;
    } else if (trusted) {
      if (plain === 'x-forwarded-for') forwardedFor += `${value}, `;
      if (plain === 'x-forwarded-proto' && /^https?$/i.test(value)) forwardedProto = value.toLowerCase();
    }
  }
  if (request.toFellow) head += `${PASSED_ON}: 1\r\n`;
  head += `x-forwarded-for: ${forwardedFor}${request.address}\r\nx-forwarded-host: ${request.host}\r\n`;
  head += `x-forwarded-proto: ${forwardedProto || 'http'}\r\n`;
  if (body === 'chunked') head += 'transfer-encoding: chunked\r\n';
  else if (body !== undefined) head += `content-length: ${body}\r\n`;
  return `${head}connection: keep-alive\r\n\r\n`;
}

/** The request's head for a WebSocket: the same, and the upgrade is asked for again. */
export function upgradeHead(request: ClientRequest): string {
  const head = requestHead(request);
  return `${head.slice(0, -'connection: keep-alive\r\n\r\n'.length)}connection: Upgrade\r\nupgrade: websocket\r\n\r\n`;
}

/** A site's headers as they go out to a client of `host`. */
export function answerHeaders(
  { status, headers }: AnswerHead,
  host: string,
  ours: readonly string[],
  fromFellow = false,
): string[] {
  const named = connectionOptions(headers);
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    const value = headers[i + 1] as string;
    const plain = name.toLowerCase();
    if (HOP_BY_HOP.has(plain) || named?.has(plain)) continue;
    // Of nothing; RFC 9110, section 8.6, has none there.
    if (status === 204 && plain === 'content-length') continue;
    if (plain === 'set-cookie') {
      const cookie = fromFellow && isReplicaCookie(value) ? value : confinedCookie(value, host, ours);
      if (cookie !== undefined) kept.push(name, cookie);
      // It would empty the cookies of the whole registrable domain, the platform's among them.
    } else if (plain !== 'clear-site-data' && !isProxyCommand(plain)) {
      kept.push(name, value);
    }
  }
  return kept;
}

// RFC 9110, section 7.6.1.
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

/** We write these ourselves, or answer them ourselves. */
const OWN_FRAMING = new Set([
  ...HOP_BY_HOP,
  'host',
  'content-length',
  'expect',
  'proxy-authorization',
  PASSED_ON,
]);

/** The headers a `Connection` names; undefined where there is none, as nearly always. */
function connectionOptions(headers: RawHeaders): Set<string> | undefined {
  let options: Set<string> | undefined;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue;
    const value = headers[i + 1] as string;
    if (value === 'keep-alive' || value === 'close') continue;
    options ??= new Set();
    for (const option of value.toLowerCase().split(',')) {
      // What frames the message and says who it is for can't be named away.
      const plain = option.trim();
      if (plain !== 'content-length' && plain !== 'host' && plain !== 'set-cookie') options.add(plain);
    }
  }
  return options;
}

/** Headers in which proxies tell of the request's way; many servers read `_` as `-`. */
function tellsTheWay(name: string): boolean {
  const plain = name.includes('_') ? name.replaceAll('_', '-') : name;
  return plain.startsWith('x-forwarded-') || plain === 'forwarded' || plain === 'x-real-ip';
}
