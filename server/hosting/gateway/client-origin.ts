import { BlockList, isIP, type Socket } from 'node:net';
import type { IncomingRequest } from './incoming-request.ts';

/** Key under which a connection stores its origin, which is the same for all of its requests. */
const ORIGIN = Symbol('origin of the connection');

/** Client's address on a request's connection, and whether it is one of TRUSTED_PROXIES. */
export interface ClientOrigin {
  address: string;
  trusted: boolean;
}

/**
 * Returns a function that reads from which address a request's connection was opened, and whether that is a trusted
 * proxy's. `ranges`: addresses or networks (`10.0.0.0/8`) of trusted proxies.
 */
export function clientOrigins(ranges: readonly string[]): (request: IncomingRequest) => ClientOrigin {
  const isTrusted = trustedAddresses(ranges);
  return (request) => {
    const socket = request.socket as Socket & { [ORIGIN]?: ClientOrigin };
    const known = socket[ORIGIN];
    if (known) return known;
    const address = plainAddress(socket.remoteAddress ?? '');
    const origin = { address, trusted: isTrusted(address) };
    // The address of a connection that has already ended is unknown.
    if (address !== '') socket[ORIGIN] = origin;
    return origin;
  };
}

/**
 * Returns a function that gives the address of a request's client: that of its connection, or if this is a trusted
 * proxy's, the last address in `X-Forwarded-For` that is no trusted proxy's.
 */
export function clientAddresses(ranges: readonly string[]): (request: IncomingRequest) => string {
  const originOf = clientOrigins(ranges);
  const isTrusted = trustedAddresses(ranges);
  return (request) => {
    const { address, trusted } = originOf(request);
    if (!trusted) return address;
    const forwarded = (request.header('x-forwarded-for') ?? '').split(',');
    const addresses = forwarded.map((one) => plainAddress(one.trim())).filter((one) => isIP(one) !== 0);
    return addresses.findLast((one) => !isTrusted(one)) ?? addresses[0] ?? address;
  };
}

function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

function trustedAddresses(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
