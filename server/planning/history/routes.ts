import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Server } from '../../kernel/http/app.ts';
import { addPage, readPage } from '../../kernel/paging.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { readableEvent } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import { HistoryEntry, historyFilter, historySchema } from './contract.ts';
import { listHistory } from './store.ts';

/** Routes of an event's history of changes. */
export function serveHistory(
  server: Server,
  authenticate: onRequestAsyncHookHandler,
  db: Kysely<unknown>,
): void {
  server.app.addSchema(HistoryEntry);
  serveArea(server, authenticate, '/api/events', (area) => {
    area.get('/:id/history', { schema: historySchema }, async (request) => {
      const event = await readableEvent(db, request.caller, request.params.id);
      const page = readPage(request.query);
      return addPage(page, await listHistory(db, event, readQuery(historyFilter, request.query), page));
    });
  });
}
