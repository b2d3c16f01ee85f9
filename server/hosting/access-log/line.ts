import { isIPv4, isIPv6 } from 'node:net';

/** Finished request, as the access log describes it. */
export interface LoggedRequest {
  method: string;
  /** Request target: path and query. */
  target: string;
  status: number;
  /** Duration in milliseconds. */
  ms: number;
  /** Bytes sent to the client. */
  bytes: number;
  /** Address of the client. */
  address: string;
}

/** Maximum length of a path in the access log, and of a parameter's name, in UTF-16 code units. */
const LONGEST_PATH = 1_000;
const LONGEST_NAME = 40;
const MOST_PARAMETERS = 10;

/** Words of a line, of which none contains a space: `GET /guests?page= 200 12ms 5120B 203.0.113.0`. */
export function accessLine({ method, target, status, ms, bytes, address }: LoggedRequest): string {
  return `${printable(method)} ${loggedTarget(target)} ${status} ${Math.round(ms)}ms ${bytes}B ${networkAddress(address)}`;
}

/**
 * Path of a request, with the names of its query's parameters but without their values, which may be secrets. A query
 * without names, such as `?token`, becomes `?…`.
 */
export function loggedTarget(target: string): string {
  const at = target.indexOf('?');
  const path = shortened(at < 0 ? target : target.slice(0, at), LONGEST_PATH);
  if (at < 0) return printable(path);
  const parameters = target.slice(at + 1).split('&', MOST_PARAMETERS + 1);
  const names = parameters.slice(0, MOST_PARAMETERS).map((parameter) => {
    const end = parameter.indexOf('=');
    return end < 0 ? '…' : `${printable(shortened(parameter.slice(0, end), LONGEST_NAME))}=`;
  });
  if (parameters.length > MOST_PARAMETERS) names.push('…');
  return `${printable(path)}?${names.join('&')}`;
}

/**
 * Network of an address: the first 24 bits of an IPv4 address, and 48 of an IPv6 address, so that the log identifies no
 * household.
 */
export function networkAddress(address: string): string {
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0`;
  if (!isIPv6(address)) return '-';
  const [head = '', tail] = address.split('%', 1).join('').split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const missing = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const [first = '0', second = '0', third = '0'] =
    tail === undefined ? before : [...before, ...missing, ...after];
  return `${first}:${second}:${third}::`;
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Text without spaces and control characters, which would break a line into other words. */
function printable(text: string): string {
  return text.replace(/[\s\p{C}]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}
