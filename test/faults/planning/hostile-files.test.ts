import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { ZipFile } from 'yazl';
import { messages } from '../../../server/planning/guests/messages.ts';
import { startEvent, type TestEvent } from '../../planning/event.ts';
import { ODS, odsCell, odsOf, zipOf } from '../../planning/guests/files.ts';

// Small files that unpack to anything: each is a clear 400, and meanwhile the server answers others.

const MEGABYTE = 10 ** 6;
const SHEET = 'xl/worksheets/sheet1.xml';
const HEADINGS = '<row><c t="inlineStr"><is><t>name</t></is></c></row>';
const PARTS: Record<string, string> = {
  'xl/workbook.xml': '<workbook><sheets><sheet name="x" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
};

function* times(count: number, text: string): Generator<string> {
  for (let left = count; left > 0; left -= 1) yield text;
}

/** A workbook with these parts, written piece by piece. */
async function workbook(parts: Record<string, Iterable<string>>, others = 0): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, text] of Object.entries({ ...PARTS, ...parts })) {
    if (typeof text === 'string') zip.addBuffer(Buffer.from(text), path);
    else zip.addReadStream(Readable.from(text), path);
  }
  for (let n = 0; n < others; n += 1) zip.addBuffer(Buffer.alloc(0), `xl/media/${n}`, { compress: false });
  zip.end();
  return Buffer.concat(await (zip.outputStream as Readable).toArray());
}

function* sheet(rows: Iterable<string>): Generator<string> {
  yield `<worksheet><sheetData>${HEADINGS}`;
  yield* rows;
  yield '</sheetData></worksheet>';
}

function* cellOf(text: Iterable<string>): Generator<string> {
  yield '<row><c t="inlineStr"><is><t>';
  yield* text;
  yield '</t></is></c></row>';
}

const plain = '<worksheet><sheetData/></worksheet>';
const BOMBS: Record<string, () => Promise<Buffer>> = {
  'one cell of 300 MB': () => workbook({ [SHEET]: sheet(cellOf(times(300, 'x'.repeat(MEGABYTE)))) }),
  'a cell of 32,768 characters': () => workbook({ [SHEET]: sheet(cellOf(['x'.repeat(32_768)])) }),
  'a value in many pieces': () =>
    workbook({
      [SHEET]: sheet(['<row><c t="str"><v>', ...times(40, '<!---->'.padEnd(1_000, 'x')), '</v></c></row>']),
    }),
  '2 million nested elements': () => workbook({ [SHEET]: sheet(times(2_000, '<a>'.repeat(1_000))) }),
  'a tag of 3 MB': () => workbook({ [SHEET]: sheet(['<row x="', ...times(3, 'x'.repeat(MEGABYTE)), '"/>']) }),
  '80 MB of empty cells in one row': () =>
    workbook({ [SHEET]: sheet(['<row>', ...times(80, '<c/>'.repeat(MEGABYTE / 4)), '</row>']) }),
  '6,000 parts': () => workbook({ [SHEET]: plain }, 6_000),
  '200 sheets': () =>
    workbook({
      'xl/workbook.xml': `<workbook><sheets>${'<sheet name="x" r:id="rId1"/>'.repeat(200)}</sheets></workbook>`,
      [SHEET]: plain,
    }),
  '2 million merged cells': () =>
    workbook({
      [SHEET]: [
        `<worksheet><sheetData>${HEADINGS}</sheetData><mergeCells>`,
        ...times(2_000, '<mergeCell ref="A1:A9"/>'.repeat(1_000)),
        '</mergeCells></worksheet>',
      ],
    }),
  'an OpenDocument cell of 300 MB': () =>
    odsOf([
      '<table:table-row><table:table-cell><text:p>',
      ...times(300, 'x'.repeat(MEGABYTE)),
      '</text:p></table:table-cell></table:table-row>',
    ]),
  '15 million empty cells in 3,000 rows': () =>
    workbook({ [SHEET]: sheet(times(3_000, `<row>${'<c/>'.repeat(5_000)}</row>`)) }),
  'a cell of a billion spaces': () =>
    odsOf(`<table:table-row>${odsCell(`a${'<text:s text:c="1000000"/>'.repeat(1_000)}`)}</table:table-row>`),
  'a cell of a million paragraphs': () =>
    odsOf([
      '<table:table-row><table:table-cell>',
      ...times(1_000, '<text:p/>'.repeat(1_000)),
      '</table:table-cell></table:table-row>',
    ]),
  '20 million OpenDocument cells in one row': () =>
    odsOf([
      '<table:table-row>',
      ...times(20, '<table:table-cell/>'.repeat(MEGABYTE / 10)),
      '</table:table-row>',
    ]),
  '2 million shared texts': () =>
    workbook({
      [SHEET]: plain,
      'xl/sharedStrings.xml': ['<sst>', ...times(2_000, '<si/>'.repeat(1_000)), '</sst>'],
    }),
  '80 MB of shared texts': () =>
    workbook({
      [SHEET]: plain,
      'xl/sharedStrings.xml': ['<sst>', ...times(3_200, `<si><t>${'x'.repeat(25_000)}</t></si>`), '</sst>'],
    }),
};

async function send(event: TestEvent, file: Buffer, query = '?dry_run=true') {
  const response = await fetch(`${event.server.url}/api/events/${event.id}/guests/import${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await event.server.token('me')}`,
      'content-type': 'application/octet-stream',
    },
    body: file as never,
  });
  return {
    status: response.status,
    body: (await response.json()) as {
      error: string;
      code: string;
      import?: { rows: unknown[]; refused: number; to_mend?: { content: string } };
    },
  };
}

