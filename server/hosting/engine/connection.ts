import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request,
} from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reportsFullDisk } from '../../kernel/full-disk.ts';

// A container engine's HTTP API by its socket (https://docs.docker.com/reference/api/engine/): Docker's, and that of Podman's
// service, which speaks it as of 1.41.

/** The engine refused, or failed at what it was asked for. */
export class EngineError extends Error {
  /** As in HTTP; 500 for what failed while it was told of. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** There is no room on the disk of its machine. */
export class EngineFull extends EngineError {
  readonly code = 'ENOSPC';
}

/** What is asked of an engine's other half while that is being stopped. */
const STOPPING = /grpc: the client connection is closing|transport is closing/;

export function refusalBy(status: number, message: string): EngineError | EngineAway {
  if (STOPPING.test(message)) return new EngineAway(message);
  return reportsFullDisk(message) ? new EngineFull(status, message) : new EngineError(status, message);
}

/** Nobody answers at the socket, or no more. */
export class EngineAway extends Error {}

export interface Call {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Of one part each, which are encoded here: none is read as two. */
  path: readonly string[];
  /** Objects go as JSON, each of a list by itself; what is undefined does not go. */
  query?: Readonly<Record<string, string | number | boolean | object | readonly string[] | undefined>>;
  /** As JSON; a stream is a tar archive. */
  body?: object | Readable | undefined;
  headers?: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

export interface Connection {
  /** Such as `1.41`: what both understand. */
  readonly version: string;
  readonly isPodman: boolean;
  /** The whole answer, as JSON; undefined where there is none. Throws an EngineError or EngineAway, or the signal's reason. */
  ask<T>(call: Call): Promise<T>;
  /** What the answer says of itself. */
  head(call: Omit<Call, 'method'>): Promise<IncomingHttpHeaders>;
  /** Throws an EngineAway where it takes no new connections: one that is being stopped goes on answering by those that there are. */
  greet(signal: AbortSignal): Promise<void>;
  /** The answer as it comes, until it ends or the signal, which rejects. */
  stream(call: Call): Promise<Readable>;
  close(): void;
}

/** Debian 12's, and the newest whose changes were read for what is asked here. */
const OLDEST = '1.41';
const NEWEST = '1.51';
/** Debian 12's: one of before may give a network's device another name than is asked for, and what closes it goes by that. */
const OLDEST_PODMAN = '4.3';
/** Until the head of an answer whose work the engine does meanwhile: to remove a large container takes long. */
const ANSWER_MS = 120_000;
const MOST_BYTES = 16 * 2 ** 20;
/** More than one stranger's sites can have an engine hang with: all calls of a platform wait for their turn among these. */
const AT_ONCE = 256;

/** Throws an EngineAway, and an EngineError for an engine that is too old, or too new. */
export async function connect(socketPath: string, signal: AbortSignal): Promise<Connection> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const connection = (version?: string, isPodman = false): Connection => ({
    version: version ?? '',
    isPodman,
    ask: <T>(call: Call) =>
      inTime(
        call,
        async (signal) => (await whole(await send({ socketPath, agent }, version, { ...call, signal }))) as T,
      ),
    head: (call) =>
      inTime(call, async (signal) => {
        const answer = await send({ socketPath, agent }, version, { ...call, method: 'HEAD', signal });
        answer.resume();
        return answer.headers;
      }),
    greet: (signal) =>
      inTime({ path: ['_ping'], signal }, async (signal) => {
        const call = { path: ['_ping'], signal };
        (await send({ socketPath, agent: false }, version, call)).resume();
      }),
    stream: (call) => send({ socketPath, agent: false }, version, call),
    close: () => agent.destroy(),
  });
  const first = connection();
  try {
    const versions = await first.ask<Versions>({ path: ['version'], signal });
    const { ApiVersion: newest, MinAPIVersion: oldest = OLDEST, Components = [] } = versions;
    const podman = Components.find(({ Name }) => Name === 'Podman Engine')?.Version;
    if (podman !== undefined && isBefore(podman, OLDEST_PODMAN))
      throw new EngineError(400, `it is Podman ${podman}; ${OLDEST_PODMAN} is the least`);
    if (isBefore(newest, OLDEST)) throw new EngineError(400, `its API is ${newest}; ${OLDEST} is the least`);
    if (isBefore(NEWEST, oldest))
      throw new EngineError(400, `its API begins with ${oldest}; ${NEWEST} is the most`);
    return connection(isBefore(newest, NEWEST) ? newest : NEWEST, podman !== undefined);
  } catch (error) {
    agent.destroy();
    throw error;
  }
}

/** What is not answered by then is as if nobody did. */
async function inTime<T>({ signal }: Call, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    return await work(until);
  } catch (error) {
    if (signal.aborted || !until.aborted) throw error;
    throw new EngineAway(`no answer within ${ANSWER_MS / 1_000} s`);
  }
}

interface Versions {
  ApiVersion: string;
  MinAPIVersion?: string;
  Components?: readonly { Name: string; Version: string }[];
}

/** Of versions of an API, such as `1.9` and `1.44`. */
export function isBefore(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) < 0;
}

async function send(
  to: Pick<RequestOptions, 'socketPath' | 'agent'>,
  version: string | undefined,
  { method = 'GET', path, query = {}, body, headers = {}, signal }: Call,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const parts = [...(version === undefined ? [] : [`v${version}`]), ...path.map(encodeURIComponent)];
  const asked = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value.map((one) => [name, String(one)]);
    return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
  });
  const search = asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`;
  const text = body === undefined || body instanceof Readable ? undefined : JSON.stringify(body);
  const type = body instanceof Readable ? 'application/x-tar' : 'application/json';
  const sent = request({
    ...to,
    method,
    path: `/${parts.join('/')}${search}`,
    headers: {
      host: 'engine',
      ...(body !== undefined && { 'content-type': type }),
      ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
      ...headers,
    },
    signal,
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', (error) => reject(signal.aborted ? signal.reason : new EngineAway(error.message)));
  });
  // One that is refused need not be sent to its end.
  if (body instanceof Readable) pipeline(body, sent).catch(() => {});
  else sent.end(text);
  const answer = await answered;
  const status = answer.statusCode ?? 0;
  // 304: it was so already.
  if (status < 300 || status === 304) return answer;
  const told = await whole(answer).catch(() => undefined);
  const message = messageIn(told) ?? `answered ${status}`;
  throw refusalBy(statusOf(status, message), message);
}

/** Podman says of some that are not there, or there already, that it failed. */
function statusOf(status: number, message: string): number {
  if (status !== 500) return status;
  if (/no such (container|image|volume|network)\b/.test(message)) return 404;
  return /name is already in use/.test(message) ? 409 : status;
}

function messageIn(told: unknown): string | undefined {
  const { message } = (told ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

async function whole(answer: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new EngineError(500, `its answer is larger than ${MOST_BYTES} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineAway((error as Error).message);
  }
  const text = Buffer.concat(chunks).toString();
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new EngineError(500, 'its answer is no JSON');
  }
}
