import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { SimchaError } from './errors.ts';
import type { Client } from './generated/client/index.ts';
import type {
  FollowAccessLogData,
  FollowDeploymentLogData,
  FollowRunLogData,
  FollowSiteLogData,
  Guest,
  GuestCounts,
  GuestRequest,
  StreamGuestsData,
} from './generated/types.gen.ts';
import { pause } from './pause.ts';

export interface StreamOptions {
  client: Client;
  signal?: AbortSignal;
  /** `id` of the last event that the caller received: the stream continues with the next event. */
  lastEventId?: string;
  /** Function called each time the stream's connection fails or is lost, before the next try. */
  onDisconnect?: (error: unknown) => void;
}

/** Events in the stream of a guest list, from `GET /api/events/{id}/stream`. */
export type GuestEvent =
  | { event: 'counts'; id: string; data: GuestCounts }
  | { event: 'answer' | 'guest'; id: string; data: { guest: Guest } }
  | { event: 'removed'; id: string; data: { guest_id: string } }
  | { event: 'request'; id: string; data: { request: GuestRequest } }
  | { event: 'changed'; id: string; data: Record<string, never> };

/**
 * Streams the changes of an event's guests until the signal is aborted or the caller's loop ends. Lost connections are
 * renewed, and each change comes once.
 */
export async function* followGuests({
  path,
  ...following
}: StreamOptions & Pick<StreamGuestsData, 'path'>): AsyncGenerator<GuestEvent, void, undefined> {
  const url: StreamGuestsData['url'] = '/api/events/{id}/stream';
  for await (const { event, id = '', data } of follow({ url, path, ...following }))
    yield { event, id, data: JSON.parse(data) } as GuestEvent;
}

export interface LogLine {
  /** Number of the log line. Later lines have higher numbers, even after the server restarts. */
  id: string;
  text: string;
}

/** Streams all log lines of a deployment until it ends; returns the result of the deployment. */
export async function* followDeploymentLines({
  path,
  query,
  ...following
}: StreamOptions & Pick<FollowDeploymentLogData, 'path' | 'query'>): AsyncGenerator<
  LogLine,
  { status: string } | undefined,
  undefined
> {
  const url: FollowDeploymentLogData['url'] =
    '/api/v1/applications/{uuid}/deployments/{deployment}/logs/stream';
  for await (const { event, id = '', data } of follow({ url, path, query, ...following })) {
    if (event === 'end') return JSON.parse(data);
    yield { id, text: data };
  }
  return undefined;
}

/** Streams all output of a run until it ends; returns the result of the run. */
export async function* followRunLines({
  path,
  query,
  ...following
}: StreamOptions & Pick<FollowRunLogData, 'path' | 'query'>): AsyncGenerator<
  LogLine,
  { status: string } | undefined,
  undefined
> {
  const url: FollowRunLogData['url'] = '/api/v1/applications/{uuid}/runs/{run}/logs/stream';
  for await (const { event, id = '', data } of follow({ url, path, query, ...following })) {
    if (event === 'end') return JSON.parse(data);
    yield { id, text: data };
  }
  return undefined;
}

/**
 * Streams the log of a site or of its preview, beginning with the newest 1,000 lines, until the signal is aborted or
 * the caller's loop ends.
 */
export async function* followSiteLines({
  path,
  query,
  ...following
}: StreamOptions & Pick<FollowSiteLogData, 'path' | 'query'>): AsyncGenerator<LogLine, void, undefined> {
  const url: FollowSiteLogData['url'] = '/api/v1/applications/{uuid}/logs/stream';
  for await (const { id = '', data } of follow({ url, path, query, ...following })) yield { id, text: data };
}

/** Streams the access log of a site or of its preview, like `followSiteLines`. */
export async function* followAccessLines({
  path,
  query,
  ...following
}: StreamOptions & Pick<FollowAccessLogData, 'path' | 'query'>): AsyncGenerator<LogLine, void, undefined> {
  const url: FollowAccessLogData['url'] = '/api/v1/applications/{uuid}/access-log/stream';
  for await (const { id = '', data } of follow({ url, path, query, ...following })) yield { id, text: data };
}

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** HTTP statuses after which another try may succeed: the server, or a proxy before it, may recover. */
const PASSING = [429, 500, 502, 503, 504, 507];

interface Target {
  url: string;
  path: Record<string, unknown>;
  query?: Record<string, unknown> | undefined;
}

/**
 * Follows a stream of events from the server and reconnects after failures. The stream ends by the signal, by status
 * 204 (no more events), or by an error that another try can't repair.
 */
async function* follow({
  client,
  signal,
  lastEventId,
  onDisconnect,
  ...target
}: StreamOptions & Target): AsyncGenerator<EventSourceMessage> {
  let last = lastEventId;
  let failed = 0;
  let pauseMs = FIRST_MS;
  while (!signal?.aborted) {
    const over = new AbortController();
    const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    try {
      const { data, response } = await open(client, target, either, last);
      if (response.status === 204) return;
      const events = data
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream({ onRetry: (ms) => (pauseMs = ms) }));
      for await (const event of readAll(events)) {
        failed = 0;
        last = event.id ?? last;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof SimchaError && !PASSING.includes(error.status)) throw error;
      failed += 1;
      onDisconnect?.(error);
    } finally {
      // The stream's request is also aborted when the caller stops reading events.
      over.abort();
    }
    const grown = Math.min(pauseMs * 2 ** failed, LONGEST_MS);
    await pause(failed === 0 ? pauseMs : grown * (0.5 + Math.random() / 2), signal).catch(() => {});
  }
}

const SECURITY = [
  { name: 'X-API-Key', type: 'apiKey' },
  { scheme: 'bearer', type: 'http' },
] as const;

async function open(
  client: Client,
  { query, ...target }: Target,
  signal: AbortSignal,
  last: string | undefined,
) {
  return client.get<ReadableStream<Uint8Array<ArrayBuffer>>, unknown, true>({
    ...target,
    ...(query && { query }),
    signal,
    parseAs: 'stream',
    security: SECURITY,
    headers: { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) },
  });
}

/** Reads a response body with a reader, because not every browser can iterate over a stream. */
async function* readAll<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}
