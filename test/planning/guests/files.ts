import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { columnLetters } from '../../../server/planning/guests/sheets/sheet.ts';
import type { TestEvent } from '../event.ts';

// Files of guests for tests, and how they are sent.

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const ODS = 'application/vnd.oasis.opendocument.spreadsheet';

/** A spreadsheet with these parts, in their order; each is a text, or pieces of one. */
export async function zipOf(parts: Record<string, string | Iterable<string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, text] of Object.entries(parts)) {
    if (typeof text === 'string') zip.addBuffer(Buffer.from(text), path, { compress: path !== 'mimetype' });
    else zip.addReadStream(Readable.from(text), path);
  }
  zip.end();
  return Buffer.concat(await (zip.outputStream as Readable).toArray());
}

/** A workbook as Excel may write it, of this sheet. */
export function workbookOf(sheet: string): Promise<Buffer> {
  return zipOf({
    'xl/workbook.xml': '<workbook><sheets><sheet name="x" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet>${sheet}</worksheet>`,
  });
}

export function xlsxRow(number: number, cells: Record<string, string>): string {
  const xml = Object.entries(cells).map(
    ([column, text]) => `<c r="${column}${number}" t="inlineStr"><is><t>${text}</t></is></c>`,
  );
  return `<row r="${number}">${xml.join('')}</row>`;
}

/** An OpenDocument spreadsheet of these rows. */
export function odsOf(rows: string | Iterable<string>): Promise<Buffer> {
  const before =
    '<office:document-content><office:body><office:spreadsheet><table:table table:name="Sheet1">';
  const after = '</table:table></office:spreadsheet></office:body></office:document-content>';
  return zipOf({
    mimetype: ODS,
    'content.xml': typeof rows === 'string' ? before + rows + after : [before, ...rows, after],
  });
}

export function odsCell(text: string, attributes = ''): string {
  return `<table:table-cell office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`;
}

export interface SentAs {
  type?: string;
  query?: string;
  key?: string;
  path?: string;
  language?: string;
}

/** Sends a file to be imported into an event. */
export async function send(
  event: TestEvent,
  file: Uint8Array | string | FormData,
  { type = 'text/csv', query = '', key = '', path = '', language = '' }: SentAs = {},
) {
  const token = await event.server.token('me');
  const response = await fetch(`${event.server.url}/api/events/${event.id}/guests/import${path}${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(!(file instanceof FormData) && { 'content-type': type }),
      ...(key && { 'idempotency-key': key }),
      ...(language && { 'accept-language': language }),
    },
    body: file as never,
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

/** An event's guests as a file. */
export async function exported(event: TestEvent, query = '') {
  const response = await fetch(`${event.server.url}/api/events/${event.id}/guests/export${query}`, {
    headers: { authorization: `Bearer ${await event.server.token('me')}` },
  });
  return { headers: response.headers, file: new Uint8Array(await response.arrayBuffer()) };
}

/** Sheet of a workbook. */
export interface Sheet {
  name: string;
  hidden?: boolean;
  rows: string[][];
  /** Merged cells within one row, such as `A1:H1`. */
  merged?: string[];
}

/** Workbook of several sheets as Excel may write it. */
export function xlsxWorkbook(sheets: readonly Sheet[]): Promise<Buffer> {
  const tabs = sheets.map(
    ({ name, hidden }, index) =>
      `<sheet name="${escapeXml(name)}" sheetId="${index + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
  );
  const relations = sheets.map(
    (_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return zipOf({
    'xl/workbook.xml': `<workbook><sheets>${tabs.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    ...Object.fromEntries(
      sheets.map(({ rows, merged = [] }, index) => {
        const xml = rows.map((cells, at) =>
          xlsxRow(
            at + 1,
            Object.fromEntries(cells.map((text, column) => [columnLetters(column), escapeXml(text)])),
          ),
        );
        const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
        return [
          `xl/worksheets/sheet${index + 1}.xml`,
          `<worksheet><sheetData>${xml.join('')}</sheetData><mergeCells>${merges}</mergeCells></worksheet>`,
        ];
      }),
    ),
  });
}

/** OpenDocument spreadsheet of several sheets. */
export function odsWorkbook(sheets: readonly Sheet[]): Promise<Buffer> {
  const tables = sheets.map(({ name, hidden, rows, merged = [] }) => {
    const style = hidden ? ' table:style-name="hidden"' : '';
    const xml = rows.map((cells, row) => {
      const own = cells.map((text, column) => {
        const isWide = merged.some((ref) => ref.startsWith(`${columnLetters(column)}${row + 1}:`));
        return odsCell(escapeXml(text), isWide ? 'table:number-columns-spanned="2"' : '');
      });
      return `<table:table-row>${own.join('')}</table:table-row>`;
    });
    return `<table:table table:name="${escapeXml(name)}"${style}>${xml.join('')}</table:table>`;
  });
  const styles =
    '<office:automatic-styles><style:style style:name="hidden"><style:table-properties table:display="false"/></style:style></office:automatic-styles>';
  return zipOf({
    mimetype: ODS,
    'content.xml': `<office:document-content>${styles}<office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document-content>`,
  });
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
