import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { onRequestAsyncHookHandler } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { Type } from 'typebox';
import type { Server } from '../../../kernel/http/app.ts';
import { queryOf } from '../../../kernel/http/resource.ts';
import { directionOf, LANGUAGE_NAMES, languageCodeOf } from '../../../kernel/languages.ts';
import * as queryTypes from '../../../kernel/query-types.ts';
import { readableEvent } from '../../events/access.ts';
import { eventErrors, eventParam, organizerFrames, serveArea } from '../../events/area.ts';
import { listQuestions } from '../../questions/store.ts';
import type { Guest } from '../contract.ts';
import { type GuestFilter, guestFilter } from '../filter.ts';
import { XLSX_TYPE } from '../import/contract.ts';
import { type GuestRow, guestColumns, storedGuestOf } from '../rows.ts';
import type { SheetLanguage } from '../sheets/cells.ts';
import { csvFile } from '../sheets/write-csv.ts';
import { xlsxFile } from '../sheets/write-xlsx.ts';
import { filterCondition } from '../store.ts';
import { columnLooks, type ExportOptions, exportHeadings, guestRows } from './cells.ts';

const binary = { schema: { type: 'string', format: 'binary' } };

const exportQuery = {
  format: queryTypes.oneOfOr(['csv', 'xlsx'], 'csv'),
  language: queryTypes.oneOfOr(LANGUAGE_NAMES, 'hebrew', 'Language of the headings.'),
  rows: queryTypes.oneOfOr(['guests', 'people'], 'guests', '`people`: a row for each person of a party.'),
  ...guestFilter,
};

const exportSchema = organizerFrames.get({
  tags: ['guests'],
  operationId: 'exportGuests',
  summary: 'Export guests as CSV or XLSX',
  description:
    'Sorted by name. CSV is UTF-8 with a byte order mark, and texts that look like formulas get an apostrophe in front. ' +
    'An import can read the file back: it finds each guest by the id in the last column.',
  params: eventParam,
  querystring: queryOf(exportQuery),
  response: {
    200: Type.Unsafe<Readable>({
      description: 'The file.',
      content: { 'text/csv': binary, [XLSX_TYPE]: binary },
    }),
  },
  errors: eventErrors,
});

export function serveGuestExport(
  server: Server,
  { db, authenticate }: { db: Kysely<unknown>; authenticate: onRequestAsyncHookHandler },
): void {
  serveArea(server, authenticate, '/api/events/:id/guests/export', (area) => {
    area.get('', { schema: exportSchema }, async ({ caller, params, query }, reply) => {
      const event = await readableEvent(db, caller, params.id);
      const { format, language, rows: each, ...filter } = queryTypes.readQuery(exportQuery, query);
      const exported = { language, rows: each, questions: await listQuestions(db, event.id) };
      const rows = exportedRows(db, event.id, filter, exported);
      reply.header(
        'content-disposition',
        contentDisposition(`${fileName(await readTitle(db, event.id))}.${format}`, {
          fallback: `guests.${format}`,
        }),
      );
      reply.type(format === 'xlsx' ? XLSX_TYPE : 'text/csv; charset=utf-8');
      const look = {
        name: SHEET_NAMES[language],
        rightToLeft: directionOf(languageCodeOf(language)) === 'rtl',
        columns: columnLooks(exported),
      };
      return reply.send(format === 'xlsx' ? xlsxFile(rows, look) : Readable.from(csvFile(rows)));
    });
  });
}

const SHEET_NAMES: Readonly<Record<SheetLanguage, string>> = {
  hebrew: 'אורחים',
  arabic: 'الضيوف',
  english: 'Guests',
};

async function readTitle(db: Kysely<unknown>, eventId: string): Promise<string> {
  const { rows } = await sql<{ title: string }>`select title from events where id = ${eventId}`.execute(db);
  return rows[0]?.title ?? '';
}

const LONGEST_NAME = 100;

/** File name made of an event's title, without characters that Windows, macOS or an HTTP header refuse. */
function fileName(title: string): string {
  const name = [...title.replace(/[\p{C}\\/:*?"<>|%]+/gu, ' ').replace(/\s+/g, ' ')].slice(0, LONGEST_NAME);
  return (
    name
      .join('')
      .trim()
      .replace(/^\.+|\.+$/g, '') || 'guests'
  );
}

const AT_ONCE = 250;

/**
 * Cells of all guests that match the filter, read `AT_ONCE` rows at a time. Each read begins after the last guest of the
 * previous one.
 */
async function* exportedRows(
  db: Kysely<unknown>,
  eventId: string,
  filter: GuestFilter,
  exported: ExportOptions,
): AsyncGenerator<string[]> {
  yield exportHeadings(exported);
  let after: { search: string; id: string } | undefined;
  do {
    const { rows }: { rows: (GuestRow & { search: string })[] } = await sql<GuestRow & { search: string }>`
      select ${guestColumns}, guests.search from guests
      where ${filterCondition({ id: eventId, contacts: true }, filter)}
        ${after ? sql`and (guests.search, guests.id) > (${after.search} collate "C", ${after.id}::uuid)` : sql``}
      order by guests.search, guests.id limit ${AT_ONCE}`.execute(db);
    for (const { search: _, ...row } of rows) yield* guestRows(storedGuestOf(row).guest as Guest, exported);
    after = rows.length === AT_ONCE ? rows.at(-1) : undefined;
  } while (after);
}
