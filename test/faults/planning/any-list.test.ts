import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromBufferPromise } from 'yauzl';
import type { Guest } from '../../../server/planning/guests/contract.ts';
import type { Question } from '../../../server/planning/questions/contract.ts';
import { newEvent, type TestEvent } from '../../planning/event.ts';
import {
  exported,
  ODS,
  odsCell,
  odsOf,
  send,
  workbookOf,
  XLSX,
  xlsxRow,
} from '../../planning/guests/files.ts';
import { campaign } from '../../support/campaign.ts';
import { DATABASES_OF_SLOW_TESTS } from '../../support/server.ts';

// Lists as people have them: odd headings, shared phones, guests who are there already, spreadsheets of every kind.

async function guests(event: TestEvent): Promise<Guest[]> {
  return (await event.call('GET', '/guests?limit=1000')).body.guests;
}

/** A text, a choice and a number that an event asks for. */
async function questionsOf(event: TestEvent): Promise<Record<'song' | 'bus' | 'seats', Question>> {
  const ask = async (body: object) => (await event.call('POST', '/questions', { body })).body.question;
  const yesAndNo = [
    { hebrew: 'כן', english: 'Yes' },
    { hebrew: 'לא', english: 'No' },
  ].map((text) => ({ text }));
  return {
    song: await ask({ kind: 'text', text: 'שיר?' }),
    bus: await ask({ kind: 'choice', text: { hebrew: 'הסעה?', english: 'A bus?' }, options: yesAndNo }),
    seats: await ask({ kind: 'number', text: 'יש מקום ברכב?', most: 9 }),
  };
}

