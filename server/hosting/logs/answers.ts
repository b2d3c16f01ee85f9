import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { EVENT_STREAM, type Events, formatEvent } from '../../kernel/http/event-stream.ts';
import type { Logs } from './logs.ts';
import type { LoggedLine } from './store.ts';

/** The id of a stream's last event. */
const THE_END = 'end';
/** Log streams open at the same time on one server, of one application and for one credential. */
const MOST_FOLLOWERS = 10;
const MOST_FOLLOWED = 20;
/** Longer than any deployment takes. */
const LONGEST_STREAM_MS = 60 * 60_000;
/** Lines of a site that a client is told which begins to follow. */
const FIRST_TOLD = 1_000;
/** How long after the end of what a log is of its last words are waited for. */
const LAST_WORDS_MS = 10_000;

export interface LogAnswerParts {
  server: Pick<Server, 'streams'>;
  logs: Pick<Logs, 'read'>;
  /** Whose credential it is, asked again while a stream goes on. */
  readDeveloper: DeveloperReader;
  clock: Clock;
}

/** What has a log and comes to an end. */
export interface Logged {
  status: string;
  /** null while it goes on. */
  endedAt: string | null;
}

/** How logs are answered, on routes about one application (applications/access.ts): as text, and as events. */
export function createLogAnswers({ server, logs, readDeveloper, clock }: LogAnswerParts) {
  const asText = (reply: FastifyReply, text: string | Readable) =>
    reply.type('text/plain; charset=utf-8').send(text);

  /** The last words are written after the end is on record, unless the server they were on is gone. */
  const isLongOver = (of: Logged | undefined): boolean =>
    !of || (of.endedAt !== null && clock().epochMilliseconds - Date.parse(of.endedAt) > LAST_WORDS_MS);

  const asEvents = (request: FastifyRequest, reply: FastifyReply, begin: () => Promise<Events>) => {
    const { application, developer } = request;
    const isStillAllowed = async () => {
      const credential = await readDeveloper(request, reply);
      return typeof credential === 'object' && credential.accountId === developer.accountId;
    };
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

  return {
    asText,

    /** All there is so far. */
    whole: (reply: FastifyReply, logId: string) => asText(reply, Readable.from(logs.read.read(logId))),

    /** The newest lines of a log without an end, or those after where a client lost it, and what comes. */
    followNewest(request: FastifyRequest, reply: FastifyReply, logId: string) {
      const following = { after: lastEventId(request), newest: FIRST_TOLD };
      return asEvents(request, reply, async () => {
        const lines = await logs.read.follow(logId, following);
        return (signal) => eventsOf(lines(signal));
      });
    },

    /** All of a log, or what comes after where a client lost it, until what it is of has ended; then an event `end`. */
    followToEnd(
      request: FastifyRequest,
      reply: FastifyReply,
      logId: string,
      find: () => Promise<Logged | undefined>,
    ) {
      if (request.headers['last-event-id'] === THE_END) return reply.code(204).send(null);
      const following = { after: lastEventId(request), isOver: async () => isLongOver(await find()) };
      return asEvents(request, reply, async () => {
        const lines = await logs.read.follow(logId, following);
        return async function* (signal) {
          yield* eventsOf(lines(signal));
          if (signal.aborted) return;
          const status = (await find())?.status ?? 'cancelled';
          yield formatEvent(JSON.stringify({ status }), { name: 'end', id: THE_END });
        };
      });
    },
  };
}

export function wantsEvents({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').toLowerCase().includes(EVENT_STREAM);
}

/** Lines that come together are written together. */
async function* eventsOf(lines: AsyncIterable<LoggedLine[]>): AsyncGenerator<string> {
  for await (const some of lines) yield some.map(({ id, line }) => formatEvent(line, { id })).join('');
}

/** Where a client lost a stream; from the first line when it says nothing we gave it. */
function lastEventId({ headers }: FastifyRequest): number {
  const text = String(headers['last-event-id'] ?? '');
  return /^\d{1,16}$/.test(text) ? Number(text) : 0;
}
