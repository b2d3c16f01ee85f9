import { Readable } from 'node:stream';
import type { onRequestAsyncHookHandler } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { Type } from 'typebox';
import type { Server } from '../../../kernel/http/app.ts';
import { oneOf } from '../../../kernel/http/shapes.ts';
import { readableEvent } from '../../events/access.ts';
import { ofReadableEvent, readErrors, serveArea } from '../../events/area.ts';
import { common, eventParams, type Guest, guestFilter } from '../contract.ts';
import { XLSX_TYPE } from '../import/contract.ts';
import { type GuestFilter, readFilter } from '../input.ts';
import { type GuestRow, guestColumns, present } from '../rows.ts';
import type { SheetLanguage } from '../sheets/cells.ts';
import { csvFile } from '../sheets/write-csv.ts';
import { xlsxFile } from '../sheets/write-xlsx.ts';
import { matching } from '../store.ts';
import { cellsOf, headingsIn } from './cells.ts';

const binary = { schema: { type: 'string', format: 'binary' } };

const exportSchema = {
  ...common,
  operationId: 'exportGuests',
  summary: 'Export guests as CSV or XLSX',
  description:
    'By name. CSV is UTF-8 with a byte order mark, and what looks like a formula has an apostrophe before it. ' +
    'An import reads the file back.',
  params: eventParams,
  querystring: Type.Object({
    format: Type.Optional(oneOf(['csv', 'xlsx'], { default: 'csv' })),
    language: Type.Optional(
      oneOf(['hebrew', 'english'], { default: 'hebrew', description: 'Of the headings.' }),
    ),
    ...guestFilter,
  }),
  response: {
    200: Type.Unsafe({ description: 'The file.', content: { 'text/csv': binary, [XLSX_TYPE]: binary } }),
  },
  errors: readErrors(ofReadableEvent),
};

export function serveGuestExport(
  server: Server,
  { db, authenticate }: { db: Kysely<unknown>; authenticate: onRequestAsyncHookHandler },
): void {
  serveArea(server, authenticate, '/api/events/:id/guests/export', (area) => {
    area.get('', { schema: exportSchema }, async ({ caller, params, query }, reply) => {
      const { id } = params as { id: string };
      const event = await readableEvent(db, caller, id);
      const { format, language: wanted } = query as Record<string, unknown>;
      const language = wanted === 'english' ? 'english' : 'hebrew';
      const rows = exportedRows(db, event.id, readFilter(query), language);
      const isSheet = format === 'xlsx';
      const name = `guests.${isSheet ? 'xlsx' : 'csv'}`;
      reply.header('content-disposition', `attachment; filename="${name}"`);
      reply.type(isSheet ? XLSX_TYPE : 'text/csv; charset=utf-8');
      const sheet = { name: language === 'hebrew' ? 'אורחים' : 'Guests', rightToLeft: language === 'hebrew' };
      return reply.send((isSheet ? xlsxFile(rows, sheet) : Readable.from(csvFile(rows))) as never);
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
