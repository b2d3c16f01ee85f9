import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionError } from 'fastify';
import type { ErrorFormatter } from './errors.ts';
import type { HttpProblem } from './messages.ts';

type BrokenRequest = Omit<ConnectionError, 'rawPacket'> & { rawPacket?: unknown };

/**
 * Responds to input that node's own HTTP parser refuses. Such input never becomes a request; the response has the usual
 * format of errors.
 */
export function answerBrokenRequest(
  error: BrokenRequest,
  socket: Socket,
  problem: ErrorFormatter['problem'],
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const unencoded = unencodedAddress(error);
  const [status, code] = unencoded
    ? ([400, 'address_not_encoded'] as const)
    : (BROKEN_REQUESTS[error.code ?? ''] ?? [400, 'bad_request']);
  const body = JSON.stringify(problem(status, code, unencoded));
  endConnection(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      'content-type: application/json; charset=utf-8\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/**
 * Sends the last response on a connection whose request could not be parsed. Further input is ignored, and a client
 * that reads slowly is cut off.
 */
export function endConnection(socket: Duplex, answer: string): void {
  socket.pause();
  socket.end(answer);
  const late = setTimeout(() => socket.destroy(), READ_MS);
  socket.once('close', () => clearTimeout(late));
}

const READ_MS = 2_000;

const BROKEN_REQUESTS: Readonly<Record<string, [number, HttpProblem]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout'],
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large'],
};

/** Address and languages of a request that the parser refused because the address has letters outside ASCII. */
function unencodedAddress({ code, rawPacket, bytesParsed = 0 }: BrokenRequest) {
  if (code !== 'HPE_INVALID_URL' || !(rawPacket instanceof Buffer)) return undefined;
  // The packet with the refused request may begin with earlier requests, so reading begins at the line at which the
  // parser stopped.
  const head =
    rawPacket.toString('latin1', rawPacket.lastIndexOf('\n', bytesParsed) + 1).split('\r\n\r\n', 1)[0] ?? '';
  const [, url] = /^\S+ (\/[^\r\n]*)/.exec(head) ?? [];
  if (url === undefined || !/[\x80-\xff]/.test(url)) return undefined;
  return { url, languages: /\r\naccept-language:([^\r\n]*)/i.exec(head)?.[1] };
}
