import type { Readable } from 'node:stream';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import type { OrganizerReader } from '../../identity/authenticate.ts';
import type { Server } from '../../kernel/http/app.ts';
import { headersOf } from '../../kernel/http/resource.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { eventReadableWithoutContacts, type GuestReader } from '../events/access.ts';
import { eventErrors, eventParam, organizerFrames, serveArea } from '../events/area.ts';
import type { Hub } from './hub.ts';

/** Maximum number of live streams that one organizer can have open on one server. */
const MOST_STREAMS = 50;
const LONGEST_MS = 15 * 60_000;

const streamSchema = {
  ...organizerFrames.get({
    tags: ['guests'],
    operationId: 'streamGuests',
    summary: 'Follow an event’s answers live',
    description:
      'Server-sent events in the order of the event’s history, with its numbers as their ids: `answer` with a guest ' +
      'who answered or got a place; `guest` with a guest who was added or changed; `removed` with the `guest_id` of a guest ' +
      'who was deleted; `request` with a request made through the open link, for callers who see contact details; `changed` after large changes: read the list ' +
      'again; `counts` at the start and after all changes. The stream ends every quarter of an hour: reconnect ' +
      'with `Last-Event-ID` to receive what you missed.',
    params: eventParam,
    response: {
      200: Type.Unsafe<Readable>({
        description: 'The stream.',
        content: {
          'text/event-stream': {
            schema: { type: 'string' },
            example: 'event: counts\nid: 1042\ndata: {"rsvp_confirmed":212,"people":318}\n\n',
          },
        },
      }),
    },
    errors: eventErrors,
  }),
  headers: headersOf({
    'last-event-id': { type: 'string', description: 'The last `id` received.' },
  }),
};

export interface StreamParts {
  db: Kysely<unknown>;
  hub: Hub;
  authenticate: onRequestAsyncHookHandler;
  readOrganizer: OrganizerReader;
}

export function serveGuestStream(
  server: Server,
  { db, hub, authenticate, readOrganizer }: StreamParts,
): void {
  server.app.addHook('preClose', () => hub.close());

  serveArea(server, authenticate, '/api/events/:id/stream', (area) => {
    area.get('', { schema: streamSchema }, (request, reply) => {
      const { caller, params, headers } = request;
      const find = () => eventReadableWithoutContacts(db, caller, params.id);
      let reader: GuestReader | undefined;
      const isStillAllowed = async () => {
        const organizer = await readOrganizer(request, reply);
        if (typeof organizer !== 'object' || organizer.id !== caller.id) return false;
        const event = await unlessRefused(find);
        return event !== undefined && event.contacts === reader?.contacts;
      };
      return server.streams.open(
        reply,
        [{ key: `guests of ${caller.id}`, most: MOST_STREAMS }],
        { longestMs: LONGEST_MS, isStillAllowed },
        async () => {
          reader = await find();
          return hub.follow(reader, lineOf(headers['last-event-id']));
        },
      );
    });
  });
}

async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Number of the history line that an event id of the stream names; undefined for any other id. */
function lineOf(id: unknown): number | undefined {
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
