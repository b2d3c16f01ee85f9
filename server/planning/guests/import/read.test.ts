import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FieldProblem } from '../../../kernel/fields.ts';
import { countPeople, PEOPLE_EXAMPLES } from '../sheets/people.ts';
import { SheetProblem } from '../sheets/sheet.ts';
import type { GuestList } from './guest-list.ts';
import type { Mapping } from './mapping.ts';
import { type ReadRow, readRows } from './read.ts';

/** Reads a list from its text. */
async function read(text: string, mapping: Mapping = {}): Promise<GuestList & { rows: ReadRow[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-read-'));
  const path = join(folder, 'list.csv');
  try {
    await writeFile(path, text);
    const parts = await Array.fromAsync(readRows(path, { mapping }));
    const [list] = parts.flatMap((part) => ('lists' in part ? part.lists : []));
    assert.ok(list);
    return { ...list, rows: parts.flatMap((part) => ('rows' in part ? part.rows : [])) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Details, answer and additions to the note in a list of one row. */
async function said(headings: string, row: string) {
  const { rows } = await read(`${headings}\n${row}`);
  assert.equal(rows.length, 1);
  const [{ guest } = { guest: undefined }] = rows;
  assert.ok(guest && 'details' in guest, JSON.stringify(guest));
  return { ...guest.details, ...guest.rsvp, addenda: guest.addenda };
}

/** Complaint about the only row of a list. */
async function wrong(headings: string, row: string): Promise<string> {
  const { rows } = await read(`${headings}\n${row}`);
  const guest = rows[0]?.guest;
  assert.ok(guest && 'complaint' in guest && guest.complaint.kind === 'own', JSON.stringify(guest));
  return `${guest.field}: ${guest.complaint.words.he}`;
}

test('headings are found below titles, empty rows and a line for Excel, and rows keep their numbers', async () => {
  const titled = await read(
    'רשימת מוזמנים, החתונה של נועה ואיתי\n\n;;\nשם;טלפון;כמות\nדנה;0501111111;2\n\nיוסי;0502222222;3',
  );
  assert.equal(titled.headings, 4);
  assert.deepEqual(
    titled.rows.map(({ row, name }) => [row, name]),
    [
      [5, 'דנה'],
      [7, 'יוסי'],
    ],
  );
  const forExcel = await read('sep=;\nשם;טלפון\nדנה;0501111111');
  assert.deepEqual([forExcel.headings, forExcel.rows[0]?.row], [1, 2]);
  const farDown = await read(`${'כותרת\n'.repeat(19)}name,phone\nDana,0501111111`);
  assert.deepEqual([farDown.headings, farDown.rows.length], [20, 1]);
  const tooFar = await read(`${'כותרת\n'.repeat(20)}name,phone\nDana,0501111111`);
  assert.deepEqual([tooFar.headings, tooFar.rows.length], [null, 0]);
});

test('a column without a heading is left out with the reason, unless the mapping names it', async () => {
  const list = 'שם,טלפון,,\nדנה,0501111111,,נועם\nיוסי,0502222222,,מאיה כהן';
  const leftOf = ({ columns }: GuestList) => columns.map(({ letters, left }) => left && [letters, left]);
  assert.deepEqual(leftOf(await read(list)), [undefined, undefined, undefined, ['D', 'no_heading']]);
  assert.deepEqual(leftOf(await read(list, { D: 'note' })), [undefined, undefined, undefined, undefined]);
  assert.deepEqual(leftOf(await read('דנה,0501111111,א\nיוסי,0502222222,ב')), [
    undefined,
    undefined,
    undefined,
  ]);
});

test('headings that come again on each page are no guests', async () => {
  const { rows } = await read('שם,טלפון\nדנה,0501111111\nשם,טלפון\nיוסי,');
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['דנה', 'יוסי'],
  );
});

test('a row that adds up those above it is no guest, and somebody of that name is', async () => {
  for (const total of ['סה"כ,,3', ',סה״כ,3', 'Total,,3', 'المجموع,,3', 'סך הכל,,3']) {
    const { rows } = await read(`שם,צד,כמות\nדנה,הכלה,2\nיוסי,החתן,1\n${total}`);
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['דנה', 'יוסי'],
      total,
    );
  }
  const { rows } = await read('שם,טלפון\nTotal,0501111111\nסכום,');
  assert.equal(rows.length, 2);
});

test('running numbers are no party size, whatever they are called', async () => {
  const list = (heading: string, numbers: readonly (number | string)[]) =>
    read(`${heading},שם\n${numbers.map((number) => `${number},אורח ${number}`).join('\n')}`);
  const upTo = (most: number) => Array.from({ length: most }, (_, at) => at + 1);
  const shuffled = (most: number) => upTo(most).map((number) => (number * 17) % (most + 1));
  for (const [heading, numbers] of [
    ['מספר', [1, 2]],
    ['מספר', [1, 2, 3, 4]],
    ['כמות', [1, 2, 3]],
    ['מוזמנים', [101, 102, 103, 104]],
    ['Party size', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['כמות', shuffled(40)],
    ['כמות', shuffled(1000)],
    ['מספר', upTo(40).filter((number) => number % 3 !== 0 && number % 5 !== 0)],
    ['מספר', shuffled(40).filter((number) => number % 3 !== 0)],
    ['מספר', [3, 21, 34, 47, 60, 71, 88, 95]],
    ['Count', upTo(4).map((number) => `${number}.`)],
    ['Party size', shuffled(40).map((number) => `#${number}`)],
    ['Party size', shuffled(40).map((number) => `${number})`)],
    ['العدد', ['١', '٢', '٣', '٤']],
  ] as const) {
    const { columns, rows } = await list(heading, numbers);
    assert.deepEqual([columns[0]?.field, columns[0]?.left], [undefined, 'row_numbers'], heading);
    assert.ok(rows.every(({ guest }) => 'details' in guest && guest.details.party_size === undefined));
  }
  for (const [heading, numbers] of [
    ['מספר', [2, 4, 1]],
    ['מספר', [4]],
    ['כמות', [1, 2]],
    ['כמות', [2, 2, 3, 4, 2, 1]],
    ['כמות', [2, 4, 1, 5, 3, 8, 6]],
    ['מספר', upTo(200).map((number) => (number * 7) % 11 || 2)],
    ['Party size', [12, 30, 45, 20, 17, 25, 60, 8]],
    ['العدد', ['٢', '٤', '١']],
  ] as const) {
    assert.equal((await list(heading, numbers)).columns[0]?.field, 'party_size', `${heading} ${numbers}`);
  }
  const told = await read('כמות,שם\n1,א\n2,ב\n3,ג', { כמות: 'party_size' });
  assert.equal(told.columns[0]?.field, 'party_size');
});

test('a mapping says what columns are, by heading, letters or number, and has to fit', async () => {
  const odd = 'מי,איך משיגים,סודי\nדנה,0501111111,x\nיוסי,0502222222,y';
  const unknown = await read(odd);
  assert.deepEqual([unknown.headings, unknown.rows.length], [1, 0]);
  assert.deepEqual(
    unknown.columns.map(({ heading, field, samples }) => [heading, field, samples[0]]),
    [
      ['מי', undefined, 'דנה'],
      ['איך משיגים', undefined, '0501111111'],
      ['סודי', undefined, 'x'],
    ],
  );
  for (const mapping of [
    { מי: 'name', 'איך משיגים': 'phone', סודי: 'note' },
    { A: 'name', b: 'phone', 3: 'note' },
  ] as Mapping[]) {
    const { rows } = await read(odd, mapping);
    assert.deepEqual(
      rows.map(({ row, name }) => [row, name]),
      [
        [2, 'דנה'],
        [3, 'יוסי'],
      ],
    );
    const guest = rows[0]?.guest;
    assert.ok(guest && 'details' in guest);
    assert.deepEqual([guest.details.phone, guest.details.note], ['+972501111111', 'x']);
  }
  const bare = await read('דנה,0501111111\nיוסי,0502222222', { A: 'name', B: 'phone' });
  assert.deepEqual([bare.headings, bare.rows.map(({ row }) => row)], [null, [1, 2]]);
  const oneColumn = await read('מי\nדנה\nיוסי', { מי: 'name' });
  assert.deepEqual([oneColumn.headings, oneColumn.rows.length], [1, 2]);
  const amongGuests = await read('דנה,עבודה\nיוסי,צד\nנועה,', { A: 'name', B: 'tags' });
  assert.deepEqual([amongGuests.headings, amongGuests.rows.length], [null, 3]);
  const ignored = await read('שם,הערה\nדנה,סוד', { הערה: 'ignore' });
  assert.deepEqual(ignored.columns[1]?.field, undefined);

  for (const [mapping, field] of [
    [{ טלפון: 'phone' }, 'mapping.טלפון'],
    [{ D: 'phone' }, 'mapping.D'],
    [{ A: 'name', B: 'name' }, 'mapping'],
  ] as [Mapping, string][]) {
    await assert.rejects(
      read(odd, mapping),
      (error) => error instanceof FieldProblem && error.field === field,
    );
  }
});

test('names of two kinds are one list, and the same heading again begins another', async () => {
  const two = await read('שם,שם מלא\nדנה,דנה לוי\nיוסי,יוסי כהן');
  assert.deepEqual(
    two.rows.map(({ list, name }) => [list, name]),
    [
      [0, 'דנה'],
      [0, 'יוסי'],
    ],
  );
  const { rows } = await read('צד כלה,צד חתן\nשם,שם\nדנה,יוסי\nרות,');
  assert.deepEqual(
    rows.map(({ list, row, name }) => [list, row, name]),
    [
      [0, 3, 'דנה'],
      [1, 3, 'יוסי'],
      [0, 4, 'רות'],
    ],
  );
});

test('people’s own headings and cells are understood, and nothing is lost', async () => {
  for (const [headings, row, expected] of [
    ['שם פרטי,שם משפחה', 'דנה,לוי', { name: 'דנה לוי' }],
    ['שם,משפחה', 'דנה,לוי', { name: 'דנה לוי' }],
    ['שם משפחה,שם פרטי', 'פרץ,משפחת פרץ', { name: 'משפחת פרץ' }],
    ['משפחה,שם פרטי', 'כהן,דוד כהן', { name: 'דוד כהן' }],
    ['משפחה,שם פרטי', 'דוד כהן,דוד', { name: 'דוד כהן' }],
    ['משפחה,שם פרטי', 'בן יוסף,יוסף', { name: 'יוסף בן יוסף' }],
    ['משפחה,שם', 'כהן,משפחת כהן-לוי', { name: 'משפחת כהן-לוי' }],
    ['משפחה,שם', 'דן,דנה', { name: 'דנה דן' }],
    ['last name,first name', 'David,David', { name: 'David David' }],
    ['שם הבעל,שם האישה,משפחה', 'דוד,רותי,כהן', { name: 'דוד ורותי כהן', party_size: 2, addenda: [] }],
    ['שם האישה,שם הבעל', 'רותי,דוד', { name: 'רותי ודוד', party_size: 2 }],
    ['שם הבעל,שם האישה,משפחה,כמות', 'דוד,,כהן,5', { name: 'דוד כהן', party_size: 5 }],
    ['שם הבעל,שם האישה,משפחה', ',רותי,כהן', { name: 'רותי כהן', party_size: undefined }],
    ['שם הבעל,שם האישה,משפחה', ',,כהן', { name: 'כהן', party_size: undefined }],
    ['שם,שם הבעל', 'רותי כהן,דוד', { name: 'רותי כהן', party_size: 2, addenda: ['שם הבעל: דוד'] }],
    ['husband,wife,surname', 'David,Ruth,Cohen', { name: 'David and Ruth Cohen', party_size: 2 }],
    ['اسم الزوج,اسم الزوجة,العائلة', 'أحمد,ليلى,خوري', { name: 'أحمد وليلى خوري', party_size: 2 }],
    ['שם המוזמן/ת,"מס\' אנשים",קירבה,שולחן', 'דנה,3,עבודה,7', { party_size: 3, tags: ['עבודה', 'שולחן 7'] }],
    [
      'שם,טלפון 1,טלפון 2',
      'דנה,03-5551234,050-1111111',
      { phone: '+972501111111', other_phones: ['+97235551234'], addenda: [] },
    ],
    [
      'שם,טלפון',
      'דנה,050-1111111 / 052-2222222',
      { phone: '+972501111111', other_phones: ['+972522222222'], addenda: [] },
    ],
    [
      'שם,טלפון',
      'דנה,אמא 050-1111111 אבא 052-2222222',
      {
        phone: '+972501111111',
        other_phones: ['+972522222222'],
        addenda: ['טלפון: אמא 050-1111111 אבא 052-2222222'],
      },
    ],
    [
      'שם,נייד שלו,נייד שלה,טלפון נוסף',
      'דנה ודן,050-1111111,052-2222222,03-5551234; בבית',
      {
        phone: '+972501111111',
        other_phones: ['+972522222222', '+97235551234'],
        addenda: ['טלפון נוסף: 03-5551234; בבית'],
      },
    ],
    [
      'שם,טלפון נוסף',
      'דנה,03-5551234 / 052-2222222',
      { phone: '+972522222222', other_phones: ['+97235551234'], addenda: [] },
    ],
    [
      'שם,טלפון,טלפון נוסף',
      'דנה,0501111111,אצל אמא',
      { phone: '+972501111111', addenda: ['טלפון נוסף: אצל אמא'] },
    ],
    [
      'id,שם,טלפון,טלפון נוסף,מייל נוסף',
      '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2b01,דנה,,03-5551234,a@example.com',
      { phone: undefined, other_phones: ['+97235551234'], other_emails: ['a@example.com'] },
    ],
    ['שם,טלפון', 'דנה,אין', { addenda: [] }],
    ['שם,טלפון,הערה', 'דנה,-,–', { addenda: [] }],
    [
      'שם,מייל',
      'דנה,a@example.com; b@example.com',
      { email: 'a@example.com', other_emails: ['b@example.com'], addenda: [] },
    ],
    ['שם,כמות', 'דנה,3+1', { party_size: 4 }],
    ['שם,כמות', 'דנה,+1', { party_size: 2 }],
    ['שם,כמות', 'דנה,זוג', { party_size: 2 }],
    ['שם,כמות', 'דנה,4 נפשות', { party_size: 4 }],
    ['שם,כמות', 'דנה,2 + תינוק', { party_size: 3, addenda: ['כמות: 2 + תינוק'] }],
    ['שם,כמות', 'דנה,זוג ותינוקת', { party_size: 3, addenda: ['כמות: זוג ותינוקת'] }],
    ['שם,כמות', 'דנה,2+2 ילדים', { party_size: 4 }],
    ['שם,כמות', 'דנה,אחת', { party_size: 1 }],
    ['שם,כמות', 'דנה,שתיים', { party_size: 2 }],
    ['שם,כמות', 'דנה,שלושה אנשים', { party_size: 3 }],
    ['الاسم,العدد', 'ليلى,٣', { party_size: 3 }],
    ['שם,כמות', 'דנה,שני מבוגרים ועוד ילד אחד', { party_size: 3 }],
    ['שם,ילדים', 'דנה,שני ילדים', { party_size: 3, party_children: 2 }],
    ['الاسم,العدد', 'دانا,ثلاثة', { party_size: 3 }],
    ...['شخصين', 'شخصان', 'زوج', 'زوجين'].map((two) => ['الاسم,العدد', `دانا,${two}`, { party_size: 2 }]),
    ['الاسم,العدد', 'دانا,شخص واحد', { party_size: 1 }],
    ['الاسم,العدد', 'دانا,12 شخصًا', { party_size: 12 }],
    ['שם,כמה', 'דנה,3', { party_size: 3 }],
    ['שם,הערות אוכל', 'דנה,בלי אגוזים', { allergies: 'בלי אגוזים' }],
    [
      'שם,אלרגיות,כשרות/הערות אוכל',
      'דנה,אגוזים,גלאט ובלי גלוטן',
      { allergies: 'אגוזים\nגלאט ובלי גלוטן', addenda: [] },
    ],
    ['name,dietary requirements', 'Dana,no nuts', { allergies: 'no nuts' }],
    ['الاسم,ملاحظات الطعام', 'دانا,بلا مكسرات', { allergies: 'بلا مكسرات' }],
    ['name,people', 'Dana,two + baby', { party_size: 3 }],
    ['שם,בן/בת זוג', 'דנה,שני', { party_size: 2, addenda: ['בן/בת זוג: שני'] }],
    ['שם,מבוגרים,ילדים', 'דנה,2,3', { party_size: 5, party_children: 3 }],
    ['שם,מבוגרים,ילדים,תינוקות', 'דנה,2,3,1', { party_size: 6, party_children: 4 }],
    ['שם,כמות,ילדים', 'דנה,4,2', { party_size: 4, party_children: 2 }],
    ['שם,מבוגרים,ילדים', 'דנה,2,', { party_size: 2 }],
    ['שם,בן/בת זוג', 'דנה,יוסי', { party_size: 2, addenda: ['בן/בת זוג: יוסי'] }],
    ['שם,בן/בת זוג', 'דנה,לא', { addenda: [] }],
    ['שם,צמחוני', 'דנה,2', { vegetarian: 2, addenda: [] }],
    ['שם,צמחוני', 'דנה,0', { vegetarian: 0, addenda: [] }],
    ['שם,טבעוני', 'דנה,טבעונית', { vegan: 1 }],
    ['שם,טבעוני', 'דנה,כן', { vegan: 1 }],
    ['שם,גלאט,מנות ילדים', 'דנה,2,3', { mehadrin: 2, childrens_meals: 3 }],
    ['שם,כמות,כשרות', 'דנה,4,גלאט', { party_size: 4, mehadrin: 4 }],
    ['שם,כשרות', 'דנה,לא כשר', {}],
    ['שם,מספר מגיעים', 'דנה,3', { status: 'confirmed', coming: 3 }],
    ['שם,מגיעים', 'דנה,✓', { status: 'confirmed' }],
    ['שם,אישור הגעה', 'דנה,3', { status: 'confirmed', coming: 3 }],
    ['שם,אישור הגעה,הערה', 'דנה,4,', { status: 'confirmed', coming: 4 }],
    ['שם,תגיות', 'דנה,"עבודה; צבא, ""א, ב"""', { tags: ['עבודה', 'צבא', 'א, ב'] }],
    [
      'الاسم,الهاتف,العدد,الحضور',
      'دانا,0501111111,2,نعم',
      { phone: '+972501111111', party_size: 2, status: 'confirmed' },
    ],
    [
      'First Name,Middle Name,Last Name,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Value',
      'Dana,,Levi,Family ::: * myContacts,Home,dana@example.com,Mobile,050-111-1111 ::: 03-5551234,',
      { name: 'Dana Levi', tags: ['Family'], email: 'dana@example.com', phone: '+972501111111' },
    ],
    [
      'First Name,Last Name,Mobile Phone,E-mail Address,Categories',
      'Dana,Levi,0501111111,dana@example.com,Family;Work',
      { name: 'Dana Levi', phone: '+972501111111', email: 'dana@example.com', tags: ['Family', 'Work'] },
    ],
  ] as [string, string, object][]) {
    const all: object = await said(headings, row);
    const told = Object.fromEntries(Object.keys(expected).map((field) => [field, (all as never)[field]]));
    assert.deepEqual(told, expected, `${headings}: ${row}`);
  }
});

test('how many are invited is read as people say it', async () => {
  for (const [number, texts] of [
    [2, ['זוג', 'זוג (2)', '2 (זוג)', '1 + 1', 'couple']],
    [4, ['2 מבוגרים 2 ילדים', '2 מבוגרים, 2 ילדים', '2 מבוגרים ו-2 ילדים', 'זוג ושני ילדים', 'زوج وطفل + 1']],
    [
      5,
      [
        'משפחה 5',
        'משפחה של 5',
        'משפחה בת 5 נפשות',
        'משפ׳ 5',
        'משפחה (5)',
        '5 (משפחה)',
        'family of 5',
        'عائلة من 5',
      ],
    ],
    [
      6,
      ['6 כולל ילדים', '6 (כולל הילדים)', '6 סועדים', '6 guests', '6 ضيوف', '2 adults & 4 kids', '3 פלוס 3'],
    ],
  ] as const)
    for (const text of texts) assert.equal((await said('שם\tכמות', `דנה\t${text}`)).party_size, number, text);
  const { addenda } = await said('שם,כמות', 'דנה,6 (כולל ילדים)');
  assert.deepEqual(addenda, ['כמות: 6 (כולל ילדים)']);
});

test('how many are children is read where a cell says it', async () => {
  for (const [people, children, texts] of [
    [
      3,
      1,
      ['2 מבוגרים + 1 ילד', 'זוג + ילד', 'זוג וילד', '2 adults + 1 child', 'couple and 1 kid', 'بالغان وطفل'],
    ],
    [
      4,
      2,
      [
        'זוג ו-2 ילדים',
        'זוג ו 2 ילדים',
        '4 (2 ילדים)',
        '4 (2 מבוגרים + 2 ילדים)',
        '4 כולל 2 ילדים',
        'زوج وطفلان',
      ],
    ],
    [
      5,
      3,
      [
        '2+3 ילדים',
        '2 + 3 (ילדים)',
        'זוג ושלושה ילדים',
        '5 including 3 kids',
        'زوج و3 أطفال',
        'زوج و-3 أطفال',
      ],
    ],
    [
      6,
      2,
      [
        '6 (כולל 2 ילדים)',
        '6, מהם 2 ילדים',
        'משפחה של 6 (2 ילדים)',
        '6 (of whom 2 children)',
        '6 (منهم طفلان)',
        '٦ (٢ أطفال)',
      ],
    ],
    [6, undefined, ['6 (כולל ילדים)', '3+3', '2 מבוגרים + 4', '6 شامل أطفال']],
  ] as const)
    for (const text of texts) {
      const party = await said('שם\tכמות', `דנה\t${text}`);
      assert.deepEqual([party.party_size, party.party_children], [people, children], text);
      const answered = await said('שם\tאישור הגעה', `דנה\t${text}`);
      assert.deepEqual([answered.coming, answered.coming_children], [people, children], text);
      const isVague = text.includes('כולל ילדים') || text.includes('شامل');
      assert.equal(party.addenda.length, isVague ? 1 : 0, text);
    }
  for (const [headings, row, expected] of [
    ['שם,כמות,ילדים', 'דנה,4 (2 ילדים),1', { party_size: 4, party_children: 1, addenda: [] }],
    ['שם,מבוגרים', 'דנה,2 מבוגרים + 1 ילד', { party_size: 3, party_children: 1 }],
    ['שם,מגיעים', 'דנה,2 מבוגרים + 1 ילד', { coming: 3, coming_children: 1, party_children: undefined }],
    ['שם,כמות,אישור הגעה', 'דנה,2+3 ילדים,כן', { party_size: 5, party_children: 3, status: 'confirmed' }],
    [
      'שם,כמות,אישור הגעה',
      'דנה,5,2 + תינוק',
      { coming: 3, coming_children: 1, addenda: ['אישור הגעה: 2 + תינוק'] },
    ],
  ] as [string, string, object][]) {
    const all: object = await said(headings, row);
    const told = Object.fromEntries(Object.keys(expected).map((field) => [field, (all as never)[field]]));
    assert.deepEqual(told, expected, `${headings}: ${row}`);
  }
  for (const size of ['2 (3 ילדים)', '4 (3 מבוגרים)', '4 (כולל 5 ילדים)', '2 + 2 ילדים (1 ילד)'])
    await wrong('שם,כמות', `דנה,${size}`);
});

test('answers and how many come may stand in one column', async () => {
  const { rows } = await read('שם,אישור הגעה,מגיעים\nדנה,3,\nיוסי,כן,\nנועה,לא,\nרות,,לא\nגיל,,2\nטל,אולי,');
  assert.deepEqual(
    rows.map(({ guest }) => ('rsvp' in guest ? [guest.rsvp.status, guest.rsvp.coming] : guest)),
    [
      ['confirmed', 3],
      ['confirmed', undefined],
      ['declined', undefined],
      ['declined', undefined],
      ['confirmed', 2],
      ['maybe', undefined],
    ],
  );
});

test('answers are understood in people’s words and marks', async () => {
  for (const [status, words] of [
    [
      'confirmed',
      ['אישרו הגעה', 'מגיעים', 'מגיע/ה', 'כן', 'V', '✓', '✔️', '✅', '✅ מגיעים', 'Yes!', 'قادمون'],
    ],
    ['declined', ['לא מגיעים', 'לא', 'x', '✗', '❌', 'No', 'اعتذروا']],
    ['pending', ['ממתינים לתשובה', 'טרם ענו', '?']],
    ['maybe', ['מתלבטים', 'מתלבטים/מתלבטת', 'אולי', 'ربّما', 'Maybe']],
    [undefined, ['-', '—', '']],
  ] as const) {
    for (const word of words) assert.equal((await said('שם,תשובה', `דנה,${word}`)).status, status, word);
  }
});

test('what can’t be read is quoted, and what can be is said in words', async () => {
  assert.match(await wrong('שם,תשובה', 'דנה,כן/לא'), /^rsvp_status: אפשר לכתוב: מגיעים, .*"כן\/לא"/);
  assert.match(
    await wrong('שם,טבעוני', 'דנה,קצת'),
    /^vegan: כאן כותבים כמה .* כן או לא\..* בקובץ כתוב: "קצת"\.$/,
  );
  assert.match(
    await wrong('שם,טבעוני', 'דנה,צמחוני'),
    /^vegan: .*מנה מסוג אחר נרשמת בעמודה שלה\. .*"צמחוני"/,
  );
  assert.match(await wrong('שם,כשרות', 'דנה,גבוהה'), /לא כשר, כשר, מהדרין, חלב ישראל.*"גבוהה"/);
  assert.match(await wrong('שם,טלפון', 'דנה,12'), /^phone: .*"12"/);
  const sizes = [
    'הרבה',
    'כ-5',
    '1-2',
    '5-6',
    'משפחה',
    '3 (עם תינוק)',
    '2/3',
    'זוג (3)',
    'משפחה 3 ילדים',
    '2 כולל נועם',
  ];
  for (const size of sizes) {
    const said = await wrong('שם,כמות', `דנה,${size}`);
    assert.match(said, /^party_size: .*אפשר גם: 3\+1, זוג, 4 נפשות\. /);
    assert.ok(said.includes(`"${size}"`));
  }
  for (const example of Object.values(PEOPLE_EXAMPLES).flat())
    assert.ok(Number(countPeople(example)) > 1, example);
  assert.match(await wrong('שם,מבוגרים', 'דנה,הרבה'), /^adults: .*3\+1, זוג/);
  assert.match(await wrong('שם,ילדים', 'דנה,נועם ומאיה'), /^party_children: .*"נועם ומאיה"/);
  assert.match(await wrong('שם,בן/בת זוג', `דנה,${'נועם '.repeat(401)}`), /^note: .*2,000/);
  assert.match(await wrong('שם,הערה', `דנה,${'א'.repeat(2001)}`), new RegExp(`"${'א'.repeat(60)}…"`));
  const { rows } = await read('שם,תשובה\nדנה,מתישהו');
  assert.equal(rows[0]?.name, 'דנה');
});

test('a phone’s cell has a handful of numbers, and one with more is quoted in short', async () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => `050-${1_000_000 + n}`);
  const ten = await said('שם,טלפון', `דנה,${numbers(10).join(' ')}`);
  assert.deepEqual(ten.phone, '+972501000000');
  assert.deepEqual(
    ten.other_phones,
    [1, 2, 3, 4, 5].map((n) => `+97250100000${n}`),
  );
  assert.deepEqual(ten.addenda, ['טלפון: 050-100-0006, 050-100-0007, 050-100-0008, 050-100-0009']);
  for (const cell of [
    numbers(11).join(' '),
    numbers(11).join('/'),
    '050-1000000 03-5551234 '.repeat(10),
    numbers(15_000).join(' ').slice(0, 190_000),
  ]) {
    assert.match(await wrong('שם,טלפון', `דנה,${cell}`), /^phone: .*עד 10 .*"050-1000000.{49}…"/);
  }
  assert.match(await wrong('שם,טלפון', `דנה,${'בבית '.repeat(200)}0501111111`), /^phone: .*עד 10 /);
});

test('however long a cell is, what it may be called or mean is soon known', async () => {
  for (const cell of ['.'.repeat(190_000), '('.repeat(190_000), ' ('.repeat(95_000), '+'.repeat(190_000)]) {
    const start = performance.now();
    const list = `${cell}x,y\nname,party size,status\nDana,${cell}x,\nGil,,${cell}x\nNoa,,`;
    const { headings, rows } = await read(list);
    assert.deepEqual([headings, rows.length], [2, 3]);
    assert.ok(performance.now() - start < 10_000, `${cell.slice(0, 2)} took long`);
  }
});

test('however long or odd a name, a title or a contact is, it is soon read', async () => {
  const names = ['+ a', '(', '- ', 'ו', '& A', 'x', 'the ', '1 '].flatMap((piece) =>
    ['', 'a'.repeat(60), '!'].map((end) => `A${piece.repeat(60)}`.slice(0, 190 - end.length) + end),
  );
  const long = ['̀'.repeat(180_000), 'ס"'.repeat(90_000), 'א '.repeat(90_000)];
  const cards = [
    'quoted-printable '.repeat(10_000),
    'a'.repeat(150_000),
    '\\a'.repeat(70_000),
    '"'.repeat(150_000),
  ];
  for (const text of [
    ['name,phone', ...names.map((name) => `"${name}",`)].join('\n'),
    ...long.map((cell) => `name,note\nDana,x\nGil,x\n"",${cell.replaceAll('"', '""')}`),
    ...cards.map(
      (value) => `BEGIN:VCARD\nN;A=${value}\n${' b\n'.repeat(10_000)}FN:Dana\nTEL:${value}\\\nEND:VCARD\n`,
    ),
  ]) {
    const start = performance.now();
    await read(text).catch((error) => assert.ok(error instanceof SheetProblem, error));
    assert.ok(performance.now() - start < 5_000, `${text.slice(0, 40)} took long`);
  }
});
