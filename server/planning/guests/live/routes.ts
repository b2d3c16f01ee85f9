import type { Readable } from 'node:stream';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import type { Server } from '../../../kernel/http/app.ts';
import { headersOf } from '../../../kernel/http/resource.ts';
import { CommonRefusal } from '../../../kernel/refusal.ts';
import { readableEvent } from '../../events/access.ts';
import { eventParam, ofEvent, organizer, serveArea } from '../../events/area.ts';
import type { Hub } from './hub.ts';

/** Open at the same time, for one organizer on one server. */
const MOST_STREAMS = 50;

const streamSchema = {
  ...organizer.get({
    tags: ['guests'],
    operationId: 'streamGuests',
    summary: 'Follow an event’s answers live',
    description:
      'Server-sent events: `counts` at once and after each change, `answer` with a guest who answered, `changed` when so ' +
      'much changed that the list is better read again. The stream ends every quarter hour: connect again, with ' +
      '`Last-Event-ID` to be told what was missed.',
    params: eventParam,
    response: {
      200: Type.Unsafe<Readable>({
        description: 'The stream.',
        content: {
          'text/event-stream': {
            schema: { type: 'string' },
            example: 'event: counts\ndata: {"rsvp_confirmed":212,"people":318}\n\n',
          },
        },
      }),
    },
    errors: ofEvent,
  }),
  headers: headersOf({
    'last-event-id': { type: 'string', description: 'The last `id` received.' },
  }),
};

export function serveGuestStream(
  server: Server,
  { db, hub, authenticate }: { db: Kysely<unknown>; hub: Hub; authenticate: onRequestAsyncHookHandler },
): void {
  const open = new Map<string, number>();
  server.app.addHook('preClose', () => hub.close());

  serveArea(server, authenticate, '/api/events/:id/stream', (area) => {
    area.get('', { schema: streamSchema }, async (request, reply) => {
      const { caller, params, headers } = request;
      const event = await readableEvent(db, caller, params.id);
      const count = open.get(caller.id) ?? 0;
      if (count >= MOST_STREAMS) throw new CommonRefusal(429, 'too_many_requests');
      const stream = await hub.open(event.id, timeOf(headers['last-event-id']));
      open.set(caller.id, (open.get(caller.id) ?? 0) + 1);
      stream.once('close', () => {
        const left = (open.get(caller.id) ?? 1) - 1;
        if (left > 0) open.set(caller.id, left);
        else open.delete(caller.id);
      });
      reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
      return reply.type('text/event-stream; charset=utf-8').send(stream);
    });
  });
}

/** An id of ours is the time of an answer; any other is none. */
function timeOf(id: unknown): string | undefined {
  if (typeof id !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(id)) return undefined;
  return Number.isNaN(Date.parse(id)) ? undefined : id;
}
