import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse as csvParse } from 'csv-parse/sync';
import fc from 'fast-check';
import { sql } from 'kysely';
import { deleteStaleStaging } from '../../../server/planning/guests/import/staging.ts';
import { csvRows } from '../../../server/planning/guests/sheets/csv.ts';
import { detectFormat, type SheetPart, SheetProblem } from '../../../server/planning/guests/sheets/sheet.ts';
import { csvFile } from '../../../server/planning/guests/sheets/write-csv.ts';
import { xlsxFile } from '../../../server/planning/guests/sheets/write-xlsx.ts';
import { xlsxRows } from '../../../server/planning/guests/sheets/xlsx.ts';
import {
  ANY_DATABASE,
  DATABASES_OF_SLOW_TESTS,
  postgresDatabase,
  queryDatabase,
} from '../../support/server.ts';
import { newEvent, startEvent, type TestEvent } from '../event.ts';
import { exported, send, XLSX, xlsxWorkbook } from './files.ts';

async function* rowsOf(rows: string[][]) {
  yield* rows;
}

async function xlsx(rows: string[][]): Promise<Buffer> {
  return Buffer.concat(await xlsxFile(rowsOf(rows), { name: 'x', rightToLeft: true }).toArray());
}

function cellsIn(parts: readonly SheetPart[]): string[][] {
  return parts.flatMap((part) => ('cells' in part ? [part.cells] : []));
}

/** windows-1255: Hebrew letters are E0 to FA, ASCII is itself. */
function windows1255(text: string): Buffer {
  return Buffer.from(
    [...text].map((letter) => (letter >= 'א' ? letter.charCodeAt(0) - 0x5d0 + 0xe0 : letter.charCodeAt(0))),
  );
}

