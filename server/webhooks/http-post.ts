import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { resolveHost } from '../kernel/public-hosts.ts';

/** Reasons why a message did not reach its endpoint. */
export const PROBLEMS = [
  /** The endpoint answered with another status than 200 to 299. */
  'status',
  'redirect',
  'timeout',
  'connection',
  'unresolved',
  'private_address',
  /** The endpoint was turned off, or its owner may no longer read the subject, before the message was delivered. */
  'endpoint_off',
  'no_access',
] as const;
export type Problem = (typeof PROBLEMS)[number];

/** Outcome of one try to deliver a message. */
export interface Outcome {
  /** Undefined if the endpoint accepted the message. */
  problem: Problem | undefined;
  /** HTTP status of the answer; null without an answer. */
  status: number | null;
  /** First bytes of the answer's body. */
  answer: string | null;
  durationMs: number;
}

export interface PostSettings {
  allowPrivateHosts: boolean;
  timeoutMs: number;
}

/** Largest part of an answer that is read, in bytes; then the connection is closed. */
const MOST_READ_BYTES = 64 * 1024;
/** Largest part of an answer that is kept, in characters. */
const MOST_KEPT = 1_000;

/**
 * Posts a JSON body to an endpoint's address and reads the answer. The host is resolved once, and the connection is
 * made to the checked address: a second lookup could lead elsewhere. Redirects are not followed, as they could lead to
 * an address that was not checked.
 */
export async function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { allowPrivateHosts, timeoutMs }: PostSettings,
  signal: AbortSignal,
): Promise<Outcome> {
  const begun = performance.now();
  const outcome = (
    problem: Problem | undefined,
    status: number | null = null,
    answer: string | null = null,
  ) => ({
    problem,
    status,
    answer,
    durationMs: Math.round(performance.now() - begun),
  });
  const target = new URL(url);
  const resolved = await resolveHost(bareHost(target), allowPrivateHosts);
  if ('wrong' in resolved) return outcome(resolved.wrong === 'private' ? 'private_address' : 'unresolved');
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await post(target, resolved.address, headers, body, AbortSignal.any([timeout, signal]));
    const text = await readBeginning(response);
    const { statusCode: status = 0 } = response;
    return outcome(problemOf(status), status, text);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    return outcome(timeout.aborted ? 'timeout' : 'connection', null, timeout.aborted ? null : error.message);
  }
}

function problemOf(status: number): Problem | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function post(
  target: URL,
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const family = isIP(address);
  const lookup: LookupFunction = (_host, { all }, callback) =>
    all ? callback(null, [{ address, family }]) : callback(null, address, family);
  const request = target.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(target, {
      method: 'POST',
      agent: false,
      lookup,
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Simcha-Webhooks/1.0',
        ...headers,
      },
    });
    sent.once('response', resolve).once('error', reject);
    sent.end(body);
  });
}

/** Reads the beginning of an answer's body as text; bytes that are no UTF-8 become replacement characters. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    read += chunk.length;
    if (read >= MOST_READ_BYTES) break;
  }
  response.destroy();
  // The database can't store the character NUL in a text.
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '�').slice(0, MOST_KEPT);
}

/** Host name of an address, without the brackets of an IPv6 address. */
export function bareHost({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
