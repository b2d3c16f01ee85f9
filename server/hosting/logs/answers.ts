import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { EVENT_STREAM, type Events, formatEvent } from '../../kernel/http/event-stream.ts';
import type { Logs } from './logs.ts';
import { withoutColors } from './plain-text.ts';
import type { LoggedLine } from './store.ts';

/** Id of the event that ends a stream of log lines, after the last line. */
const THE_END = 'end';
/** Limits for open log streams on one server: per application, and per credential. */
const MOST_FOLLOWERS = 10;
const MOST_FOLLOWED = 20;
/** Maximum duration of a log stream, longer than any deployment. */
const LONGEST_STREAM_MS = 60 * 60_000;
/** Default number of lines in an answer, and of earlier lines at the beginning of a stream. */
export const DEFAULT_LINES = 500;
export const DEFAULT_STREAMED = 1_000;
/** Maximum number of lines that a request may name. */
export const MOST_LINES = 10_000;
/** Time after the end of a deployment or run in which its last log lines are still expected. */
const LAST_WORDS_MS = 10_000;

export interface LogAnswerParts {
  server: Pick<Server, 'streams'>;
  logs: Pick<Logs, 'read'>;
  /** Checks a request again while its stream is open, so that a revoked key or a withdrawn role ends the stream. */
  recheck(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  clock: Clock;
}

/** Query of a log without an end. Both are undefined if the request does not have them. */
export interface LogQuery {
  lines: number | undefined;
  since: Temporal.Instant | undefined;
  colors?: boolean;
}

/** Deployment or run with a log that ends. */
export interface Logged {
  status: string;
  /** Time when the deployment or run ended; null while it is in progress. */
  endedAt: string | null;
}

export type LogAnswers = ReturnType<typeof createLogAnswers>;

/** Answers requests for logs of an application, deployment or run, as text or as a stream of events. */
export function createLogAnswers({ server, logs, recheck, clock }: LogAnswerParts) {
  const asText = (reply: FastifyReply, text: string | Readable) =>
    reply.type('text/plain; charset=utf-8').send(text);

  /** Last log lines may be written after the end is stored; if the server that writes them is gone, they never come. */
  const isLongOver = (of: Logged | undefined): boolean =>
    !of || (of.endedAt !== null && clock().epochMilliseconds - Date.parse(of.endedAt) > LAST_WORDS_MS);

  const asEvents = (request: FastifyRequest, reply: FastifyReply, begin: () => Promise<Events>) => {
    const { application, developer } = request;
    const isStillAllowed = () => recheck(request, reply);
    return server.streams.open(
      reply,
      [
        { key: `logs of ${application.application_uuid}`, most: MOST_FOLLOWERS },
        { key: `logs for ${developer.accountId}`, most: MOST_FOLLOWED },
      ],
      { longestMs: LONGEST_STREAM_MS, isStillAllowed },
      begin,
    );
  };

  /** Follows a log without an end: its newest lines, or those after the client's last event, and all further ones. */
  const followNewest = (
    request: FastifyRequest,
    reply: FastifyReply,
    logId: string,
    { lines: most, since, colors = false }: LogQuery,
  ) => {
    const newest = most ?? defaultLines(since, DEFAULT_STREAMED);
    const following = { after: lastEventId(request), newest, since };
    return asEvents(request, reply, async () => {
      const lines = await logs.read.follow(logId, following);
      return (signal) => eventsOf(lines(signal), colors);
    });
  };

  return {
    followNewest,

    /** Answers with the newest lines of a log without an end, or follows it if the client accepts events. */
    async newest(request: FastifyRequest, reply: FastifyReply, logId: string, query: LogQuery) {
      if (wantsEvents(request)) return followNewest(request, reply, logId, query);
      const { lines, since, colors = false } = query;
      const text = await logs.read.newest(logId, lines ?? defaultLines(since, DEFAULT_LINES), since);
      return asText(reply, colors ? text : withoutColors(text));
    },

    /** Answers with the whole log so far. */
    whole(reply: FastifyReply, logId: string, { colors }: { colors: boolean }) {
      const pages = Readable.from(logs.read.read(logId));
      return asText(reply, colors ? pages : pages.map(withoutColors));
    },

    /** Follows a log to its end: all lines, or those after the client's last event; then an event `end`. */
    followToEnd(
      request: FastifyRequest,
      reply: FastifyReply,
      logId: string,
      { colors, find }: { colors: boolean; find: () => Promise<Logged | undefined> },
    ) {
      if (request.headers['last-event-id'] === THE_END) return reply.code(204).send(null);
      const following = { after: lastEventId(request), isOver: async () => isLongOver(await find()) };
      return asEvents(request, reply, async () => {
        const lines = await logs.read.follow(logId, following);
        return async function* (signal) {
          yield* eventsOf(lines(signal), colors);
          if (signal.aborted) return;
          const status = (await find())?.status ?? 'cancelled';
          yield formatEvent(JSON.stringify({ status }), { name: 'end', id: THE_END });
        };
      });
    },
  };
}

/** Number of lines for a request that names none: as many as allowed if it names their time. */
function defaultLines(since: Temporal.Instant | undefined, otherwise: number): number {
  return since === undefined ? otherwise : MOST_LINES;
}

export function wantsEvents({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').toLowerCase().includes(EVENT_STREAM);
}

/** Log lines that arrive together are sent in one write. */
async function* eventsOf(lines: AsyncIterable<LoggedLine[]>, hasColors: boolean): AsyncGenerator<string> {
  const shown = hasColors ? (line: string) => line : withoutColors;
  for await (const some of lines) yield some.map(({ id, line }) => formatEvent(shown(line), { id })).join('');
}

/** Id of the last event that a log's reader has received; 0, the beginning, for an id that this server never sent. */
function lastEventId({ headers }: FastifyRequest): number {
  const text = String(headers['last-event-id'] ?? '');
  return /^\d{1,16}$/.test(text) ? Number(text) : 0;
}
