import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { compressLarge } from '../../kernel/http/compressed.ts';
import { addPage, readPage } from '../../kernel/paging.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import { eventReadableWithoutContacts } from '../events/access.ts';
import { responseLanguageOf, serveArea } from '../events/area.ts';
import { type EventWriter, REMOVED } from '../events/write.ts';
import { addGuest, guestWithRsvp, saveAnswer } from './capacity/allocation.ts';
import {
  countsSchema,
  createGuestSchema,
  deleteGuestSchema,
  listGuestsSchema,
  readGuestSchema,
  sharedSchemas,
  updateGuestSchema,
} from './contract.ts';
import { deleteGuests } from './deleted/store.ts';
import { guestFilter, guestOrder } from './filter.ts';
import { readGuestChanges, readNewGuest } from './input.ts';
import { findGuest, readGuest, requireGuest } from './rows.ts';
import { listGuests, readCounts } from './store.ts';
import { warningsOf } from './warnings.ts';

export interface GuestParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  clock: Clock;
}

/** Routes of an event's guests. */
export function serveGuests(server: Server, { db, writer, authenticate }: Omit<GuestParts, 'clock'>): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events/:id/guests', (app) => {
    app.post('', { schema: createGuestSchema }, (request, reply) =>
      writer.change(request, reply, async (write) => {
        const { details, answer } = readNewGuest(request.body);
        const { guest, version, short } = await addGuest(write, details, answer, {
          via: 'organizer',
          action: 'created',
        });
        const location = `/api/events/${guest.event_id}/guests/${guest.id}`;
        const warnings = warningsOf({ guest, short }, responseLanguageOf(request));
        return { status: 201, headers: { location }, version, body: { guest, warnings } };
      }),
    );

    app.get('', { schema: listGuestsSchema, onSend: compressLarge }, async ({ caller, params, query }) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      const page = readPage(query);
      const filter = readQuery(guestFilter, query);
      const { order } = readQuery(guestOrder, query);
      return addPage(page, await listGuests(db, event, filter, order, page));
    });

    app.get('/counts', { schema: countsSchema }, async ({ caller, params }) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      return { counts: await readCounts(db, event.id) };
    });

    app.get('/:guestId', { schema: readGuestSchema }, async ({ caller, params }, reply) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      const { guest, version } = requireGuest(await readGuest(db, event, params.guestId));
      reply.header('etag', entityTag(version));
      return { guest };
    });

    app.put('/:guestId', { schema: updateGuestSchema }, (request, reply) =>
      writer.change(request, reply, async (write) => {
        const before = requireGuest(
          await findGuest(write.transaction, write.event.id, request.params.guestId),
        );
        const input = readGuestChanges(request.body, guestWithRsvp(before));
        write.unchanged(before.version);
        const origin = { via: 'organizer', action: 'changed' } as const;
        const { guest, version, short } = await saveAnswer(write, before, input, origin);
        return {
          version,
          body: { guest, warnings: warningsOf({ guest, short }, responseLanguageOf(request)) },
        };
      }),
    );

    app.delete('/:guestId', { schema: deleteGuestSchema }, (request, reply) =>
      writer.change(request, reply, async (write) => {
        const { transaction, event, unchanged } = write;
        const { guest, version } = requireGuest(
          await findGuest(transaction, event.id, request.params.guestId),
        );
        unchanged(version);
        await deleteGuests(write, [guest.id]);
        return REMOVED;
      }),
    );
  });
}
