import { authenticateOrganizer } from '../identity/authenticate.ts';
import type { TokenReader } from '../identity/tokens.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ErrorFace } from '../kernel/http/errors.ts';
import { hebrew } from '../kernel/http/messages.ts';
import type { App, Server } from '../kernel/http/server.ts';
import { isUuid } from '../kernel/identifiers.ts';
import { Refusal } from '../kernel/refusal.ts';
import { noSuchEvent } from './access.ts';
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

export const eventErrors: ErrorFace = {
  prefix: PREFIX,
  catalogue: hebrew,
  labels: fieldLabels,
  body: (error) => ({ error }),
};

export interface EventParts {
  store: EventStore;
  readToken: TokenReader;
  clock: Clock;
}

/** The organizer event API. */
export function serveEvents(server: Server, { store, readToken, clock }: EventParts): void {
  const authenticate = authenticateOrganizer(server, readToken);
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', authenticate);
      app.addHook('onRequest', server.requireDatabase);
      // input.ts judges bodies and reads queries by the contract's own rules.
      app.setValidatorCompiler(() => (value) => ({ value }));

      app.post(
        '',
        {
          schema: createSchema,
          onRequest: async ({ caller }) => {
            if (caller.role !== 'organizer') throw new Refusal(403, 'forbidden', messages.onlyOrganizers);
          },
        },
        async (request, reply) => {
          const now = clock();
          const input = readNewEvent(request.body, now);
          const event = await store.add(request.caller.id, input, now);
          const shown = hasChecklist(input.max_guests) && !dismissesChecklist(request.body);
          reply.code(201).header('location', `${PREFIX}/${event.id}`);
          return { event, ...(shown && { compliance_checklist: true as const }) };
        },
      );

      app.get('', { schema: listSchema }, async (request) => {
        const { page, limit, status } = readPaging(request.query);
        const offset = (BigInt(page) - 1n) * BigInt(limit);
        const { events, total } = await store.list(request.caller.id, { status, limit, offset });
        return { events, total, page, limit };
      });

      app.get('/:id', { schema: readSchema }, async (request) => {
        const event = await store.find(known(request.params.id));
        if (!event) throw noSuchEvent();
        if (event.organizer_id !== request.caller.id) throw new Refusal(403, 'forbidden', messages.notYours);
        return { event };
      });

      app.put('/:id', { schema: updateSchema }, async (request) => {
        const now = clock();
        const event = await store.change(request.caller.id, known(request.params.id), now, (status) =>
          readChanges(request.body, status, now),
        );
        if (!event) throw noSuchEvent();
        const dismissed = event.compliance_dismissed || dismissesChecklist(request.body);
        const shown = hasChecklist(event.max_guests) && !dismissed;
        return { event, ...(shown && { compliance_checklist: true as const }) };
      });

      app.delete('/:id', { schema: deleteSchema }, async (request, reply) => {
        const removed = await store.remove(request.caller.id, known(request.params.id), clock());
        if (!removed) throw noSuchEvent();
        return reply.code(204).send(null);
      });
    },
    { prefix: PREFIX },
  );
}

/** A malformed id is the id of nothing. */
function known(id: string): string {
  if (!isUuid(id)) throw noSuchEvent();
  return id;
}
