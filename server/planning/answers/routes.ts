import type { onRequestAsyncHookHandler } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { readPage } from '../../kernel/paging.ts';
import type { Once } from '../../kernel/writes/idempotency.ts';
import { etag, ifMatch } from '../../kernel/writes/preconditions.ts';
import { serveArea } from '../events/area.ts';
import { readFilter } from '../guests/input.ts';
import {
  acceptRequestSchema,
  declineRequestSchema,
  listLinksSchema,
  listRequestsSchema,
  REQUEST_STATUSES,
  readLinkSchema,
  readSettingsSchema,
  revokeLinkSchema,
  sharedSchemas,
  updateSettingsSchema,
} from './contract.ts';
import type { LinkStore } from './link-store.ts';
import type { OpenLinkStore } from './open-link-store.ts';
import { readSettingsChanges, type SettingsStore } from './settings.ts';

export interface RsvpParts {
  settings: SettingsStore;
  links: LinkStore;
  openLinks: OpenLinkStore;
  authenticate: onRequestAsyncHookHandler;
  once: Once;
  clock: Clock;
}

/** What the organizer decides about answering: until when, the open link and who asked through it, guests' links. */
export function serveRsvpSettings(server: Server, parts: RsvpParts): void {
  const { settings, links, openLinks, authenticate, once, clock } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events/:id', (app) => {
    app.get('/rsvp', { schema: readSettingsSchema }, async ({ caller, params }, reply) => {
      const found = await settings.read(caller, params.id);
      reply.header('etag', etag(found.version));
      return { settings: found.settings };
    });

    app.put('/rsvp', { schema: updateSettingsSchema }, async (request, reply) => {
      const { caller, params, body } = request;
      const read = () => readSettingsChanges(body);
      const changed = await settings.change(caller, params.id, read, clock(), ifMatch(request));
      reply.header('etag', etag(changed.version));
      return { settings: changed.settings };
    });

    app.get('/guests/links', { schema: listLinksSchema }, async ({ caller, params, query }) => {
      const page = readPage(query);
      const all = String((query as Record<string, unknown>).all) === 'true';
      const found = await links.list(caller, params.id, { ...readFilter(query), all }, page);
      return { ...found, page: page.page, limit: page.limit };
    });

    app.get('/guests/:guestId/link', { schema: readLinkSchema }, async ({ caller, params }) => ({
      link: await links.read(caller, params.id, params.guestId),
    }));

    app.delete('/guests/:guestId/link', { schema: revokeLinkSchema }, async (request, reply) => {
      const { caller, params } = request;
      await links.revoke(caller, params.id, params.guestId, clock(), ifMatch(request));
      return reply.code(204).send(null);
    });

    app.get('/guest-requests', { schema: listRequestsSchema }, async ({ caller, params, query }) => {
      const page = readPage(query);
      const status = REQUEST_STATUSES.find((one) => one === (query as Record<string, unknown>).status);
      const found = await openLinks.list(caller, params.id, status, page);
      return { ...found, page: page.page, limit: page.limit };
    });

    app.post('/guest-requests/:requestId/accept', { schema: acceptRequestSchema }, (request, reply) =>
      once(request, reply, request.caller.id, async (db) => {
        const { id, requestId } = request.params;
        return { status: 200, body: await openLinks.accept(request.caller, id, requestId, clock(), db) };
      }),
    );

    app.post('/guest-requests/:requestId/decline', { schema: declineRequestSchema }, (request, reply) =>
      once(request, reply, request.caller.id, async (db) => {
        const { id, requestId } = request.params;
        const declined = await openLinks.decline(request.caller, id, requestId, clock(), db);
        return { status: 200, body: { request: declined } };
      }),
    );
  });
}