test('files that unpack to anything are refused with a sentence', async (t) => {
  await using event = await startEvent('postgres');
  for (const [what, make] of Object.entries(BOMBS)) {
    await t.test(what, async () => {
      const file = await make();
      assert.ok(file.length < 12 * MEGABYTE, `${file.length} bytes`);
      const { status, body } = await send(event, file);
      assert.deepEqual([status, body.error], [400, 'הקובץ גדול מדי לאחר פריסה.']);
    });
  }
});

test('what a spreadsheet says it repeats is not repeated beyond a list', async () => {
  await using event = await startEvent('postgres');
  const names = `<table:table-row>${odsCell('name')}</table:table-row>`;
  const million = 'table:number-rows-repeated="1000000"';
  const row = (attributes: string) =>
    `<table:table-row ${attributes}>${odsCell('x', 'table:number-columns-repeated="1000000"')}</table:table-row>`;
  const rows = await send(event, await odsOf(names + row(million)));
  assert.deepEqual([rows.status, rows.body.error], [400, messages.unreadable.too_many_rows.he]);
  const many = await send(event, await odsOf(names + row('table:number-rows-repeated="40000"').repeat(2)));
  assert.deepEqual([many.status, many.body.error], [400, messages.unreadable.too_many_rows.he]);
  const wide = await send(event, await odsOf(names + row('table:number-rows-repeated="2"')));
  assert.equal(wide.body.import?.rows.length, 2, JSON.stringify(wide.body));
  const empty = `<table:table-row ${million}><table:table-cell table:number-columns-repeated="1000000"/></table:table-row>`;
  const sparse = await send(event, await odsOf(names + empty.repeat(1_000) + row('')));
  assert.equal(sparse.body.import?.rows.length, 1, JSON.stringify(sparse.body));
  const secret = await zipOf({
    mimetype: ODS,
    'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data/></manifest:manifest>',
    'content.xml': 'x',
  });
  assert.equal((await send(event, secret)).body.error, messages.unreadable.encrypted.he);
});

test('others are answered while a large file is read', async () => {
  await using event = await startEvent('postgres');
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = Array.from({ length: 20_000 }, (_, n) => `<row>${cell(`guest ${n}`)}</row>`);
  const file = await workbook({ [SHEET]: sheet(rows) });
  let read = false;
  const sent = send(event, file).finally(() => {
    read = true;
  });
  let answered = 0;
  for (; !read; answered += 1) {
    const { status } = await event.server.call('GET', '/healthz');
    assert.equal(status, 200);
  }
  assert.equal((await sent).status, 200);
  assert.ok(answered > 20, `${answered} were answered`);
});

const SKIP = '?dry_run=true&on_problem=skip';

/** OpenDocument rows of a Bob and of cells that repeat a text, below headings. */
function repeating(rows: number, columns: number, text: string): Promise<Buffer> {
  const headings = ['name', ...Array.from({ length: columns }, (_, n) => `col${n}`)].map((one) =>
    odsCell(one),
  );
  const row =
    `<table:table-row table:number-rows-repeated="${rows}">${odsCell('Bob')}` +
    `${odsCell(text, `table:number-columns-repeated="${columns}"`)}</table:table-row>`;
  return odsOf(`<table:table-row>${headings.join('')}</table:table-row>${row}`);
}

/** Workbook rows whose cells are all the one shared text. */
function sharing(rows: number, columns: number, text: string, after = ''): Promise<Buffer> {
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(columns)}</row>`;
  return workbook({
    [SHEET]: [`<worksheet><sheetData>${HEADINGS}`, ...times(rows, row), `</sheetData>${after}</worksheet>`],
    'xl/sharedStrings.xml': [`<sst><si><t>${text}</t></si></sst>`],
  });
}

test('what is repeated, shared or merged counts each time, of a row and of all', async (t) => {
  await using event = await startEvent('postgres');
  const inline = (text: string, at = '') => `<c ${at} t="inlineStr"><is><t>${text}</t></is></c>`;
  const { row_too_large: row, text_too_large: all } = messages.unreadable;
  for (const [what, file, words] of [
    ['a row of 600,000 characters', () => repeating(500, 20, 'x'.repeat(30_000)), row],
    ['4,000 such rows', () => repeating(4_000, 20, 'x'.repeat(30_000)), row],
    ['50,000 rows of 1,000 characters', () => repeating(50_000, 10, 'x'.repeat(100)), all],
    ['a row of one shared text', () => sharing(2_000, 20, 'x'.repeat(30_000)), row],
    ['a shared text in each of 2,000 rows', () => sharing(2_000, 1, 'x'.repeat(30_000)), all],
    [
      'a merged text for 2,000 rows',
      () =>
        workbook({
          [SHEET]: [
            `<worksheet><sheetData>${HEADINGS}<row r="2">${inline('Bob', 'r="A2"')}`,
            inline('x'.repeat(30_000), 'r="B2"'),
            '</row>',
            ...Array.from({ length: 2_000 }, (_, n) => `<row r="${n + 3}">${inline('Bob')}</row>`),
            '</sheetData><mergeCells><mergeCell ref="B2:B2002"/></mergeCells></worksheet>',
          ],
        }),
      all,
    ],
    [
      'a CSV row of 300,000 characters',
      async () => Buffer.from(`name,note\nBob,${'x'.repeat(300_000)}\n`),
      row,
    ],
  ] as const) {
    await t.test(what, async () => {
      const { status, body } = await send(event, await file(), SKIP);
      assert.deepEqual([status, body.code, body.error], [400, 'unreadable_file', words.he]);
    });
  }
});
