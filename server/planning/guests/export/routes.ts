import { Readable } from 'node:stream';
import type { onRequestAsyncHookHandler } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { Type } from 'typebox';
import * as asks from '../../../kernel/asks.ts';
import type { Server } from '../../../kernel/http/app.ts';
import { queryOf } from '../../../kernel/http/resource.ts';
import { readableEvent } from '../../events/access.ts';
import { eventParam, ofEvent, organizer, serveArea } from '../../events/area.ts';
import type { Guest } from '../contract.ts';
import { type GuestFilter, guestFilter } from '../filter.ts';
import { XLSX_TYPE } from '../import/contract.ts';
import { type GuestRow, guestColumns, present } from '../rows.ts';
import type { SheetLanguage } from '../sheets/cells.ts';
import { csvFile } from '../sheets/write-csv.ts';
import { xlsxFile } from '../sheets/write-xlsx.ts';
import { matching } from '../store.ts';
import { cellsOf, headingsIn } from './cells.ts';

const binary = { schema: { type: 'string', format: 'binary' } };

const exportQuery = {
  format: asks.oneOfOr(['csv', 'xlsx'], 'csv'),
  language: asks.oneOfOr(['hebrew', 'english'], 'hebrew', 'Of the headings.'),
  ...guestFilter,
};

const exportSchema = organizer.get({
  tags: ['guests'],
  operationId: 'exportGuests',
  summary: 'Export guests as CSV or XLSX',
  description:
    'By name. CSV is UTF-8 with a byte order mark, and what looks like a formula has an apostrophe before it. ' +
    'An import reads the file back.',
  params: eventParam,
  querystring: queryOf(exportQuery),
  response: {
    200: Type.Unsafe<Readable>({
      description: 'The file.',
      content: { 'text/csv': binary, [XLSX_TYPE]: binary },
    }),
  },
  errors: ofEvent,
});

export function serveGuestExport(
  server: Server,
  { db, authenticate }: { db: Kysely<unknown>; authenticate: onRequestAsyncHookHandler },
): void {
  serveArea(server, authenticate, '/api/events/:id/guests/export', (area) => {
    area.get('', { schema: exportSchema }, async ({ caller, params, query }, reply) => {
      const event = await readableEvent(db, caller, params.id);
      const { format, language, ...filter } = asks.readQuery(exportQuery, query);
      const rows = exportedRows(db, event.id, filter, language);
      const isSheet = format === 'xlsx';
      const name = `guests.${isSheet ? 'xlsx' : 'csv'}`;
      reply.header('content-disposition', `attachment; filename="${name}"`);
      reply.type(isSheet ? XLSX_TYPE : 'text/csv; charset=utf-8');
      const sheet = { name: language === 'hebrew' ? 'אורחים' : 'Guests', rightToLeft: language === 'hebrew' };
      return reply.send(isSheet ? xlsxFile(rows, sheet) : Readable.from(csvFile(rows)));
    });
  });
}

const AT_ONCE = 1000;

/** All that match, a thousand at a time, each from where the last one ended. */
async function* exportedRows(
  db: Kysely<unknown>,
  eventId: string,
  filter: GuestFilter,
  language: SheetLanguage,
): AsyncGenerator<string[]> {
  yield headingsIn(language);
  let after: { search: string; id: string } | undefined;
  do {
    const { rows }: { rows: (GuestRow & { search: string })[] } = await sql<GuestRow & { search: string }>`
      select ${guestColumns}, guests.search from guests
      where ${matching(eventId, filter)}
        ${after ? sql`and (guests.search, guests.id) > (${after.search} collate "C", ${after.id}::uuid)` : sql``}
      order by guests.search, guests.id limit ${AT_ONCE}`.execute(db);
    for (const { search: _, ...row } of rows) yield cellsOf(present(row).guest as Guest, language);
    after = rows.length === AT_ONCE ? rows.at(-1) : undefined;
  } while (after);
}
