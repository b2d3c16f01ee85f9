import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

/** Response body that is compressed once and then sent to many clients. */
export interface PreparedText {
  type: string;
  bodies: Readonly<Record<Coding | 'identity', Buffer>>;
  /** Weak entity tag (ETag) of the text; the uncompressed text and its compressed forms share it. */
  etag: string;
}

export async function prepareText(text: string, type: string): Promise<PreparedText> {
  const identity = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzip)(identity, { level: 4 }),
  ]);
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url')}"`;
  return { type, bodies: { br, gzip: zipped, identity }, etag };
}

/**
 * Sends the prepared text in the best content coding that the request accepts; a 304 if `If-None-Match` has the text's
 * tag.
 */
export function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  prepared: PreparedText,
): FastifyReply {
  const { type, bodies, etag } = prepared;
  const { 'accept-encoding': accepted, 'if-none-match': ifNoneMatch } = request.headers;
  reply.headers({ etag, 'cache-control': 'no-cache', vary: varyOn(reply, 'Accept-Encoding') });
  if (matchesEntityTag(etag, ifNoneMatch)) return reply.code(304).send();
  const coding = codingFor(accepted);
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(type).send(bodies[coding]);
}

/**
 * Best content coding that `Accept-Encoding` accepts (RFC 9110, 12.5.3); codings that the header doesn't name are not
 * used.
 */
export function codingFor(accepted: string | string[] | undefined): Coding | 'identity' {
  const acceptedNames = new Set<string>();
  for (const item of String(accepted ?? '')
    .toLowerCase()
    .split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) acceptedNames.add(name);
  }
  return CODINGS.find((coding) => acceptedNames.has(coding)) ?? 'identity';
}

/** True if the header `If-None-Match` contains the entity tag, compared weakly (RFC 9110, 13.1.2). */
export function matchesEntityTag(etag: string, given: string | undefined): boolean {
  if (given === undefined) return false;
  const opaque = etag.replace(/^W\//, '');
  return given.trim() === '*' || (given.match(/"[^"]*"/g) ?? []).some((tag) => tag === opaque);
}

/** Value of the header `Vary` of an answer that also depends on a request header of this name. */
export function varyOn(reply: FastifyReply, name: string): string {
  const before = reply.getHeader('vary');
  return before === undefined ? name : `${before}, ${name}`;
}