async function names(event: TestEvent): Promise<string[]> {
  const { body } = await event.call('GET', '/guests?limit=1000');
  return body.guests.map((guest: { name: string }) => guest.name);
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a list is tried, taken, and taken again as updates, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.guest({ name: 'דנה', phone: '0501111111', note: 'נשארת', tags: ['צד הכלה'] });
    await event.guest({ name: 'יוסי', email: 'yossi@example.com' });
    const file = [
      'הערות,טלפון נייד,שם מלא,דוא"ל,צד,קבוצה,כמות,צמחוני,שומר שבת',
      ',050-111-1111,דנה לוי,,,,2,כן,',
      'חבר,,יוסי,YOSSI@example.com,,,,,',
      '"עם ""מרכאות""",052-222-2222,חדש,new@example.com,צד החתן,עבודה; צבא,,לא,כן',
      ',,,,,,,,',
      ',,בלי פרטים,,,,,,',
    ].join('\r\n');
    const tried = await send(event, file, { query: '?dry_run=true' });
    assert.equal(tried.status, 200, JSON.stringify(tried.body));
    const { rows, lists, mapping, left_rows, ...totals } = tried.body.import;
    const [{ columns, headings_row }] = lists;
    assert.deepEqual([lists.length, headings_row, left_rows], [1, 1, []]);
    assert.deepEqual(mapping, {
      A: 'note',
      B: 'phone',
      C: 'name',
      D: 'email',
      E: 'tags',
      F: 'tags',
      G: 'party_size',
      H: 'vegetarian',
      I: 'ignore',
    });
    assert.deepEqual(columns[1], {
      column: 'B',
      key: 'B',
      heading: 'טלפון נייד',
      field: 'phone',
      samples: ['050-111-1111', '052-222-2222'],
    });
    assert.deepEqual(totals, {
      dry_run: true,
      created: 2,
      updated: 2,
      unchanged: 0,
      refused: 0,
      asked: 0,
      skipped: 0,
      ignored_columns: ['שומר שבת'],
    });
    assert.deepEqual(
      rows.map(({ row, action, fields }: { row: number; action: string; fields?: string[] }) => [
        row,
        action,
        fields,
      ]),
      [
        [2, 'update', ['name', 'party_size', 'vegetarian']],
        [3, 'update', ['note']],
        [4, 'create', undefined],
        [6, 'create', undefined],
      ],
    );
    assert.deepEqual(await names(event), ['דנה', 'יוסי']);

    const taken = await send(event, file, { key: 'import-1' });
    assert.deepEqual([taken.status, taken.body.import.created], [200, 2]);
    const replayed = await send(event, file, { key: 'import-1' });
    assert.deepEqual(replayed.body, taken.body);
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
    assert.equal((await send(event, `${file}\r\n,,עוד,,,,,,`, { key: 'import-1' })).status, 422);
    assert.deepEqual(await names(event), ['בלי פרטים', 'דנה לוי', 'חדש', 'יוסי']);
    const { body } = await event.call('GET', '/guests?search=052222');
    const [added] = body.guests;
    assert.deepEqual(
      [added.tags, added.note, added.phone],
      [['צד החתן', 'עבודה', 'צבא'], 'עם "מרכאות"', '+972522222222'],
    );
    const dana = (await event.call('GET', '/guests?search=דנה')).body.guests[0];
    assert.deepEqual([dana.note, dana.tags, dana.party_size], ['נשארת', ['צד הכלה'], 2]);
    assert.equal((await event.counts()).rsvp_total, 4);

    const again = await send(event, file, { query: '?on_problem=skip' });
    const { created, updated, unchanged, asked } = again.body.import;
    assert.deepEqual([created, updated, unchanged, asked], [0, 0, 4, 0]);
  });

  test(`one refused row keeps all from being written, and each says why, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.guest({ name: 'א', phone: '0501111111' });
    await event.guest({ name: 'ב', email: 'b@example.com' });
    const file = [
      'name;phone;email;party size;vegan;rsvp',
      'fine;0523333333;;;;',
      'bad phone;123;;;;',
      ';0524444444;;;;',
      'both;0501111111;b@example.com;;;',
      'twice;0523333333;;;;',
      'bad size;;;many;;',
      'bad diet;;;;perhaps;',
      'bad answer;;;;;yesterday',
    ].join('\n');
    const refused = await send(event, file);
    assert.equal(refused.status, 400);
    assert.equal(refused.body.import.refused, 7);
    const problems = Object.fromEntries(
      refused.body.import.rows.map(({ row, problem = '' }: { row: number; problem?: string }) => [
        row,
        problem,
      ]),
    );
    assert.equal(problems[2], '');
    for (const [row, word] of [
      [3, '(phone)'],
      [4, '(name)'],
      [5, 'לאורח אחר'],
      [6, 'בשורה 2'],
      [7, '(party_size)'],
      [8, '(vegan)'],
      [9, '(rsvp_status)'],
    ] as const) {
      assert.ok(problems[row].includes(word), `${row}: ${problems[row]}`);
    }
    const ids = refused.body.import.rows.map(({ guest_id }: { guest_id?: string }) => guest_id);
    assert.ok(
      ids.every((id: unknown) => id === undefined),
      'nobody was made, so nobody has an id',
    );
    const codes = refused.body.import.rows.map(({ code, field }: Record<string, string>) => [code, field]);
    assert.deepEqual(codes.slice(0, 4), [
      [undefined, undefined],
      ['invalid_field', 'phone'],
      ['invalid_field', 'name'],
      ['two_guests', undefined],
    ]);
    const english = await send(event, file, { language: 'en' });
    assert.match(english.body.import.rows[1].problem, /^Phone \(phone\): /);
    assert.match(english.body.import.rows[4].problem, /row 2/);
    assert.deepEqual(await names(event), ['א', 'ב']);
    assert.equal((await event.counts()).rsvp_total, 2);
  });

  test(`answers in a file take places in its order and never undo a newer answer, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 4 });
    const known = await event.guest({ name: 'ענתה', phone: '0501111111', rsvp_status: 'confirmed' });
    const file = [
      'שם,טלפון,מוזמנים,תשובה,מגיעים',
      'ענתה,0501111111,,טרם ענה,',
      'א,0502222222,2,מגיעים,2',
      'ב,0503333333,2,כן,',
      'ג,0504444444,1,אישר,1',
      'ד,0505555555,1,לא,',
    ].join('\n');
    assert.equal((await send(event, file)).status, 200);
    assert.equal((await event.read(known.id)).rsvp_status, 'confirmed');
    const counts = await event.counts();
    assert.deepEqual([counts.people, counts.waiting, counts.rsvp_declined], [4, 1, 1]);
    const { body } = await event.call('GET', '/guests?status=waiting');
    assert.deepEqual([body.guests[0].name, body.guests[0].answered_via], ['ב', 'import']);
    // A no in a later file frees the places for who waits.
    assert.equal((await send(event, 'שם,טלפון,תשובה\nא,0502222222,לא מגיעים')).status, 200);
    assert.equal((await event.counts()).waiting, 0);
  });

  test(`nothing of an import stays staged: taken, refused, or of a server that ended, on ${kind}`, async () => {
    await using event = await startEvent(kind);
    const db = event.server.simcha.database.sql;
    const staged = async () => (await sql`select from staged_guests`.execute(db)).rows.length;
    const first = await send(event, 'שם,טלפון\nדנה,0501111111\nנועה,0502222222');
    assert.deepEqual([first.status, await staged()], [200, 0]);
    const many = Array.from({ length: 600 }, (_, n) => `אורח ${n},`);
    const refused = await send(event, ['שם,טלפון', ...many, 'רע,12'].join('\n'));
    assert.deepEqual([refused.status, await staged()], [400, 0]);

    const whole = sql.raw(
      'id, name, other_phones, other_emails, tags, party_size, party_children, coming, coming_children, vegetarian, ' +
        'vegan, kosher, mehadrin, chalav_yisrael, childrens_meals, members, answers, maybe, rsvp_status',
    );
    const leave = (hoursAgo: number) => sql`
      insert into staged_guests (import_id, staged_at, is_new, ${whole})
      select gen_random_uuid(), clock_timestamp() - ${hoursAgo} * interval '1 hour', true,
        ${whole}
      from guests limit 1`;
    await leave(2).execute(db);
    await leave(0).execute(db);
    await deleteStaleStaging(db);
    assert.equal(await staged(), 1);
  });

  test(`adults, children and meals are read, and a yes that waits or is for fewer is told, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 5, max_plus_ones_buffer: 0 });
    const file = [
      'שם,מבוגרים,ילדים,גלאט,צמחוני,מנות ילדים,אישור הגעה,מגיעים',
      'כהן,2,2,1,,2,כן,5',
      'לוי,2,,,2,,כן,',
      'רון,1,,,,,אולי,',
    ].join('\n');
    for (const query of ['?dry_run=true', '']) {
      const { status, body } = await send(event, file, { query });
      assert.equal(status, 200, JSON.stringify(body));
      const told = body.import.rows.map(({ warning }: { warning?: { code: string } }) => warning?.code);
      assert.deepEqual(told, ['fewer', 'waits', undefined]);
    }
    const { guests } = (await event.call('GET', '/guests')).body;
    const [cohen, levi, ron] = guests;
    assert.deepEqual(
      [cohen.party_size, cohen.party_children, cohen.coming, cohen.coming_children],
      [4, 2, 4, 2],
    );
    assert.deepEqual([cohen.mehadrin, cohen.childrens_meals, levi.vegetarian], [1, 2, 2]);
    assert.ok(levi.waiting_since && levi.coming === 2);
    assert.deepEqual([ron.maybe, ron.rsvp_status], [true, 'pending']);
    // Whoever has places keeps them: a second time the file asks for one more than there are.
    const again = await send(event, file, { query: '?on_problem=skip&doubles=update' });
    assert.deepEqual(
      again.body.import.rows.map(({ action, code }: { action: string; code?: string }) => [action, code]),
      [
        ['refuse', 'full'],
        ['keep', undefined],
        ['keep', undefined],
      ],
    );
  });

  test(`every encoding and format gives the same guests, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const text = 'שם,טלפון\r\nנועה,050-123-4567\r\n';
    const utf16be = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
    const form = new FormData();
    form.set('file', new Blob([text], { type: 'text/csv' }), 'guests.csv');
    const multipart = new Response(form);
    const files: [string, Uint8Array | string, string][] = [
      ['UTF-8', text, 'text/csv'],
      ['UTF-8 with a mark', `\uFEFF${text}`, 'text/csv; charset=utf-8'],
      ['UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le'), 'text/csv'],
      ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), 'application/octet-stream'],
      ['UTF-16 big-endian', utf16be, 'text/csv'],
      ['windows-1255', windows1255(text), 'application/vnd.ms-excel'],
      ['tabs', text.replaceAll(',', '\t'), 'text/plain'],
      [
        'XLSX',
        await xlsx([
          ['שם', 'טלפון'],
          ['נועה', '501234567'],
        ]),
        XLSX,
      ],
      [
        'XLSX called CSV',
        await xlsx([
          ['טלפון', 'שם'],
          ['050-1234567', 'נועה'],
        ]),
        'text/csv',
      ],
      ['a form', new Uint8Array(await multipart.arrayBuffer()), multipart.headers.get('content-type') ?? ''],
    ];
    for (const [what, file, type] of files) {
      const { status, body } = await send(event, file, { type, query: '?dry_run=true' });
      assert.equal(status, 200, `${what}: ${JSON.stringify(body)}`);
      assert.deepEqual(
        body.import.rows,
        [{ row: 2, ref: '2', list: 0, action: 'create', name: 'נועה', party_size: 1 }],
        what,
      );
    }
  });

  test(`what is no list is refused with a sentence, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const broken = (await xlsx([['name'], ['x']])).subarray(0, 400);
    for (const [file, type, status] of [
      ['', 'text/csv', 400],
      ['\n\n', 'text/csv', 400],
      ['phone,email\n1,2', 'text/csv', 400],
      ['{"name":"x"}', 'application/json', 415],
      [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'application/vnd.ms-excel', 400],
      [broken, XLSX, 400],
      [Buffer.from('PK\x03\x04 nothing'), XLSX, 400],
      ['x'.repeat(20 * 2 ** 20 + 1), 'text/csv', 413],
      [`name\n${'x\n'.repeat(50_001)}`, 'text/csv', 400],
    ] as const) {
      const answer = await send(event, file, { type, query: '?dry_run=true' });
      assert.equal(answer.status, status, `${type} ${JSON.stringify(answer.body).slice(0, 200)}`);
      assert.match(answer.body.error, /[א-ת]/);
    }
    const foreign = await event.server.call('POST', `/api/events/${event.id}/guests/import`, {
      token: await event.server.token('stranger'),
      body: 'name\nx',
      headers: { 'content-type': 'text/csv' },
    });
    assert.equal(foreign.status, 404);
    assert.deepEqual(await names(event), []);
  });

  test(`a file may go to an address of its kind, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const csv = await send(event, 'name\nדנה', { path: '/csv' });
    const sheet = await send(event, await xlsx([['name'], ['יוסי']]), { path: '/xlsx', type: XLSX });
    assert.deepEqual([csv.body.import.created, sheet.body.import.created], [1, 1]);
    const wrong = await send(event, '{"name":"x"}', { path: '/csv', type: 'application/json' });
    assert.equal(wrong.status, 415);
    assert.deepEqual(await names(event), ['דנה', 'יוסי']);
  });

  test(`an export is read back as the same guests, formulas and all, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 2 });
    await event.guest({
      name: '=HYPERLINK("http://x","y")',
      phone: '0501111111',
      tags: ['א', 'ב'],
      note: '-1+1',
    });
    await event.guest({
      name: "'=כבר",
      phone: '+442079460958',
      vegan: 1,
      mehadrin: 2,
      party_size: 3,
      party_children: 1,
      language: 'arabic',
    });
    await event.guest({
      name: 'שורה\nשנייה, "ציטוט"',
      email: 'a@example.com',
      rsvp_status: 'confirmed',
      party_size: 2,
    });
    await event.guest({ name: 'מחכה', email: 'w@example.com', rsvp_status: 'confirmed' });
    for (const query of ['', '?language=english', '?format=xlsx', '?format=xlsx&language=english']) {
      const { file } = await exported(event, query);
      if (!query.includes('xlsx')) {
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(file);
        assert.ok(text.startsWith('\uFEFF'));
        assert.doesNotMatch(text, /(^|,|\n)"?[=+\-@]/);
      }
      const back = await send(event, file, { type: 'application/octet-stream', query: '?dry_run=true' });
      const { created, updated, unchanged, refused } = back.body.import;
      assert.deepEqual(
        [created, updated, unchanged, refused],
        [0, 0, 4, 0],
        `${query} ${JSON.stringify(back.body)}`,
      );
    }
    const history = async () => (await event.call('GET', '/history')).body.history;
    const before = await history();
    const same = await send(event, (await exported(event, '')).file);
    assert.equal(same.body.import.unchanged, 4);
    assert.deepEqual(await history(), before, 'nothing happened');
  });
}

type Row = Record<string, unknown>;
const pick = (rows: Row[], ...keys: string[]) => rows.map((row) => keys.map((key) => row[key]));
const option = (name: string, value: unknown) =>
  `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`;

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`all lists of a workbook are imported, and decided on by their rows, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const workbook = await xlsxWorkbook([
      {
        name: 'צד כלה',
        rows: [
          ['שם', 'טלפון', 'כמה', 'הערה'],
          ['חברות'],
          ['דנה', '12', '2'],
          ['משפחת לוי', '', '', 'מחיפה'],
          ['סה"כ', '', '2'],
        ],
      },
      {
        name: 'צד חתן',
        rows: [
          ['עבודה', '', '', 'צבא'],
          ['שם', 'טלפון', 'כמה', 'שם', 'טלפון', 'כמה'],
          ['יוסי', '0502222222', '1', 'דנה', '0503333333', '1'],
          ['משפחת כהן + 2', '', '', 'משפחת ביטון', '', ''],
        ],
      },
      {
        name: 'תקציב',
        rows: [
          ['שם', 'מחיר'],
          ['האולם', '120000'],
        ],
      },
      { name: 'ריק', rows: [] },
    ]);
    const read = async (query: string) => {
      const { status, body } = await send(event, workbook, { type: XLSX, query: `?${query}` });
      return { status, ...body, ...body.import };
    };
    const tried = await read('dry_run=true');
    assert.deepEqual(pick(tried.lists, 'sheet', 'title', 'rows', 'left', 'sections'), [
      ['צד כלה', undefined, 2, undefined, ['חברות']],
      ['צד חתן', 'עבודה', 2, undefined, []],
      ['צד חתן', 'צבא', 2, undefined, []],
      ['תקציב', undefined, 0, 'other_content', []],
    ]);
    assert.deepEqual(pick(tried.left_rows, 'ref', 'list', 'left', 'text'), [
      ['צד כלה!2', 0, 'section', 'חברות'],
      ['צד כלה!5', 0, 'total', 'סה"כ · 2'],
    ]);
    assert.deepEqual(pick(tried.rows, 'ref', 'row', 'list', 'name', 'action', 'code'), [
      ['צד כלה!3', 3, 0, 'דנה', 'refuse', 'invalid_field'],
      ['צד כלה!4', 4, 0, 'משפחת לוי', 'ask', 'how_many'],
      ['צד חתן!3', 3, 1, 'יוסי', 'create', undefined],
      ['צד חתן!D3', 3, 2, 'דנה', 'create', undefined],
      ['צד חתן!4', 4, 1, 'משפחת כהן', 'create', undefined],
      ['צד חתן!D4', 4, 2, 'משפחת ביטון', 'ask', 'how_many'],
    ]);
    assert.deepEqual(tried.rows[4].from_name, { written: 'משפחת כהן + 2', party_size: 3 });
    assert.deepEqual([tried.mapping['צד כלה!A'], tried.mapping['צד חתן!E']], ['name', 'phone']);
    assert.deepEqual(tried.rows[5].cells, { D: 'משפחת ביטון', E: '', F: '' });

    const kept = await read(`dry_run=true&keep_names=true&${option('sheets', ['צד חתן'])}`);
    assert.deepEqual(pick(kept.lists, 'left'), [['not_chosen'], [undefined], [undefined], ['not_chosen']]);
    assert.deepEqual(pick(kept.rows, 'name'), [['יוסי'], ['דנה'], ['משפחת כהן + 2'], ['משפחת ביטון']]);
    const budget = await read(`dry_run=true&${option('sheets', ['תקציב'])}`);
    assert.deepEqual(pick(budget.rows, 'name'), [['האולם']]);

    const sizes = await read(`dry_run=true&${option('family_size', { 'צד כלה!4': 5, '*': 3 })}`);
    assert.deepEqual(
      pick(
        sizes.rows.filter((row: Row) => row.family_size),
        'name',
        'action',
        'family_size',
      ),
      [
        ['משפחת לוי', 'create', 5],
        ['משפחת ביטון', 'create', 3],
      ],
    );

    for (const [query, field] of [
      [option('sheets', ['אין כזה']), 'sheets.0'],
      [option('sheets', 'x'), 'sheets'],
      [option('tags_from', 'side'), 'tags_from'],
      [option('family_size', '0'), 'family_size'],
      [option('family_size', { 4: 5 }), 'family_size.4'],
      [option('doubles', { 'צד חתן!B3': 'skip' }), 'doubles.צד חתן!B3'],
      [option('mends', { 3: { B: '0501111111' } }), 'mends.3'],
      [option('mends', { 'צד חתן!D3': { A: 'x' } }), 'mends.צד חתן!D3.A'],
    ] as const) {
      const answer = await read(`dry_run=true&${query}`);
      assert.deepEqual([answer.status, answer.field], [400, field], query);
    }

    const some = await read(`on_problem=skip&dry_run=true&tags_from=sheet,section`);
    assert.deepEqual(
      csvParse(some.to_mend.content, { bom: true }).map((cells: string[]) => cells.slice(0, -1)),
      [
        ['שם', 'טלפון', 'כמה', 'הערה', 'תגיות'],
        ['דנה', '12', '2', '', 'צד כלה, חברות'],
        ['משפחת לוי', '', '', 'מחיפה', 'צד כלה, חברות'],
        ['משפחת ביטון', '', '', '', 'צד חתן'],
      ],
    );

    const options = [
      option('mends', { 'צד כלה!3': { B: '0501111111' }, 'צד כלה!2': {} }),
      option('family_size', { 'צד כלה!4': 5 }),
      option('doubles', { 'צד חתן!D4': 'skip' }),
      option('tags_from', 'sheet,list,section'),
    ].join('&');
    const taken = await read(options);
    assert.deepEqual([taken.status, taken.created, taken.skipped], [200, 6, 1], JSON.stringify(taken));
    const listed: Row[] = (await event.call('GET', '/guests?limit=1000')).body.guests;
    // The ids of guests who are imported together do not tell which of two namesakes comes first.
    const guests = listed.toSorted((one, other) =>
      one.name === other.name ? `${one.phone}`.localeCompare(`${other.phone}`) : 0,
    );
    assert.deepEqual(pick(guests, 'name', 'phone', 'party_size', 'tags'), [
      ['דנה', '+972501111111', 2, ['צד כלה']],
      ['דנה', '+972503333333', 1, ['צד חתן', 'צבא']],
      ['חברות', null, 1, ['צד כלה']],
      ['יוסי', '+972502222222', 1, ['צד חתן', 'עבודה']],
      ['משפחת כהן', null, 3, ['צד חתן', 'עבודה']],
      ['משפחת לוי', null, 5, ['צד כלה']],
    ]);
  });

  test(`a row that says nothing new of a guest is kept, also without a phone, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const file = [
      'שם,טלפון,כמה,הערה',
      'דנה כהן,0501111111,2,',
      'דנה כהן,,1,מהעבודה',
      'דנה כהן,,1,שכנה',
      'משפחת לוי + 2,,,',
      'משפחת פרץ,,,',
    ].join('\n');
    const first = await send(event, file, { query: '?family_size=4&doubles=create' });
    assert.deepEqual([first.status, first.body.import.created], [200, 5], JSON.stringify(first.body));
    const again = await send(event, file);
    assert.deepEqual([again.status, again.body.import.unchanged], [200, 5], JSON.stringify(again.body));
    const another = await send(event, `${file}\nדנה כהן,,1,שכנה`, { query: '?dry_run=true' });
    assert.deepEqual(pick(another.body.import.rows.slice(-1), 'action', 'code'), [['ask', 'likely_double']]);
  });

  test(`a corrected phone in a list imported again asks whether it is the same guest, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const file = (...rows: string[]) => ['שם,טלפון,כמה', ...rows].join('\n');
    const cohens = ['משפחת כהן,0501111111,3', 'משפחת כהן,0502222222,5'];
    await send(event, file('זוג פרידמן,0501112202,2', ...cohens));
    const corrected = file('זוג פרידמן,0501112299,2', ...cohens, 'משפחת כהן,0503333333,2');
    const tried = (await send(event, corrected, { query: '?dry_run=true' })).body.import;
    assert.deepEqual(pick(tried.rows, 'name', 'action', 'code', 'party_size'), [
      ['זוג פרידמן', 'ask', 'other_contact', 2],
      ['משפחת כהן', 'keep', undefined, 3],
      ['משפחת כהן', 'keep', undefined, 5],
      ['משפחת כהן', 'create', undefined, 2],
    ]);
    assert.match(tried.rows[0].problem, /050-111-2202/);
    const query = `?${option('doubles', { 2: 'update' })}`;
    const { created, updated, unchanged } = (await send(event, corrected, { query })).body.import;
    assert.deepEqual([created, updated, unchanged], [1, 1, 2]);
    const [guest] = (await event.call('GET', '/guests?search=פרידמן')).body.guests;
    assert.deepEqual([guest.phone, guest.other_phones], ['+972501112299', ['+972501112202']]);
    assert.equal((await send(event, corrected)).body.import.unchanged, 4);
  });

  test(`a smaller number of people does not say that it changes the answer, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.guest({
      name: 'דנה',
      phone: '0501111111',
      party_size: 8,
      rsvp_status: 'confirmed',
      coming: 8,
    });
    const fields = async (row: string) =>
      (await send(event, `שם,טלפון,כמה,מגיעים\n${row}`, { query: '?dry_run=true' })).body.import.rows[0]
        .fields;
    assert.deepEqual(await fields('דנה,0501111111,7,'), ['party_size']);
    assert.deepEqual(await fields('דנה,0501111111,8,6'), ['rsvp_status']);
  });

  test(`contacts of a phone are imported, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const card = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:דנה כהן\r\nTEL;TYPE=CELL:050-111-1111\r\nEND:VCARD\r\n';
    for (const type of ['text/vcard', 'text/x-vcard; charset=utf-8', 'text/directory']) {
      const { status, body } = await send(event, card, { type });
      assert.deepEqual([status, body.import?.rows.length], [200, 1], type);
    }
    assert.deepEqual(await names(event), ['דנה כהן']);
  });
}

