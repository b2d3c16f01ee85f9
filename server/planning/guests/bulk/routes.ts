import type { Server } from '../../../kernel/http/app.ts';
import type { Language } from '../../../kernel/languages.ts';
import { addPage, readPage } from '../../../kernel/paging.ts';
import { readQuery } from '../../../kernel/query-types.ts';
import { eventReadableWithoutContacts } from '../../events/access.ts';
import { responseLanguageOf, serveArea } from '../../events/area.ts';
import type { RequestedWrite } from '../../events/write.ts';
import type { GuestParts } from '../routes.ts';
import { type BulkResult, changeMany, deleteMany, restoreMany } from './change.ts';
import {
  bulkQuery,
  changeManySchema,
  deleteManySchema,
  listTagsSchema,
  restoreManySchema,
  sharedSchemas,
} from './contract.ts';
import { readBulkChange, readIds, readSelection } from './fields.ts';
import { listTags } from './store.ts';

/** Routes that list tags, and change, delete or restore many guests at once. */
export function serveManyGuests(
  server: Server,
  { db, writer, authenticate }: Omit<GuestParts, 'clock'>,
): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events/:id/guests', (app) => {
    app.get('/tags', { schema: listTagsSchema }, async ({ caller, params, query }) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      const page = readPage(query);
      return addPage(page, await listTags(db, event.id, page));
    });

    const works: [
      string,
      typeof changeManySchema,
      (write: RequestedWrite, body: unknown, language: Language) => Promise<BulkResult>,
    ][] = [
      [
        '/bulk',
        changeManySchema,
        (write, body, language) => changeMany(write, readBulkChange(body), language),
      ],
      ['/bulk/delete', deleteManySchema, (write, body) => deleteMany(write, readSelection(body))],
      [
        '/bulk/restore',
        restoreManySchema,
        (write, body, language) => restoreMany(write, readIds(body), language),
      ],
    ];
    for (const [path, schema, work] of works) {
      app.post(path, { schema }, (request, reply) => {
        const { dry_run } = readQuery(bulkQuery, request.query);
        return writer.change(request, reply, async (write) => ({
          body: await work(write, request.body, responseLanguageOf(request)),
          isDryRun: dry_run,
        }));
      });
    }
  });
}
