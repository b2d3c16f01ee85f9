import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { createPauses } from '../../../kernel/pauses.ts';
import { columnLetters } from './sheet.ts';

/**
 * Appearance of a column: text or numbers, as wide as its content needs. A `small` column is narrow, as people don't
 * read it.
 */
export type ColumnLook = 'text' | 'number' | 'small';

export interface SheetLook {
  name: string;
  rightToLeft: boolean;
  /** Appearance of each column of the spreadsheet. By default a column contains text. */
  columns?: readonly ColumnLook[];
}

/** Writes an XLSX file (ECMA-376) with one sheet as a stream. The first row is the headings; no cell is a formula. */
export function xlsxFile(rows: AsyncIterable<readonly string[]>, look: SheetLook): Readable {
  const zip = new ZipFile();
  for (const [path, xml] of Object.entries(parts(look.name))) zip.addBuffer(Buffer.from(xml), path);
  const sheet = Readable.from(sheetXml(rows, look));
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  const output = zip.outputStream as Readable;
  sheet.on('error', (error) => output.destroy(error));
  output.on('close', () => sheet.destroy());
  return output;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Numbers of the cell styles, which are their positions in `cellXfs` of the file `xl/styles.xml` below. */
const STYLES = { heading: 1, lines: 2 } as const;

function parts(name: string): Record<string, string> {
  return {
    '[Content_Types].xml':
      `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/></Types>`,
    '_rels/.rels':
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">` +
      `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml':
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">` +
      `<sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">` +
      `<Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml':
      `${HEAD}<styleSheet xmlns="${MAIN}">` +
      '<fonts count="2"><font><sz val="11"/><name val="Arial"/></font><font><b/><sz val="11"/><name val="Arial"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
      '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
      '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs>' +
      '</styleSheet>',
  };
}

/**
 * Number of rows of the spreadsheet that are read before the first is written, to compute the widths of the columns.
 */
const LOOKED_AT = 500;
const WIDTHS = { least: 8, most: 50, small: 4 } as const;

async function* sheetXml(
  rows: AsyncIterable<readonly string[]>,
  { rightToLeft, columns = [] }: SheetLook,
): AsyncGenerator<string> {
  const first: (readonly string[])[] = [];
  let width = 1;
  let number = 0;
  const rowXml = (row: readonly string[]): string => {
    number += 1;
    return `<row r="${number}">${row.map((text, column) => cellXml(text, column, number, columns[column])).join('')}</row>`;
  };
  const start = (): string => {
    width = Math.max(1, ...first.map((row) => row.length));
    return (
      `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView ${rightToLeft ? 'rightToLeft="1" ' : ''}workbookViewId="0">` +
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      `<cols>${widthsOf(first, width, columns).map(columnXml).join('')}</cols><sheetData>` +
      first.map(rowXml).join('')
    );
  };
  const pause = createPauses();
  for await (const row of rows) {
    await pause();
    if (first.length < LOOKED_AT) {
      first.push(row);
      if (first.length === LOOKED_AT) yield start();
    } else yield rowXml(row);
  }
  if (first.length < LOOKED_AT) yield start();
  yield `</sheetData><autoFilter ref="A1:${columnLetters(width - 1)}${Math.max(1, number)}"/></worksheet>`;
}

function widthsOf(
  rows: readonly (readonly string[])[],
  width: number,
  columns: readonly ColumnLook[],
): number[] {
  return Array.from({ length: width }, (_, column) => {
    if (columns[column] === 'small') return WIDTHS.small;
    const lengths = rows.flatMap((row) => (row[column] ?? '').split('\n')).map((line) => line.length + 2);
    return Math.min(WIDTHS.most, Math.max(WIDTHS.least, ...lengths));
  });
}

function columnXml(width: number, index: number): string {
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
}

function cellXml(text: string, column: number, row: number, look: ColumnLook = 'text'): string {
  if (text === '') return '';
  const at = `r="${columnLetters(column)}${row}"`;
  if (look === 'number' && row > 1 && /^\d{1,9}$/.test(text)) return `<c ${at}><v>${text}</v></c>`;
  const style = row === 1 ? STYLES.heading : text.includes('\n') ? STYLES.lines : 0;
  return `<c ${at} s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/**
 * Escapes a text for XML. XML 1.0 has no form for most control characters; sheets write them as `_x0007_` (ECMA-376,
 * ST_Xstring), and an underscore that would look like such a form as `_x005F_`.
 */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, (character) => {
        const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
        return `_x${code}_`;
      })
      .replace(/[&<>"\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
