import type { Server } from '../../../kernel/http/app.ts';
import { addPage, readPage } from '../../../kernel/paging.ts';
import { readableEvent, requireEditable } from '../../events/access.ts';
import { responseLanguageOf, serveArea } from '../../events/area.ts';
import type { GuestParts } from '../routes.ts';
import { warningsOf } from '../warnings.ts';
import { DeletedGuest, listDeletedGuestsSchema, restoreGuestSchema } from './contract.ts';
import { restoreGuest } from './restore.ts';
import { listDeletedGuests } from './store.ts';

/** Routes that list and restore deleted guests. */
export function serveDeletedGuests(server: Server, { db, writer, authenticate, clock }: GuestParts): void {
  server.app.addSchema(DeletedGuest);

  serveArea(server, authenticate, '/api/events/:id/guests', (app) => {
    app.get('/deleted', { schema: listDeletedGuestsSchema }, async ({ caller, params, query }) => {
      const event = requireEditable(await readableEvent(db, caller, params.id));
      const page = readPage(query);
      return addPage(page, await listDeletedGuests(db, event.id, clock(), page));
    });

    app.post('/:guestId/restore', { schema: restoreGuestSchema }, (request, reply) =>
      writer.change(request, reply, async (write) => {
        const { guest, version, short } = await restoreGuest(write, request.params.guestId);
        return {
          version,
          body: { guest, warnings: warningsOf({ guest, short }, responseLanguageOf(request)) },
        };
      }),
    );
  });
}
