import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Fields } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { readPage } from '../../kernel/paging.ts';
import { readableEvent } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import { HistoryEntry, historySchema, SUBJECTS } from './contract.ts';
import { type HistoryFilter, listHistory } from './store.ts';

/** Who changed what and when. */
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
      const found = await listHistory(db, event.id, readFilter(request.query), page);
      return { ...found, page: page.page, limit: page.limit };
    });
  });
}

function readFilter({ subject, subject_id }: Fields): HistoryFilter {
  return {
    subject: SUBJECTS.find((one) => one === subject),
    subjectId: typeof subject_id === 'string' && isUuid(subject_id) ? subject_id : undefined,
  };
}
