import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request,
} from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EngineAway, EngineError, engineErrorFor } from './errors.ts';
import { correctStatus } from './quirks/messages.ts';

// HTTP API of a container engine on its socket (https://docs.docker.com/reference/api/engine/): Docker's, and Podman's
// service, which is compatible with version 1.41.

export interface EngineCall {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Segments of the call's URL path. They are encoded here, so that a slash in one segment does not make two of it. */
  path: readonly string[];
  /** Query of the call's URL. Objects are sent as JSON, lists as repeated parameters; undefined values are left out. */
  query?: Readonly<Record<string, string | number | boolean | object | readonly string[] | undefined>>;
  /** Body of the call, sent as JSON; a stream is a tar archive. */
  body?: object | Readable | undefined;
  headers?: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

export interface StreamCall extends EngineCall {
  /**
   * True if the engine may take any time before it answers: builds, pulls, pushes, imports, waits, logs, events, and
   * commands that are attached to. All other calls fail with an EngineAway after `ANSWER_MS`.
   */
  mayTakeLong?: boolean;
}

export interface Connection {
  /** Version of the engine's API that the server and the engine both support, such as `1.41`. */
  readonly version: string;
  readonly isPodman: boolean;
  /**
   * Calls the engine and returns its whole answer, parsed from JSON; undefined if it is empty. Throws an EngineError,
   * an EngineAway, or the signal's reason.
   */
  ask<T>(call: EngineCall): Promise<T>;
  /** Calls the engine and returns the headers of its answer. */
  head(call: Omit<EngineCall, 'method'>): Promise<IncomingHttpHeaders>;
  /**
   * Checks the connection. Throws an EngineAway if the engine takes no new connections: an engine that is being stopped
   * still answers on existing ones.
   */
  greet(signal: AbortSignal): Promise<void>;
  /**
   * Calls the engine and returns its answer as a stream. The stream ends with the answer; if the signal aborts, the
   * stream fails with an error.
   */
  stream(call: StreamCall): Promise<Readable>;
  close(): void;
}

/**
 * Supported versions of the engine's API. Oldest: that of Debian 12. Newest: the last one whose changes were checked
 * against the calls made here.
 */
const OLDEST = '1.41';
const NEWEST = '1.51';
/**
 * Oldest supported Podman: that of Debian 12. Older ones may give a network's device another name than requested, and
 * the firewall, which blocks networks, finds the device by that name.
 */
const OLDEST_PODMAN = '4.3';
/**
 * Time limit for the engine's answer, or for the head of a stream: the engine does the work before it answers, and
 * removing a large container takes long.
 */
export const ANSWER_MS = 120_000;
const MOST_BYTES = 16 * 2 ** 20;
/**
 * Maximum number of connections to the engine at once. All sites share them, so there are more than the sites of one
 * owner can block.
 */
const AT_ONCE = 256;

/**
 * Connects to an engine. Throws an EngineAway if it does not answer, and an EngineError if its version is too old or
 * too new.
 */
export async function connectToEngine(
  socketPath: string,
  signal: AbortSignal,
  answerMs = ANSWER_MS,
): Promise<Connection> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const socket = { socketPath, agent, answerMs };
  try {
    const versions = await connectionOf(socket).ask<Versions>({ path: ['version'], signal });
    return connectionOf(socket, chosenVersion(versions), podmanVersion(versions) !== undefined);
  } catch (error) {
    agent.destroy();
    throw error;
  }
}

interface EngineSocket {
  socketPath: string;
  /** HTTP agent whose connections calls share. Streams have their own connections, because they may take long. */
  agent: Agent;
  answerMs: number;
}

function connectionOf(
  { socketPath, agent, answerMs }: EngineSocket,
  version?: string,
  isPodman = false,
): Connection {
  const shared = { socketPath, agent };
  const own = { socketPath, agent: false } as const;
  return {
    version: version ?? '',
    isPodman,
    ask: <T>(call: EngineCall) =>
      withTimeLimit(call.signal, answerMs, async (signal) => {
        const answer = await send(shared, version, { ...call, signal });
        return (await readJson(answer)) as T;
      }),
    head: (call) =>
      withTimeLimit(call.signal, answerMs, async (signal) => {
        const answer = await send(shared, version, { ...call, method: 'HEAD', signal });
        answer.resume();
        return answer.headers;
      }),
    greet: (signal) =>
      withTimeLimit(signal, answerMs, async (signal) => {
        (await send(own, version, { path: ['_ping'], signal })).resume();
      }),
    stream: ({ mayTakeLong, ...call }) =>
      mayTakeLong
        ? send(own, version, call)
        : withTimeLimit(call.signal, answerMs, (signal) => send(own, version, { ...call, signal })),
    close: () => agent.destroy(),
  };
}

/** Runs `work`, a call to the engine, and aborts it after `answerMs`, or with the signal. A later answer is ignored. */
async function withTimeLimit<T>(
  signal: AbortSignal,
  answerMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerMs);
  timer.unref();
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (signal.aborted || !late.signal.aborted) throw error;
    throw new EngineAway(`no answer within ${answerMs / 1_000} s`);
  } finally {
    clearTimeout(timer);
  }
}

/** Newest version of the engine's API that the server and the engine both support. */
function chosenVersion(versions: Versions): string {
  const { ApiVersion: newest, MinAPIVersion: oldest = OLDEST } = versions;
  const podman = podmanVersion(versions);
  if (podman !== undefined && isBefore(podman, OLDEST_PODMAN))
    throw new EngineError(400, `it is Podman ${podman}; ${OLDEST_PODMAN} is the least`);
  if (isBefore(newest, OLDEST)) throw new EngineError(400, `its API is ${newest}; ${OLDEST} is the least`);
  if (isBefore(NEWEST, oldest))
    throw new EngineError(400, `its API begins with ${oldest}; ${NEWEST} is the most`);
  return isBefore(newest, NEWEST) ? newest : NEWEST;
}

function podmanVersion({ Components = [] }: Versions): string | undefined {
  return Components.find(({ Name }) => Name === 'Podman Engine')?.Version;
}

interface Versions {
  ApiVersion: string;
  MinAPIVersion?: string;
  Components?: readonly { Name: string; Version: string }[];
}

/** True if one version of the engine's API is older than another, such as `1.9` and `1.44`. */
export function isBefore(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) < 0;
}

async function send(
  to: Pick<RequestOptions, 'socketPath' | 'agent'>,
  version: string | undefined,
  { method = 'GET', path, query = {}, body, headers = {}, signal }: EngineCall,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const parts = [...(version === undefined ? [] : [`v${version}`]), ...path.map(encodeURIComponent)];
  const parameters = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value.map((one) => [name, String(one)]);
    return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
  });
  const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`;
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
  // If the engine refuses a call, the rest of its body need not be sent.
  if (body instanceof Readable) pipeline(body, sent).catch(() => {});
  else sent.end(text);
  const answer = await answered;
  const status = answer.statusCode ?? 0;
  // Status 304 of the engine's answer means that the call changed nothing: its result already existed.
  if (status < 300 || status === 304) return answer;
  const json = await readJson(answer).catch(() => undefined);
  const message = messageIn(json) ?? `answered ${status}`;
  throw engineErrorFor(correctStatus(status, message), message);
}

function messageIn(json: unknown): string | undefined {
  const { message } = (json ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

async function readJson(answer: IncomingMessage): Promise<unknown> {
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