const options = (given: Record<string, unknown>) =>
  `?${new URLSearchParams(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )}`;

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`what a dry run proposes may be sent back, in a query or a form, and a wrong mapping is told, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const odd = 'מי,איך משיגים,סודי\nדנה,0501111111,x';
    const proposed = await send(event, odd, { query: '?dry_run=true' });
    assert.deepEqual([proposed.status, proposed.body.code], [400, 'no_name_column']);
    const {
      lists: [{ columns }],
      mapping,
    } = proposed.body.import;
    assert.deepEqual(columns[1], {
      column: 'B',
      key: 'B',
      heading: 'איך משיגים',
      field: null,
      samples: ['0501111111'],
    });
    const mended = { ...mapping, A: 'name', B: 'phone' };
    const tried = await send(event, odd, { query: options({ dry_run: true, mapping: mended }) });
    assert.deepEqual([tried.status, tried.body.import.mapping], [200, mended], JSON.stringify(tried.body));
    const form = new FormData();
    form.set('mapping', JSON.stringify(mended));
    form.set('file', new Blob([odd], { type: 'text/csv' }), 'guests.csv');
    assert.equal((await send(event, form)).body.import.created, 1);
    assert.equal((await guests(event))[0]?.phone, '+972501111111');

    form.set('maping', '{}');
    const misspelt = await send(event, form, { language: 'en' });
    assert.deepEqual([misspelt.status, misspelt.body.field], [400, 'maping']);
    for (const [mapping, field, says] of [
      ['[]', 'mapping', /JSON object/],
      ['{', 'mapping', /JSON object/],
      [{ Z: 'name' }, 'mapping.Z', /A \(מי\), B \(איך משיגים\)/],
      [{ A: 'nickname' }, 'mapping.A', /name, phone, email/],
      [{ A: 'name', B: 'name' }, 'mapping', /A and B/],
    ] as const) {
      const { status, body } = await send(event, odd, { query: options({ mapping }), language: 'en' });
      assert.deepEqual([status, body.field], [400, field], JSON.stringify(body));
      assert.match(body.message, says);
    }
  });

  test(`good rows are taken and the rest comes back as a file to mend, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const list = [
      'רשימה',
      'מספר;שם;טלפון;תשובה',
      '1;דנה;0501111111;כן',
      '2;יוסי;12;כן',
      '3;"נועה ""נוני""";;מתישהו',
    ];
    const refused = await send(event, list.join('\n'));
    assert.deepEqual([refused.status, refused.body.import.refused], [400, 2]);
    assert.equal(refused.body.import.to_mend, undefined);
    assert.deepEqual(await guests(event), []);

    const taken = await send(event, list.join('\n'), { query: '?on_problem=skip', key: `skip-${event.id}` });
    assert.deepEqual([taken.status, taken.body.import.created, taken.body.import.refused], [200, 1, 2]);
    assert.deepEqual(
      taken.body.import.rows.map(({ row, name, action }: Record<string, unknown>) => [row, name, action]),
      [
        [3, 'דנה', 'create'],
        [4, 'יוסי', 'refuse'],
        [5, 'נועה "נוני"', 'refuse'],
      ],
    );
    const { name, content } = taken.body.import.to_mend;
    assert.equal(name, 'to-mend.csv');
    const lines = content.slice(1).split('\r\n');
    assert.equal(lines[0], 'מספר,שם,טלפון,תשובה,מה לתקן');
    assert.match(lines[1], /^2,יוסי,12,כן,"?טלפון.*12/);

    const again = await send(event, content, { query: '?on_problem=skip' });
    assert.deepEqual([again.body.import.refused, again.body.import.ignored_columns], [2, ['מספר']]);
    assert.equal(again.body.import.to_mend.content.slice(1).split('\r\n')[0], lines[0]);
    const mended = content.replace(',12,', ',0502222222,').replace('מתישהו', 'אולי');
    const done = await send(event, mended, { query: '?on_problem=skip' });
    assert.deepEqual([done.body.import.created, done.body.import.to_mend], [2, undefined]);

    // What was kept for the key goes with the guests.
    assert.equal((await event.call('POST', '/guests/erase')).status, 200);
    const replayed = await send(event, list.join('\n'), {
      query: '?on_problem=skip',
      key: `skip-${event.id}`,
    });
    assert.equal(replayed.headers.get('idempotent-replayed'), null);
  });

  test(`who may be there already is asked about, not made, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.guest({ name: 'משפחת כהן', party_size: 4 });
    await event.guest({ name: 'דנה לוי', phone: '0501111111' });
    await event.guest({ name: 'סבתא רבקה', phone: '0509999999' });
    const list = [
      'שם,טלפון,כמות,הערה',
      'כהן משפחת,,4,חדש',
      'משפחת כהן,,2,',
      'דנה לוי,,,חברה',
      'דנה לוי,0502222222,,',
      'יעל,,,',
      'יעל,0503333333,,',
      'איתי גל,0509999999,,',
    ].join('\n');
    const asked = await send(event, list, { language: 'en' });
    assert.equal(asked.status, 400);
    const rows = asked.body.import.rows as {
      row: number;
      action: string;
      code?: string;
      looks_like?: { name: string; ref?: string };
    }[];
    assert.deepEqual(
      rows.map(({ row, action, code, looks_like }) => [row, action, code, looks_like?.name, looks_like?.ref]),
      [
        [2, 'ask', 'likely_double', 'משפחת כהן', undefined],
        [3, 'ask', 'likely_double', 'משפחת כהן', undefined],
        [4, 'ask', 'likely_double', 'דנה לוי', undefined],
        [5, 'ask', 'other_contact', 'דנה לוי', undefined],
        [6, 'create', undefined, undefined, undefined],
        [7, 'ask', 'likely_double', 'יעל', '6'],
        [8, 'ask', 'other_name', 'סבתא רבקה', undefined],
      ],
    );
    assert.equal((await guests(event)).length, 3);

    const doubles = { 2: 'update', 3: 'create', 4: 'skip', 5: 'create', 7: 'create', 8: 'skip' };
    const decided = await send(event, list, { query: options({ doubles }) });
    const { created, updated, skipped } = decided.body.import;
    assert.deepEqual(
      [decided.status, created, updated, skipped],
      [200, 4, 1, 2],
      JSON.stringify(decided.body),
    );
    const found = await guests(event);
    assert.deepEqual(
      found.map(({ name, note }) => [name, note]).filter(([, note]) => note !== null),
      [['כהן משפחת', 'חדש']],
    );
    assert.ok(found.some(({ name, phone }) => name === 'סבתא רבקה' && phone === '+972509999999'));

    const all = await send(event, 'שם,כמה\nיעל,5\nסבתא רבקה,5', { query: '?doubles=skip' });
    assert.deepEqual([all.status, all.body.import.skipped], [200, 2]);
    for (const doubles of [
      'maybe',
      '{"2":"perhaps"}',
      '{"x":"skip"}',
      '[]',
      '{"2":"skip","99":"skip"}',
      '{"02":"skip"}',
    ]) {
      const wrong = await send(event, list, { query: options({ doubles }) });
      assert.equal(wrong.status, 400);
      assert.match(wrong.body.field, /^doubles/);
    }
  });

  test(`rows are mended where they stand, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.guest({ name: 'יעל' });
    const list = [
      'רשימה,,,',
      'שם,טלפון,כמות,סודי',
      'דנה,12,2,א',
      'יוסי,0501111111,הרבה,ב',
      'יעל,,4,ג',
      'נועה,0502222222,,ד',
    ].join('\n');
    const tried = await send(event, list, { query: '?dry_run=true' });
    const cells = (body: { import: { rows: { row: number; cells?: object }[] } }) =>
      body.import.rows.map(({ row, cells }) => [row, cells]);
    assert.deepEqual(cells(tried.body), [
      [3, { A: 'דנה', B: '12', C: '2', D: 'א' }],
      [4, { A: 'יוסי', B: '0501111111', C: 'הרבה', D: 'ב' }],
      [5, { A: 'יעל', B: '', C: '4', D: 'ג' }],
      [6, undefined],
    ]);
    assert.deepEqual(cells((await send(event, list)).body), cells(tried.body));

    // What is mended and still wrong comes back as it was mended.
    const half = { 3: { B: '0503333333', C: 'המון' } };
    const again = await send(event, list, { query: options({ mends: half, dry_run: true }) });
    assert.deepEqual(cells(again.body)[0], [3, { A: 'דנה', B: '0503333333', C: 'המון', D: 'א' }]);
    const skipped = await send(event, list, {
      query: options({ mends: half, dry_run: true, on_problem: 'skip' }),
    });
    assert.match(skipped.body.import.to_mend.content, /דנה,0503333333,המון,א,/);
    assert.equal(cells(skipped.body)[0]?.[1], undefined);

    const form = new FormData();
    form.set('file', new Blob([list], { type: 'text/csv' }), 'guests.csv');
    form.set('mends', JSON.stringify({ 3: { B: '0503333333' }, 4: { C: '3' }, 5: { B: '0504444444' } }));
    form.set('doubles', 'update');
    const taken = await send(event, form);
    assert.deepEqual([taken.status, taken.body.import.created], [200, 3], JSON.stringify(taken.body));
    assert.equal(taken.body.import.updated, 1);
    assert.deepEqual(
      (await guests(event)).map(({ name, phone, party_size }) => [name, phone, party_size]).sort(),
      [
        ['דנה', '+972503333333', 2],
        ['יוסי', '+972501111111', 3],
        ['יעל', '+972504444444', 4],
        ['נועה', '+972502222222', 1],
      ],
    );
  });

  test(`mends of what is not there are refused, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const list = 'שם,טלפון\nדנה,12\n';
    for (const [mends, field, says] of [
      ['{"99":{"B":"0501111111"}}', 'mends.99', /no guest in this row/],
      ['{"1":{"A":"name"}}', 'mends.1', /no guest in this row/],
      ['{"2":{"C":"0501111111"}}', 'mends.2.C', /A, B/],
      ['{"2":{"b":"0501111111"}}', 'mends.2.b', /JSON object/],
      ['{"2":{"B":501111111}}', 'mends.2.B', /JSON object/],
      ['{"02":{"B":"x"}}', 'mends.02', /no guest in this row/],
      ['{"2":"x"}', 'mends.2', /JSON object/],
      ['[]', 'mends', /JSON object/],
      ['{', 'mends', /JSON object/],
    ] as const) {
      const wrong = await send(event, list, { query: options({ mends }), language: 'en' });
      assert.deepEqual([wrong.status, wrong.body.field], [400, field], mends);
      assert.match(wrong.body.message, says);
    }
    const form = new FormData();
    form.set('file', new Blob([list], { type: 'text/csv' }), 'guests.csv');
    form.set('mends', JSON.stringify({ 2: { B: 'x'.repeat(32_768) } }));
    assert.equal((await send(event, form)).body.field, 'mends.2.B');
    assert.deepEqual(await guests(event), []);
  });

  test(`a shared phone names both rows, and whoever has it, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { body } = await send(event, 'שם,טלפון\nסבא,0501111111\nסבתא,050-111-1111', { language: 'en' });
    const [, row] = body.import.rows;
    assert.deepEqual([row.name, row.code], ['סבתא', 'same_as_row']);
    assert.match(row.problem, /050-111-1111 is in row 2 \(סבא\)/);

    await event.guest({ name: 'סבא', phone: '0501111111' });
    const known = await send(event, 'שם,טלפון\nסבא משה,0501111111\nסבא,050-111-1111', { language: 'en' });
    assert.match(known.body.import.rows[1].problem, /050-111-1111 is in row 2 \(סבא משה\)/);
  });

  test(`guests exported and imported again stay as they are, whatever is in them, on ${kind}`, async () => {
    const odd = fc
      .oneof(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.string({ unit: fc.constantFrom(...',;|"\'\n\r\t=+-@_x07:א ש'), maxLength: 12 }),
        fc.constantFrom(
          '=1+1',
          "'=1",
          "''-",
          '-',
          '–',
          '_x0007_',
          '\u0007',
          '_x005F_',
          'אין',
          '3+1',
          'שם',
          '::: * a',
          '"a, b"',
          'מספר',
        ),
      )
      .map((text) => text.replaceAll('\0', '').toWellFormed().trim());
    const orNone = (text: string) => text || null;
    const phone = fc.oneof(
      fc.integer({ min: 2_000_000, max: 9_999_999 }).map((number) => `050${number}`),
      fc.integer({ min: 5_000_000, max: 5_999_999 }).map((number) => `03${number}`),
      fc.constantFrom('+442079460958', '1-700-700-700', '+12125550123', '*2700'),
    );
    const guest = fc.record({
      come: fc.option(fc.integer({ min: 1, max: 4 })),
      name: odd.map((text) => text || 'אורח'),
      phone: fc.option(phone),
      email: fc.option(fc.nat(99).map((number) => `guest${number}@example.com`)),
      tags: fc.array(odd, { maxLength: 3 }),
      party_size: fc.integer({ min: 1, max: 4 }),
      party_children: fc.nat(1),
      max_plus_ones: fc.option(fc.nat(3)),
      vegetarian: fc.nat(2),
      vegan: fc.nat(1),
      kosher: fc.nat(1),
      mehadrin: fc.nat(2),
      chalav_yisrael: fc.nat(1),
      allergies: odd.map(orNone),
      message: odd.map(orNone),
      note: odd.map(orNone),
      company: odd.map(orNone),
      role: odd.map(orNone),
      language: fc.option(fc.constantFrom('hebrew', 'arabic', 'english')),
      rsvp_status: fc.constantFrom('confirmed', 'confirmed', 'pending', 'maybe', 'declined'),
      answers: fc.record({ song: odd, bus: fc.constantFrom(0, 1), seats: fc.nat(9) }, { requiredKeys: [] }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(guest, { minLength: 1, maxLength: 20 }), async (list) => {
        await using event = await newEvent(kind, { max_guests: 8 });
        // One with a phone that is taken, or that is none, is no guest.
        const asked = await questionsOf(event);
        for (const { answers, come, ...guest } of list) {
          const { song, bus, seats } = answers;
          const given = {
            ...(song !== undefined && { [asked.song.id]: song }),
            ...(bus !== undefined && { [asked.bus.id]: asked.bus.options[bus]?.id }),
            ...(seats !== undefined && { [asked.seats.id]: seats }),
          };
          const coming =
            come && guest.rsvp_status === 'confirmed' ? Math.min(come, guest.party_size) : undefined;
          await event.call('POST', '/guests', { body: { ...guest, coming, answers: given } });
        }
        const before = await guests(event);
        for (const format of ['csv', 'xlsx']) {
          for (const language of ['hebrew', 'arabic', 'english']) {
            const { file } = await exported(event, `?format=${format}&language=${language}`);
            const { status, body } = await send(event, file, { type: 'application/octet-stream' });
            const changed = body.import?.rows.filter(({ action }: { action: string }) => action !== 'keep');
            assert.deepEqual([status, changed], [200, []], `${format} ${language} ${JSON.stringify(body)}`);
          }
        }
        assert.deepEqual(await guests(event), before);
      }),
      { numRuns: campaign(kind === 'postgres' ? 3 : 2, 60) },
    );
  });

  test(`what guests answered to the event’s questions is read back, by a question’s own words too, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { song, bus, seats } = await questionsOf(event);
    const { id } = await event.guest({ name: 'דנה', answers: { [song.id]: 'הורה', [seats.id]: 2 } });
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode((await exported(event)).file);
    const file = text.replace('הורה', 'הבה נגילה').replace(/(?<=הבה נגילה,),2/, 'כן,2.0');
    assert.notEqual(file, text);
    const changed = await send(event, file);
    assert.deepEqual(changed.body.import?.rows[0].fields, ['answers'], JSON.stringify(changed.body));
    const read = async () => (await event.read(id)).answers;
    const all = { [song.id]: 'הבה נגילה', [bus.id]: bus.options[0]?.id, [seats.id]: 2 };
    assert.deepEqual(await read(), all);

    const list = 'שם,a bus?,שיר?,יש מקום ברכב?\nרון,NO,,\nיעל,אולי,,\nגל,,,1001';
    const tried = await send(event, list, { query: '?on_problem=skip', language: 'en' });
    const {
      rows,
      lists: [{ columns }],
      mapping,
      ignored_columns,
    } = tried.body.import;
    assert.deepEqual(
      rows.map(({ action, field }: Record<string, string>) => [action, field]),
      [
        ['create', undefined],
        ['refuse', 'answers'],
        ['refuse', 'answers'],
      ],
    );
    assert.match(rows[1].problem, /"A bus\?": can be: Yes, No\. The file has: "אולי"\./);
    assert.match(rows[2].problem, /from 0 to 9\. The file has: "1001"/);
    assert.deepEqual(
      columns.map(({ question }: { question?: string }) => question),
      [undefined, bus.id, song.id, seats.id],
    );
    assert.deepEqual([mapping, ignored_columns], [{ A: 'name' }, []]);
    const ron = (await guests(event)).find(({ name }) => name === 'רון');
    assert.deepEqual(ron?.answers, { [bus.id]: bus.options[1]?.id });

    const left = await send(event, file.replace('הבה נגילה', 'אחר'), {
      query: options({ mapping: { 'שאלה: שיר?': 'ignore' } }),
    });
    assert.deepEqual([left.body.import.unchanged, await read()], [1, all]);
  });

  test(`an id names its guest, and one of another event nobody, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const dana = await event.guest({ name: 'דנה', phone: '0501111111' });
    const yossi = await event.guest({ name: 'יוסי' });
    const list = (rows: string[]) => ['שם,טלפון,מזהה', ...rows].join('\n');
    const renamed = await send(
      event,
      list([`דנה לוי,0502222222,${dana.id.toUpperCase()}`, `שרה,,${yossi.id}`]),
    );
    assert.deepEqual([renamed.status, renamed.body.import.updated], [200, 2], JSON.stringify(renamed.body));
    assert.equal((await event.read(dana.id)).phone, '+972502222222');

    const mixed = await send(event, list([`שרה,0502222222,${yossi.id}`, 'מי,,12', `חדש,,${event.id}`]), {
      language: 'en',
    });
    assert.deepEqual(
      mixed.body.import.rows.map(({ code }: { code: string }) => code),
      ['two_guests', 'unknown_id', 'unknown_id'],
    );
    const serial = await send(event, list(['חדש,,1', 'אחר,,2']), { query: '?dry_run=true', language: 'en' });
    assert.deepEqual(
      [serial.body.import.created, serial.body.import.lists[0].columns[2].left],
      [2, 'no_ids'],
    );
  });

  test(`a merged cell goes for all its rows, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const sheet = await workbookOf(
      `<sheetData>${[
        xlsxRow(1, { A: 'החתונה שלנו' }),
        xlsxRow(3, { A: 'צד', B: 'שם' }),
        xlsxRow(4, { A: 'כלה', B: 'דנה' }),
        xlsxRow(5, { B: 'יוסי' }),
        xlsxRow(6, { A: '', B: '' }),
        xlsxRow(7, { B: 'נועה' }),
        xlsxRow(9, { B: 'רות' }),
      ].join('')}</sheetData><mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A4:A7"/></mergeCells>`,
    );
    const { status, body } = await send(event, sheet, { type: XLSX });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.import.rows.map(({ row }: { row: number }) => row),
      [4, 5, 7, 9],
    );
    const tagged = await event.call('GET', '/guests?tag=כלה');
    assert.equal(tagged.body.total, 3);
  });

  test(`an OpenDocument list is read as it is seen, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const row = (cells: string, attributes = '') =>
      `<table:table-row ${attributes}>${cells}</table:table-row>`;
    const empty = '<table:table-cell table:number-columns-repeated="1024"/>';
    const file = await odsOf(
      [
        row(odsCell('רשימה') + empty),
        row(empty, 'table:number-rows-repeated="2"'),
        row(odsCell('צד') + odsCell('שם') + odsCell('טלפון') + odsCell('הערה') + empty),
        row(
          odsCell('כלה', 'table:number-rows-spanned="2"') +
            odsCell('דנה <text:s text:c="2"/><text:span>לוי</text:span>') +
            '<table:table-cell office:value-type="float" office:value="501111111"><text:p>501,111,111</text:p></table:table-cell>' +
            '<table:table-cell office:value-type="string"><office:annotation><text:p>סוד</text:p></office:annotation><text:p>א</text:p><text:p>ב</text:p></table:table-cell>',
        ),
        row(`<table:covered-table-cell/>${odsCell('יוסי')}${empty}`),
        row(empty, 'table:number-rows-repeated="1048570"'),
      ].join(''),
    );
    const { status, body } = await send(event, file, { type: ODS, path: '/ods' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.import.rows.map(({ row, name }: Record<string, unknown>) => [row, name]),
      [
        [5, 'דנה   לוי'],
        [6, 'יוסי'],
      ],
    );
    const [dana, yossi] = await guests(event);
    assert.deepEqual(
      [dana?.phone, dana?.note, dana?.tags, yossi?.tags],
      ['+972501111111', 'א\nב', ['כלה'], ['כלה']],
    );
  });

  test(`an export is a file for people, named after the event, on ${kind}`, async () => {
    await using event = await newEvent(kind, { title: 'חתונה: נועה/איתי "2027"' });
    await event.guest({ name: 'דנה', party_size: 3, note: 'שורה\nשנייה' });
    const { headers, file } = await exported(event, '?format=xlsx&language=arabic');
    const disposition = headers.get('content-disposition') ?? '';
    assert.match(disposition, /^attachment; filename=guests\.xlsx; filename\*=UTF-8''/);
    assert.match(decodeURIComponent(disposition), /חתונה נועה איתי 2027\.xlsx$/);
    const sheet = await partOf(file, 'xl/worksheets/sheet1.xml');
    assert.match(sheet, /rightToLeft="1"/);
    assert.match(sheet, /<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"\/>/);
    assert.match(sheet, /<c r="A1" s="1" t="inlineStr"><is><t xml:space="preserve">الاسم</);
    assert.match(sheet, /<autoFilter ref="A1:Y2"\/>/);
    assert.match(sheet, /<c r="E2"><v>3<\/v><\/c>/);
    const widths = [...sheet.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width));
    assert.equal(widths.length, 25);
    assert.ok(widths.every((width) => width >= 4 && width <= 50) && widths.at(-1) === 4, String(widths));
    const plain = await exported(event);
    assert.match(plain.headers.get('content-disposition') ?? '', /guests\.csv/);
  });
}

async function partOf(file: Uint8Array, path: string): Promise<string> {
  const zip = await fromBufferPromise(Buffer.from(file), { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== path) continue;
    const stream = await zip.openReadStreamPromise(entry);
    return Buffer.concat(await stream.toArray()).toString();
  }
  throw new Error(`no ${path}`);
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`what can’t be read in a spreadsheet is told of, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const text = (at: string, said: string) => `<c r="${at}" t="inlineStr"><is><t>${said}</t></is></c>`;
    const error = (at: string) => `<c r="${at}" t="e"><f>VLOOKUP(1,X,1)</f><v>#N/A</v></c>`;
    const unsaved = (at: string) => `<c r="${at}"><f>TRIM(Z1)</f></c>`;
    const file = await workbookOf(`<sheetData>
      <row r="1">${text('A1', 'שם')}${text('B1', 'טלפון')}${text('C1', 'צבע')}</row>
      <row r="2">${error('A2')}</row>
      <row r="3">${text('A3', 'דנה')}${unsaved('B3')}</row>
      <row r="4">${text('A4', 'יוסי')}<c r="B4" t="str"><f>T("")</f><v></v></c>${error('C4')}</row>
      <row r="5">${error('C5')}</row>
      <row r="6">${text('A6', 'רון')}<c r="B6"><f>500000000+1</f><v>501234567</v></c></row>
    </sheetData>`);
    const sent = await send(event, file, {
      type: XLSX,
      path: '/xlsx',
      query: '?on_problem=skip',
      language: 'en',
    });
    const { rows } = sent.body.import as {
      rows: {
        row: number;
        action: string;
        field?: string;
        problem?: string;
        warning?: { code: string; message: string };
      }[];
    };
    assert.deepEqual(
      rows.map(({ row, action, field, warning }) => [row, action, field, warning?.code]),
      [
        [2, 'refuse', 'name', 'unread'],
        [3, 'create', undefined, 'unread'],
        [4, 'create', undefined, undefined],
        [6, 'create', undefined, undefined],
      ],
    );
    assert.match(rows[0]?.problem ?? '', /A2 can’t be read/);
    assert.match(rows[1]?.warning?.message ?? '', /^B3 can’t be read/);
    assert.match(sent.body.import.to_mend.content, /A2/);

    await using other = await newEvent(kind);
    const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
    const inner = `<table:table table:is-sub-table="true">${row(odsCell('פנימי'), odsCell('123'))}</table:table>`;
    const formula = 'table:formula="of:=NA()"';
    const ods = await odsOf(
      row(odsCell('שם'), odsCell('טלפון')) +
        row(
          `<table:table-cell office:value-type="string"><text:p>דנה</text:p>${inner}</table:table-cell>`,
          odsCell('0501234567'),
        ) +
        row(
          `<table:table-cell ${formula} office:value-type="string" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>`,
        ) +
        row(odsCell('רון'), `<table:table-cell ${formula}/>`) +
        row(odsCell('יעל'), odsCell('0507654321')),
    );
    const read = await send(other, ods, { type: ODS, path: '/ods', query: '?on_problem=skip' });
    type Row = { row: number; action: string; name: string; warning?: { code: string } };
    assert.deepEqual(
      read.body.import.rows.map(({ row, action, name, warning }: Row) => [row, action, name, warning?.code]),
      [
        [2, 'create', 'דנה', undefined],
        [3, 'refuse', '', 'unread'],
        [4, 'create', 'רון', 'unread'],
        [5, 'create', 'יעל', undefined],
      ],
    );
    const phones = (await other.call('GET', '/guests')).body.guests.map(
      ({ phone }: { phone: string }) => phone,
    );
    assert.deepEqual(phones.filter(Boolean).sort(), ['+972501234567', '+972507654321']);
  });
}
