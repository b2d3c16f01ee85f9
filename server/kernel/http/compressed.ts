import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codingFor, varyOn } from './prepared-text.ts';

/** Length from which on an answer is compressed, in UTF-16 code units. Shorter ones save hardly a packet. */
const LARGE = 8_192;

/**
 * Hook `onSend` of a route that compresses its large answers. It is not for answers with secrets, such as personal
 * links: a compressed answer's length says something about them to somebody who chooses another part of the answer.
 */
export async function compressLarge(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < LARGE) return payload;
  reply.header('vary', varyOn(reply, 'Accept-Encoding'));
  const coding = codingFor(headers['accept-encoding']);
  if (coding === 'identity') return payload;
  reply.header('content-encoding', coding);
  const body = Buffer.from(payload);
  if (coding === 'gzip') return promisify(gzip)(body, { level: 4 });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return promisify(brotliCompress)(body, { params });
}