test('what is written as a table is read back as it, from CSV and from XLSX', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-sheets-'));
  const path = join(folder, 'file');
  // What XML can't hold, and the line ends a spreadsheet would change, are no cells of anybody.
  const cell = fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .map((text) => text.replace(/[\p{Cc}\ufffe\uffff]/gu, '').trim());
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 });
  try {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        await writeFile(path, await xlsx(rows));
        const read = await Array.fromAsync(xlsxRows(path));
        assert.deepEqual(cellsIn(read).map(filled), rows.map(filled));
        const csv = await Array.fromAsync(csvFile(rowsOf([['a', 'b', 'c', 'd'], ...rows])));
        await writeFile(path, csv.join(''));
        const [, ...lines] = cellsIn(await Array.fromAsync(csvRows(path)));
        assert.deepEqual(lines.map(filled), rows.map(filled));
      }),
      { numRuns: 60 },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Without the empty cells at its end, which a sheet does not keep. */
function filled(row: string[]): string[] {
  return row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);
}

test('any bytes at all are a table or refused, never a crash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-fuzz-'));
  const path = join(folder, 'file');
  const whole = await xlsx([
    ['name', 'phone'],
    ['נועה', '050'],
    ['a', 'b'],
  ]);
  const mangled = fc
    .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 })
    .map((changes) => {
      const bytes = Buffer.from(whole);
      for (const [index, byte] of changes) bytes[index] = byte;
      return bytes;
    });
  const text = fc
    .string({ unit: fc.constantFrom('"', ',', '\n', '\r', ';', '\t', 'א', '\0', "'", 'x') })
    .map((one) => Buffer.from(one));
  const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  try {
    await fc.assert(
      fc.asyncProperty(fc.oneof(mangled, text, noise), async (bytes) => {
        await writeFile(path, bytes);
        try {
          const rows = (await detectFormat(path)) === 'xlsx' ? xlsxRows(path) : csvRows(path);
          for await (const part of rows) assert.ok('sheet' in part || Array.isArray(part.cells));
        } catch (error) {
          if (!(error instanceof SheetProblem)) throw error;
        }
      }),
      { numRuns: 400 },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a long list is recognised again in full, and its report is whole', async () => {
  await using event = await newEvent('postgres');
  const rows = Array.from({ length: 2_050 }, (_, n) => `אורח ${n},05${20_000_000 + n}`);
  const file = ['שם,טלפון', ...rows].join('\n');
  assert.equal((await send(event, file)).body.import.created, rows.length);
  const { headers, body } = await send(event, file);
  assert.equal(body.import.unchanged, rows.length);
  assert.deepEqual(
    body.import.rows.map((row: { row: number }) => row.row),
    rows.map((_, index) => index + 2),
  );
  assert.equal(Number(headers.get('content-length')), Buffer.byteLength(JSON.stringify(body)));
});

