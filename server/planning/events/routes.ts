import type { onRequestAsyncHookHandler } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import type { ErrorFace } from '../../kernel/http/errors.ts';
import { hebrew } from '../../kernel/http/messages.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Once } from '../../kernel/writes/idempotency.ts';
import { etag, ifMatch } from '../../kernel/writes/preconditions.ts';
import { noSuchEvent, readable } from './access.ts';
import { serveArea } from './area.ts';
import {
  createSchema,
  deleteSchema,
  listSchema,
  readSchema,
  sharedSchemas,
  updateSchema,
} from './contract.ts';
import { dismissesChecklist, readChanges, readNewEvent, readPaging } from './input.ts';
import { hasChecklist } from './lifecycle.ts';
import { fieldLabels, messages } from './messages.ts';
import type { EventStore } from './store.ts';

const PREFIX = '/api/events';

/** How the organizer's areas speak of errors: in Hebrew, the sentence alone; by prefix the names of the fields there. */
export function organizerFaces(labels: Readonly<Record<string, ErrorFace['labels']>>): ErrorFace[] {
  return Object.entries(labels).map(([prefix, ofArea]) => ({
    prefix,
    catalogue: hebrew,
    labels: { ...fieldLabels, ...ofArea },
    body: (error) => ({ error }),
  }));
}

export interface EventParts {
  store: EventStore;
  authenticate: onRequestAsyncHookHandler;
  once: Once;
  clock: Clock;
}

/** The organizer event API. */
export function serveEvents(server: Server, { store, authenticate, once, clock }: EventParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, PREFIX, (app) => {
    app.post(
      '',
      {
        schema: createSchema,
        onRequest: async ({ caller }) => {
          if (caller.role !== 'organizer') throw new Refusal(403, 'forbidden', messages.onlyOrganizers);
        },
      },
      (request, reply) =>
        once(request, reply, request.caller.id, async (db) => {
          const now = clock();
          const input = readNewEvent(request.body, now);
          const { event, version } = await store.add(request.caller, input, now, db);
          const shown = hasChecklist(input.max_guests) && !dismissesChecklist(request.body);
          return {
            status: 201,
            headers: { location: `${PREFIX}/${event.id}`, etag: etag(version) },
            body: { event, ...(shown && { compliance_checklist: true as const }) },
          };
        }),
    );

    app.get('', { schema: listSchema }, async (request) => {
      const { page, limit, offset, status } = readPaging(request.query);
      const { events, total } = await store.list(request.caller.id, { status, limit, offset });
      return { events, total, page, limit };
    });

    app.get('/:id', { schema: readSchema }, async (request, reply) => {
      const { event, version } = readable(await store.find(request.caller, known(request.params.id)));
      reply.header('etag', etag(version));
      return { event };
    });

    app.put('/:id', { schema: updateSchema }, async (request, reply) => {
      const now = clock();
      const unchanged = ifMatch(request);
      const { event, version } = await store.change(
        request.caller,
        known(request.params.id),
        now,
        (current, currentVersion) => {
          const changes = readChanges(request.body, current.status, now);
          unchanged(currentVersion);
          return changes;
        },
      );
      reply.header('etag', etag(version));
      const dismissed = event.compliance_dismissed || dismissesChecklist(request.body);
      const shown = hasChecklist(event.max_guests) && !dismissed;
      return { event, ...(shown && { compliance_checklist: true as const }) };
    });

    app.delete('/:id', { schema: deleteSchema }, async (request, reply) => {
      await store.remove(request.caller, known(request.params.id), clock(), ifMatch(request));
      return reply.code(204).send(null);
    });
  });
}

/** A malformed id is the id of nothing. */
function known(id: string): string {
  if (!isUuid(id)) throw noSuchEvent();
  return id;
}
