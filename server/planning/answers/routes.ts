import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { addPage, readPage } from '../../kernel/paging.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import { eventReadableWithoutContacts, readableEvent, requireEditable } from '../events/access.ts';
import { responseLanguageOf, serveArea } from '../events/area.ts';
import { type EventWriter, REMOVED } from '../events/write.ts';
import { findGuest, requireGuest } from '../guests/rows.ts';
import { warningsOf } from '../guests/warnings.ts';
import {
  acceptRequestSchema,
  declineRequestSchema,
  declineRequestsSchema,
  linkFilter,
  listLinksSchema,
  listRequestsSchema,
  readLinkSchema,
  readSettingsSchema,
  requestFilter,
  revokeLinkSchema,
  samplePageSchema,
  sampleQuery,
  sharedSchemas,
  updateSettingsSchema,
} from './contract.ts';
import { readRequestSelection } from './fields.ts';
import { listLinks, readLink } from './link-store.ts';
import { acceptRequest, declineRequest, declineRequests, listRequests } from './open-link-store.ts';
import { findInvitedEvent, SAMPLE_POLICY, samplePage } from './page-sample.ts';
import type { Links } from './personal-links.ts';
import { changeSettings, readSettings } from './settings.ts';

export interface RsvpParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  links: Links;
  authenticate: onRequestAsyncHookHandler;
  publicUrl: string;
  clock: Clock;
}

/**
 * Routes for the organizer: settings for answers, requests through the open link, guests' links, and the sample page.
 */
export function serveRsvpSettings(server: Server, parts: RsvpParts): void {
  const { db, writer, links, authenticate, publicUrl, clock } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events/:id', (app) => {
    app.get('/invitation/page', { schema: samplePageSchema }, async ({ caller, params, query }, reply) => {
      const { id } = await eventReadableWithoutContacts(db, caller, params.id);
      const { language } = readQuery(sampleQuery, query);
      const event = await findInvitedEvent(db, id);
      reply.header('content-security-policy', SAMPLE_POLICY).type('text/html; charset=utf-8');
      // A sandboxed document has no origin, so the header `Origin-Agent-Cluster` would have no effect.
      reply.removeHeader('origin-agent-cluster');
      return reply.send(samplePage(event, language ?? event.language_pref, clock(), publicUrl));
    });

    app.get('/rsvp', { schema: readSettingsSchema }, async ({ caller, params }, reply) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      const { settings, version } = await readSettings(db, event.id, publicUrl);
      reply.header('etag', entityTag(version));
      return { settings };
    });

    app.put('/rsvp', { schema: updateSettingsSchema }, (request, reply) =>
      writer.change(request, reply, async (write) => {
        const { settings, version } = await changeSettings(write, request.body, publicUrl);
        return { version, body: { settings } };
      }),
    );

    // Links let their holder answer for a guest, so people who may only view an event don't get them.
    app.get('/guests/links', { schema: listLinksSchema }, async ({ caller, params, query }) => {
      const event = requireEditable(await readableEvent(db, caller, params.id));
      const page = readPage(query);
      return addPage(page, await listLinks(db, links, event.id, readQuery(linkFilter, query), page));
    });

    app.get('/guests/:guestId/link', { schema: readLinkSchema }, async ({ caller, params }) => {
      const event = requireEditable(await readableEvent(db, caller, params.id));
      return { link: await readLink(db, links, event.id, params.guestId) };
    });

    app.delete('/guests/:guestId/link', { schema: revokeLinkSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, note, unchanged }) => {
        const { guest, version } = requireGuest(
          await findGuest(transaction, event.id, request.params.guestId),
        );
        unchanged(version);
        await links.revoke(transaction, guest.id);
        note('guest', guest.id, 'link_revoked');
        return REMOVED;
      }),
    );

    app.get('/guest-requests', { schema: listRequestsSchema }, async ({ caller, params, query }) => {
      const event = await readableEvent(db, caller, params.id);
      const page = readPage(query);
      const { status } = readQuery(requestFilter, query);
      return addPage(page, await listRequests(db, event.id, status, page));
    });

    app.post('/guest-requests/:requestId/accept', { schema: acceptRequestSchema }, (request, reply) =>
      writer.change(request, reply, async (write) => {
        const { short, ...accepted } = await acceptRequest(write, request.params.requestId);
        const warnings = warningsOf({ guest: accepted.guest, short }, responseLanguageOf(request));
        return { body: { ...accepted, warnings } };
      }),
    );

    app.post('/guest-requests/decline', { schema: declineRequestsSchema }, (request, reply) =>
      writer.change(request, reply, async (write) => ({
        body: { declined: await declineRequests(write, readRequestSelection(request.body)) },
      })),
    );

    app.post('/guest-requests/:requestId/decline', { schema: declineRequestSchema }, (request, reply) =>
      writer.change(request, reply, async (write) => ({
        body: { request: await declineRequest(write, request.params.requestId) },
      })),
    );
  });
}