test('characters that can’t be read are told of, not replaced', async () => {
  await using event = await newEvent(ANY_DATABASE);
  const undecodable = [
    Buffer.concat([Buffer.from('\ufeffשם\n', 'utf16le'), Buffer.from([0x00, 0xd8, 0x41, 0x00])]),
    Buffer.concat([Buffer.from('\ufeffשם\nדנה', 'utf16le'), Buffer.from([0x41])]),
    Buffer.concat([windows1255('שם\nדנה'), Buffer.from([0xd9])]),
  ];
  for (const file of undecodable) {
    const { status, body } = await send(event, file, { language: 'en' });
    assert.deepEqual([status, body.code], [400, 'unreadable_file'], JSON.stringify(body));
    assert.match(body.message, /characters that can’t be read/);
  }
  const nul = await send(event, 'name\na\0b', { language: 'en' });
  assert.equal(nul.body.import?.rows[0].field, 'name', JSON.stringify(nul.body));
});

test('a form that is none, is cut off or has two files is refused with a sentence', async () => {
  await using event = await newEvent(ANY_DATABASE);
  const part = (name: string) =>
    `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\nname\nדנה\r\n`;
  for (const [type, form] of [
    ['multipart/form-data', part('a.csv')],
    ['multipart/form-data; boundary=', part('a.csv')],
    ['multipart/form-data; boundary=b', 'abc'],
    ['multipart/form-data; boundary=b', part('a.csv')],
    ['multipart/form-data; boundary=b', `${part('a.csv')}${part('b.csv')}--b--\r\n`],
  ] as const) {
    const { status, body } = await send(event, form, { type, language: 'en' });
    assert.equal(status, 400, `${form}: ${JSON.stringify(body)}`);
    assert.deepEqual([body.code, /complete multipart/.test(body.message)], ['malformed_form', true]);
  }
  const whole = `${part('a.csv')}--b--\r\n`;
  const taken = await send(event, whole, { type: 'multipart/form-data; boundary=b' });
  assert.deepEqual([taken.status, taken.body.import?.created], [200, 1]);
});

test('an import that has lost what it staged writes nothing and may be tried again', async () => {
  const { url: databaseUrl, drop } = await postgresDatabase('simcha_template');
  {
    await using event = await startEvent('postgres', {}, { env: { DATABASE_URL: databaseUrl } });
    const file = 'שם,טלפון\nדנה,0501111111\nנועה,0502222222';
    // As after a crash of PostgreSQL.
    await queryDatabase(
      databaseUrl,
      `create function lose() returns trigger language plpgsql as 'begin return null; end';
       create trigger lose before insert on staged_guests for each row execute function lose()`,
    );
    const { status, body } = await send(event, file);
    assert.deepEqual([status, body.code], [503, 'unavailable']);
    assert.deepEqual(await names(event), []);
    await queryDatabase(databaseUrl, 'drop trigger lose on staged_guests');
    assert.equal((await send(event, file)).body.import.created, 2);
  }
  await drop();
});
