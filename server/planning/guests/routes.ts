import type { onRequestAsyncHookHandler } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { readPage } from '../../kernel/paging.ts';
import type { Once } from '../../kernel/writes/idempotency.ts';
import { etag, ifMatch } from '../../kernel/writes/preconditions.ts';
import { serveArea } from '../events/area.ts';
import {
  countsSchema,
  createGuestSchema,
  deleteGuestSchema,
  listGuestsSchema,
  readGuestSchema,
  sharedSchemas,
  updateGuestSchema,
} from './contract.ts';
import { readFilter, readGuestChanges, readNewGuest, readOrder } from './input.ts';
import type { GuestStore } from './store.ts';

export interface GuestParts {
  store: GuestStore;
  authenticate: onRequestAsyncHookHandler;
  once: Once;
  clock: Clock;
}

/** An event's guests. */
export function serveGuests(server: Server, { store, authenticate, once, clock }: GuestParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events/:id/guests', (app) => {
    app.post('', { schema: createGuestSchema }, (request, reply) =>
      once(request, reply, request.caller.id, async (db) => {
        const { id } = request.params;
        const { guest, version } = await store.add(
          request.caller,
          id,
          () => readNewGuest(request.body),
          clock(),
          db,
        );
        return {
          status: 201,
          headers: { location: `/api/events/${id}/guests/${guest.id}`, etag: etag(version) },
          body: { guest },
        };
      }),
    );

    app.get('', { schema: listGuestsSchema }, async ({ caller, params, query }) => {
      const page = readPage(query);
      const found = await store.list(caller, params.id, readFilter(query), readOrder(query), page);
      return { ...found, page: page.page, limit: page.limit };
    });

    app.get('/counts', { schema: countsSchema }, async ({ caller, params }) => ({
      counts: await store.counts(caller, params.id),
    }));

    app.get('/:guestId', { schema: readGuestSchema }, async ({ caller, params }, reply) => {
      const { guest, version } = await store.find(caller, params.id, params.guestId);
      reply.header('etag', etag(version));
      return { guest };
    });

    app.put('/:guestId', { schema: updateGuestSchema }, async (request, reply) => {
      const { caller, params, body } = request;
      const { guest, version } = await store.change(
        caller,
        params.id,
        params.guestId,
        clock(),
        (stored) => readGuestChanges(body, stored),
        ifMatch(request),
      );
      reply.header('etag', etag(version));
      return { guest };
    });

    app.delete('/:guestId', { schema: deleteGuestSchema }, async (request, reply) => {
      const { caller, params } = request;
      await store.remove(caller, params.id, params.guestId, clock(), ifMatch(request));
      return reply.code(204).send(null);
    });
  });
}
