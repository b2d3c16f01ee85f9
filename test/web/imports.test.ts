import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { XLSX, xlsxWorkbook } from '../planning/guests/files.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { LOOKS } from './looks.ts';

/** An event of somebody new with these guests. */
async function eventWith(server: SharedServer, guests: object[] = []) {
  const session = await newSession(server);
  const { body } = await session.call('POST', '/api/events', {
    body: { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' },
  });
  const path = `/api/events/${body.event.id}`;
  for (const guest of guests) {
    const { status, text } = await session.call('POST', `${path}/guests`, { body: guest });
    assert.equal(status, 201, text);
  }
  const page = `${path.replace('/api', '')}/guests`;
  const stored = async (): Promise<[string, string | null, number][]> => {
    const read = await session.call('GET', `${path}/guests?limit=1000`);
    return read.body.guests.map((one: { name: string; phone: string | null; party_size: number }) => [
      one.name,
      one.phone,
      one.party_size,
    ]);
  };
  return { session, path, page, stored };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const rowOf = (page: Page, name: string) => page.locator('[data-row]', { hasText: name });

async function give(page: Page, name: string, text: string): Promise<void> {
  const buffer = Buffer.from(text);
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

const HEBREW = [
  'רשימה',
  'שם,טלפון,כמה,איפה',
  'דנה,0501111111,2,חיפה',
  'יוסי,12,1,יפו',
  'יעל,,3,',
  'משפחת לוי,0502222222,המון,',
].join('\n');

testInLane(
  'a list is read, its columns changed, its rows corrected and decided on, and imported, on a phone in Hebrew',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    const { session, page: path, stored } = await eventWith(server);
    await using at = await visitConsole(server, LOOKS.phone, { session, path });
    const { page } = at;
    await page.getByRole('link', { name: 'ייבוא מקובץ' }).click();
    await button(page, 'בחירת קובץ').waitFor();
    await at.look();
    await session.call('POST', `/api${path}`, { body: { name: 'יעל', note: 'מהעבודה' } });

    await give(page, 'list.csv', HEBREW);
    const where = page.getByRole('combobox', { name: 'איפה' });
    await where.waitFor();
    await at.look();
    await where.click();
    await page.getByRole('option', { name: 'הערה פרטית' }).click();
    await button(page, 'להמשיך לשורות').click();

    await rowOf(page, 'יוסי').getByText('נדרש מספר טלפון').waitFor();
    await page.getByText(/4 שורות, סה״כ .?5 אנשים.? · בשתי שורות המספר עוד לא ידוע/).waitFor();
    await at.look();
    const phone = rowOf(page, 'יוסי').getByLabel('טלפון');
    await phone.fill('0503333333');
    await page.reload();
    await page.getByText('הדפדפן לא זוכר קבצים').waitFor();
    await at.look();
    await give(page, 'list.csv', HEBREW);
    await button(page, 'להמשיך לשורות').click();
    assert.equal(await phone.inputValue(), '0503333333');
    await phone.press('Enter');
    await rowOf(page, 'יוסי').waitFor({ state: 'detached' });
    // Whoever mends goes on to the next one.
    await until(() =>
      page.evaluate(`document.activeElement.closest('[data-row]')?.textContent.includes('לוי')`),
    );
    await page.keyboard.press('Control+A');
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');

    await rowOf(page, 'יעל').getByText('מהעבודה').waitFor();
    await at.look();
    await rowOf(page, 'יעל').getByText('מישהו אחר').click();
    await button(page, 'לייבא 4 שורות').waitFor();
    await page.getByRole('button', { name: /חדשים/ }).click();
    await rowOf(page, 'יוסי').getByText('תוקן').waitFor();
    await at.look();
    await button(page, 'לייבא 4 שורות').click();
    await page.getByText('4 מוזמנים נוספו. 10 אנשים בסך הכול.').waitFor();
    await at.look();
    assert.deepEqual((await stored()).sort(), [
      ['דנה', '+972501111111', 2],
      ['יוסי', '+972503333333', 1],
      ['יעל', null, 1],
      ['יעל', null, 3],
      ['משפחת לוי', '+972502222222', 4],
    ]);
    const notes = (await session.call('GET', `/api${path}?search=דנה`)).body.guests;
    assert.equal(notes[0].note, 'חיפה');

    await page.reload();
    await button(page, 'ביטול הייבוא (4 מוזמנים)').click();
    await page.getByText('המוזמנים שנוספו מהקובץ הוסרו מהרשימה').first().waitFor();
    await until(async () => (await stored()).length === 1);
    await button(page, 'ביטול').click();
    await until(async () => (await stored()).length === 5);
  },
);

testInLane(
  'a phone that was corrected in a list imported again is the same guest’s, on a phone in Hebrew',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    const known = [{ name: 'זוג פרידמן', phone: '0501112202', party_size: 2 }];
    const { session, page: path, stored } = await eventWith(server, known);
    await using at = await visitConsole(server, LOOKS.phone, { session, path: `${path}/import` });
    const { page } = at;
    await give(page, 'list.csv', 'שם,טלפון,כמה\nזוג פרידמן,050-1112299,2\nדנה,0501111111,3');
    await button(page, 'להמשיך לשורות').click();
    await rowOf(page, 'זוג פרידמן').getByText('050-111-2202').waitFor();
    await page.getByText(/שתי שורות, סה״כ .?5 אנשים/).waitFor();
    await at.look();
    await rowOf(page, 'זוג פרידמן').getByText('אותו אדם, פרטים חדשים').click();
    await button(page, 'לייבא שתי שורות').click();
    await page.getByText('מוזמן אחד עודכן.').waitFor();
    assert.deepEqual((await stored()).sort(), [
      ['דנה', '+972501111111', 3],
      ['זוג פרידמן', '+972501112299', 2],
    ]);
  },
);

test('valid pasted rows are imported, and the rest is downloaded or corrected, on a desktop in English', async () => {
  const server = await sharedServer(ANY_DATABASE);
  const known = [
    { name: 'Noa', phone: '0501111111' },
    { name: 'Avi', phone: '0502222222' },
    { name: 'Yael' },
  ];
  const { session, page: path, stored } = await eventWith(server, known);
  await using at = await visitConsole(server, LOOKS.desk, { session, path });
  const { page } = at;
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Import from file' }).click();
  await button(page, 'Continue with pasted cells').click();
  await page.getByText('Nothing pasted yet.').waitFor();
  const rows = [
    'Name\tPhone\tPeople',
    'Noa\t0501111111\t3',
    'Benny\t0502222222\t1',
    'Dan\t12\t2',
    'Yael\t\t2',
  ];
  await page.locator('#pasted').fill(rows.join('\n'));
  await page.reload();
  assert.equal(await page.locator('#pasted').inputValue(), rows.join('\n'));
  await at.look();
  await button(page, 'Continue with pasted cells').click();
  await page.getByRole('combobox', { name: 'Phone' }).waitFor();
  await at.look();
  await button(page, 'Continue to rows').click();
  await rowOf(page, 'Dan').waitFor();
  await page.getByRole('button', { name: /Possible duplicates/ }).click();
  // A phone is one guest's: nobody else can have it.
  await rowOf(page, 'Benny').getByText('Same phone or email, but a different name.').waitFor();
  assert.equal(await rowOf(page, 'Benny').getByText('Someone else').count(), 0);
  await at.look();
  assert.match(page.url(), /show=ask/);
  await button(page, 'Skip').click();
  await page.getByText('One row is kept in a file for correction.').waitFor();
  await page.getByRole('button', { name: /^All/ }).click();
  await at.look();
  await button(page, 'Import the one valid row').click();
  await page.getByText('One guest was updated.').waitFor();
  await page.getByText('2 rows were skipped, as you chose.').waitFor();
  await at.look();
  const names = (await stored()).map(([name, , size]) => `${name} ${size}`);
  assert.deepEqual(names.sort(), ['Avi 1', 'Noa 3', 'Yael 1']);

  const downloading = page.waitForEvent('download');
  await button(page, 'Download remaining rows').click();
  assert.equal((await downloading).suggestedFilename(), 'to-mend.csv');
  await button(page, 'Correct now').click();
  await button(page, 'Continue to rows').click();
  await rowOf(page, 'Dan').getByLabel('Phone').fill('052-444-4444');
  await button(page, 'Check again').click();
  await button(page, 'Import one row').click();
  await page.getByText('One guest was added.').waitFor();
  assert.ok(
    (await stored()).some(([name, phone, size]) => name === 'Dan' && phone === '+972524444444' && size === 2),
  );
  await page.getByRole('link', { name: 'Guests without an invitation' }).click();
  await page.getByRole('link', { name: 'Dan' }).waitFor();
  assert.match(page.url(), /invited=false/);
});

testInLane(
  'sheets are chosen and become tags, and families, names and rows left out are decided on, on a phone in Hebrew',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    const known = [{ name: 'שרה ומייק גולדברג', phone: '0505555555' }];
    const { session, page: path, stored } = await eventWith(server, known);
    await using at = await visitConsole(server, LOOKS.phone, { session, path: `${path}/import` });
    const { page } = at;
    const buffer = await xlsxWorkbook([
      {
        name: 'צד כלה',
        rows: [
          ['שם', 'טלפון', 'כמה', 'הערה'],
          ['חברות מהעבודה'],
          ['דנה +1', '0501111111', '', ''],
          ['משפחת לוי', '', '', 'מחיפה'],
          ['משפחת פרץ', '', '', 'מיפו'],
          ['שרה גולדברג', '0505555555', '2', ''],
          ['סה"כ', '', '5', ''],
        ],
      },
      {
        name: 'צד חתן',
        rows: [
          ['שם', 'טלפון'],
          ['יוסי', '12'],
          ['נועם', '0502222222'],
        ],
      },
      {
        name: 'ספקים',
        rows: [
          ['שם', 'טלפון'],
          ['האולם', '035551234'],
        ],
      },
    ]);
    await page.locator('input[type=file]').setInputFiles({ name: 'list.xlsx', mimeType: XLSX, buffer });
    await page.getByText('2 מתוך 3 גיליונות').waitFor();
    await page.getByText('נשארו בחוץ').waitFor();
    await at.look();
    const vendors = page.getByRole('switch', { name: /לייבא את הגיליון .*ספקים/ });
    await vendors.click();
    await page.getByText('3 מתוך 3 גיליונות').waitFor();
    await vendors.click();
    await page.getByText('2 מתוך 3 גיליונות').waitFor();
    await page.getByLabel('להוסיף את הכותרת שמעל השורות כתגית').click();
    await button(page, 'להמשיך לשורות').click();

    await rowOf(page, 'דנה').getByText('שני אנשים').waitFor();
    await at.look();
    await button(page, 'להשאיר את כל השמות כמו שהם').click();
    await button(page, 'לקרוא מספרים מהשמות').click();
    await page.getByRole('button', { name: /משפחות בלי מספר/ }).click();
    await page.getByLabel('כמה אנשים בכל משפחה?').fill('5');
    await button(page, 'לכל המשפחות').click();
    await rowOf(page, 'לוי').getByText('ייכנס לרשימה').waitFor();
    await rowOf(page, 'פרץ').getByRole('textbox').fill('3');
    await page.keyboard.press('Enter');
    await at.look();

    await page.getByRole('button', { name: /לתיקון/ }).click();
    await rowOf(page, 'יוסי')
      .getByText(/צד חתן.*שורה.*2/)
      .waitFor();
    await at.look();
    await page.reload();
    await page.locator('input[type=file]').setInputFiles({ name: 'list.xlsx', mimeType: XLSX, buffer });
    await button(page, 'להמשיך לשורות').click();
    await page.getByRole('button', { name: /לתיקון/ }).click();
    await rowOf(page, 'יוסי').getByText('להשאיר בחוץ').click();
    await page.getByRole('button', { name: /שם אחר/ }).click();
    await rowOf(page, 'שרה ומייק').getByText('שרה גולדברג').waitFor();
    await at.look();
    await page.getByRole('button', { name: /כותרות וסיכומים/ }).click();
    await page.getByText('סה"כ · 5').waitFor();
    await at.look();
    await page.getByRole('button', { name: /זה מוזמן: .*חברות/ }).click();
    await button(page, 'לייבא 6 שורות').click();
    await page.getByText('5 מוזמנים נוספו.').waitFor();
    assert.deepEqual((await stored()).sort(), [
      ['דנה', '+972501111111', 2],
      ['חברות מהעבודה', null, 1],
      ['משפחת לוי', null, 5],
      ['משפחת פרץ', null, 3],
      ['נועם', '+972502222222', 1],
      ['שרה גולדברג', '+972505555555', 2],
    ]);
    const { guests } = (await session.call('GET', `/api${path}?search=דנה`)).body;
    assert.deepEqual(guests[0].tags, ['צד כלה']);
  },
);

