import type { Kysely } from 'kysely';
import type { Caller } from '../../../identity/tokens.ts';
import type { Server } from '../../../kernel/http/app.ts';
import { addPage, readPage } from '../../../kernel/paging.ts';
import { noSuchEvent } from '../access.ts';
import { serveArea } from '../area.ts';
import type { EventParts } from '../routes.ts';
import { listDeletedEvents, lockDeletedEvent, restoreEvent } from '../store.ts';
import { DeletedEvent, listDeletedEventsSchema, restoreEventSchema } from './contract.ts';

interface DeletedEventParts extends Pick<EventParts, 'db' | 'writer' | 'authenticate' | 'clock'> {
  /**
   * Restores the records that were deleted together with an event. Runs while the event's row still holds its time of
   * deletion.
   */
  beforeRestored(transaction: Kysely<unknown>, eventId: string, now: Temporal.Instant): Promise<void>;
}

/** Routes of deleted events, which can be restored. */
export function serveDeletedEvents(
  server: Server,
  { db, writer, authenticate, clock, beforeRestored }: DeletedEventParts,
): void {
  server.app.addSchema(DeletedEvent);

  serveArea(server, authenticate, '/api/deleted-events', (app) => {
    app.get('', { schema: listDeletedEventsSchema }, async ({ caller, query }) => {
      const page = readPage(query);
      return addPage(page, await listDeletedEvents(db, caller.id, clock(), page));
    });

    const deleted = async (transaction: Kysely<unknown>, caller: Caller, id: string) => {
      const event = await lockDeletedEvent(transaction, caller, id, clock());
      if (!event) throw noSuchEvent();
      return event;
    };
    app.post('/:id/restore', { schema: restoreEventSchema }, (request, reply) =>
      writer.changeIf(deleted, request, reply, async ({ transaction, event, now, note }) => {
        await beforeRestored(transaction, event.id, now);
        const { event: back, version } = await restoreEvent(transaction, request.caller, event.id, now);
        note('event', event.id, 'restored');
        return { version, body: { event: back } };
      }),
    );
  });
}
