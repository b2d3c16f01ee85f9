import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { SimchaError } from './errors.ts';
import type { Client } from './generated/client/index.ts';
import type {
  FollowDeploymentLogData,
  FollowSiteLogData,
  Guest,
  GuestCounts,
  GuestRequest,
  StreamGuestsData,
} from './generated/types.gen.ts';
import { pause } from './pause.ts';

export interface Following {
  client: Client;
  signal?: AbortSignal;
  /** The `id` of the last event that was told before: what came after it is told first. */
  after?: string;
  /** Called each time the connection was lost, or could not be made, before it is made again. */
  lost?: (error: unknown) => void;
}

/** What `GET /api/events/{id}/stream` tells. */
export type GuestEvent =
  | { event: 'counts'; id: string; data: GuestCounts }
  | { event: 'answer' | 'guest'; id: string; data: { guest: Guest } }
  | { event: 'removed'; id: string; data: { guest_id: string } }
  | { event: 'request'; id: string; data: { request: GuestRequest } }
  | { event: 'changed'; id: string; data: Record<string, never> };

/** What an event's guests do, as they do it, until the signal or `break`: over lost connections, each event once. */
export async function* followGuests({
  path,
  ...following
}: Following & Pick<StreamGuestsData, 'path'>): AsyncGenerator<GuestEvent, void, undefined> {
  const url: StreamGuestsData['url'] = '/api/events/{id}/stream';
  for await (const { event, id = '', data } of follow({ url, path, ...following }))
    yield { event, id, data: JSON.parse(data) } as GuestEvent;
}

export interface LogLine {
  /** Its number; rises over restarts. */
  id: string;
  text: string;
}

/** The lines of a deployment's log, from the first to its last; returns what it came to. */
export async function* followDeploymentLines({
  path,
  ...following
}: Following & Pick<FollowDeploymentLogData, 'path'>): AsyncGenerator<
  LogLine,
  { status: string } | undefined,
  undefined
> {
  const url: FollowDeploymentLogData['url'] =
    '/api/v1/applications/{uuid}/deployments/{deployment}/logs/stream';
  for await (const { event, id = '', data } of follow({ url, path, ...following })) {
    if (event === 'end') return JSON.parse(data);
    yield { id, text: data };
  }
  return undefined;
}

/** The lines of a site's log, the newest 1,000 first, until the signal or `break`. */
export async function* followSiteLines({
  path,
  ...following
}: Following & Pick<FollowSiteLogData, 'path'>): AsyncGenerator<LogLine, void, undefined> {
  const url: FollowSiteLogData['url'] = '/api/v1/applications/{uuid}/logs/stream';
  for await (const { id = '', data } of follow({ url, path, ...following })) yield { id, text: data };
}

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** Behind these the server, or what stands before it, may be well again. */
const PASSING = [429, 500, 502, 503, 504, 507];

/** Ends by the signal, by a 204 (there is nothing more), and by an error that asking again does not mend. */
async function* follow({
  client,
  signal,
  after,
  lost,
  ...target
}: Following & { url: string; path: Record<string, unknown> }): AsyncGenerator<EventSourceMessage> {
  let last = after;
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
      lost?.(error);
    } finally {
      // Also where whoever read has left the loop.
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
  target: { url: string; path: Record<string, unknown> },
  signal: AbortSignal,
  last: string | undefined,
) {
  return client.get<ReadableStream<Uint8Array<ArrayBuffer>>, unknown, true>({
    ...target,
    signal,
    parseAs: 'stream',
    security: SECURITY,
    headers: { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) },
  });
}

/** By a reader: not every browser gives a stream's parts to a loop. */
async function* readAll<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}