testInLane(
  'a file that is no list is refused in the server’s words, and a list without names shows its columns, in Arabic',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    const { session, page: path, stored } = await eventWith(server);
    await using at = await visitConsole(server, LOOKS.arabic, { session, path: `${path}/import?step=rows` });
    const { page } = at;
    await button(page, 'اختيار ملف').waitFor();
    await at.look();
    await give(page, 'empty.csv', '');
    await page.getByRole('alert').waitFor();
    await at.look();
    await page.getByRole('link', { name: 'الملف' }).click();
    await give(page, 'names.csv', 'x,y\nليلى,0501111111\nمريم,0502222222\n');
    await page.getByRole('alert').waitFor();
    await at.look();
    await page.getByRole('combobox').first().click();
    await page.getByRole('option', { name: 'الاسم', exact: true }).click();
    await button(page, 'المتابعة إلى الصفوف').click();
    await button(page, 'استيراد صفين').click();
    await page.getByText('أُضيف ضيفان.').waitFor();
    await at.look();
    assert.equal((await stored()).length, 2);
  },
);

testInLane('only visible ones of thousands of rows are drawn, and a viewer can import nothing', async () => {
  const server = await sharedServer(ANY_DATABASE);
  const { session, path: api, page: path } = await eventWith(server);
  await using at = await visitConsole(server, LOOKS.desk, { session, path: `${path}/import` });
  const { page } = at;
  const names = Array.from({ length: 5_000 }, (_, index) => `Guest ${index},${index % 2 ? '12' : ''}`);
  await give(page, 'many.csv', `Name,Phone\n${names.join('\n')}`);
  await button(page, 'Continue to rows').click();
  await rowOf(page, 'Guest 1').first().waitFor();
  assert.ok((await page.locator('[data-row]').count()) < 60);
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await rowOf(page, 'Guest 4999').waitFor();
  await at.look();

  const viewer = await newSession(server);
  await session.call('POST', `${api}/co-organizers`, { body: { email: viewer.email, access: 'view' } });
  await using other = await visitConsole(server, LOOKS.desk, { session: viewer, path: `${path}/import` });
  await other.page.getByText('You can only view this list.').waitFor();
  assert.equal(await other.page.locator('input[type=file]').count(), 0);
  await other.look();
});
