import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** An XLSX file (ECMA-376) of one sheet, written as its rows come. Every cell is text: nothing in it is a formula. */
export function xlsxFile(
  rows: AsyncIterable<readonly string[]>,
  { name, rightToLeft }: { name: string; rightToLeft: boolean },
): Readable {
  const zip = new ZipFile();
  for (const [path, xml] of Object.entries(parts(name))) zip.addBuffer(Buffer.from(xml), path);
  const sheet = Readable.from(sheetXml(rows, rightToLeft));
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

function parts(name: string): Record<string, string> {
  return {
    '[Content_Types].xml':
      `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/></Types>`,
    '_rels/.rels':
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">` +
      `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml':
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">` +
      `<sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">` +
      `<Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  };
}

async function* sheetXml(
  rows: AsyncIterable<readonly string[]>,
  rightToLeft: boolean,
): AsyncGenerator<string> {
  const view = rightToLeft ? '<sheetViews><sheetView rightToLeft="1" workbookViewId="0"/></sheetViews>' : '';
  yield `${HEAD}<worksheet xmlns="${MAIN}">${view}<sheetData>`;
  let number = 0;
  for await (const row of rows) {
    number += 1;
    const cells = row.map((text, column) =>
      text === ''
        ? ''
        : `<c r="${letters(column)}${number}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`,
    );
    yield `<row r="${number}">${cells.join('')}</row>`;
  }
  yield '</sheetData></worksheet>';
}

function letters(column: number): string {
  return column < 26
    ? String.fromCharCode(65 + column)
    : letters(Math.floor(column / 26) - 1) + letters(column % 26);
}

/** XML 1.0 has no place for most control characters, so they are left out. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
