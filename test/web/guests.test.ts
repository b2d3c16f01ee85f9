import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { readGuestSearch } from '../../web/src/features/guests/api/search.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession, type TestSession } from '../support/sessions.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { isOnTop, visitConsole } from './console.ts';
import { LOOKS } from './looks.ts';

/** An event of somebody new, published, with these guests. */
async function eventWith(
  server: SharedServer,
  { guests = [], ...event }: { guests?: object[]; [field: string]: unknown },
) {
  const session = await newSession(server);
  const { body } = await session.call('POST', '/api/events', {
    body: { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן', ...event },
  });
  const path = `/api/events/${body.event.id}`;
  await session.call('PUT', path, { body: { status: 'published' } });
  for (const guest of guests) {
    const { status, text } = await session.call('POST', `${path}/guests`, { body: guest });
    assert.equal(status, 201, text);
  }
  return { session, path, guests: `${path}/guests`, page: `${path.replace('/api', '')}/guests` };
}

async function guestsAt(session: TestSession, path: string): Promise<Record<string, unknown>[]> {
  return (await session.call('GET', `${path}?limit=1000`)).body.guests;
}

const row = (page: Page, name: string) => page.locator('li, tr', { hasText: name });
const closed = (page: Page) => page.locator('.mantine-Drawer-overlay').waitFor({ state: 'detached' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('guests are added, reply, are edited, deleted and restored, on a phone in Hebrew', async () => {
  const server = await sharedServer(ANY_DATABASE);
  const { session, guests, page: path } = await eventWith(server, {});
  await using at = await visitConsole(server, LOOKS.phone, { session, path });
  const { page } = at;
  await page.getByText('עוד אין מוזמנים').waitFor();
  await at.look();

  await button(page, 'הוספת מוזמן').first().click();
  const name = page.locator('[data-path=name]');
  await page.locator('form button[type=submit]').first().click();
  await page.locator('[data-path=name][aria-invalid=true]').waitFor();
  await name.fill('נועה כהן');
  await page.locator('[data-path=phone]').fill('050-123-4567');
  await page.reload();
  assert.equal(await name.inputValue(), 'נועה כהן');
  await at.look();
  await button(page, 'הוספה, ועוד אחד').click();
  await until(async () => (await name.inputValue()) === '');
  // What is told of the one before is not in the way of the next.
  await page.getByText(/נועה כהן. ברשימה/).waitFor();
  assert.equal(await isOnTop(button(page, 'הוספה')), true);
  await name.fill('Dana');
  await button(page, 'הוספה').click();
  await row(page, 'Dana').waitFor();
  assert.deepEqual(
    (await guestsAt(session, guests)).map(({ name, phone }) => [name, phone]),
    [
      ['Dana', null],
      ['נועה כהן', '+972501234567'],
    ],
  );
  await closed(page);
  await at.look();

  // What is answered elsewhere is seen here by itself.
  const [dana] = await guestsAt(session, guests);
  await session.call('PUT', `${guests}/${dana?.id}`, { body: { rsvp_status: 'maybe' } });
  await row(page, 'Dana').getByText('מתלבטים').waitFor();

  await row(page, 'Dana').getByRole('button', { name: 'התשובה של' }).click();
  await page.getByRole('menuitem', { name: 'לא מגיעים' }).click();
  await row(page, 'Dana').getByText('לא מגיעים').waitFor();
  await row(page, 'נועה').getByRole('button', { name: 'כמה הוזמנו' }).click();
  const party = page.getByRole('dialog').getByRole('textbox');
  await party.fill('4');
  await party.press('Enter');
  await until(async () => {
    const [first, second] = await guestsAt(session, guests);
    return first?.rsvp_status === 'declined' && second?.party_size === 4;
  });

  await page.getByRole('link', { name: 'נועה כהן' }).click();
  assert.equal(await page.locator('[data-path=phone]').inputValue(), '050-123-4567');
  await page.locator('[data-path=note]').fill('ליד הבמה');
  await page.locator('[data-path=tags]').fill('משפחה');
  await page.locator('[data-path=tags]').press('Enter');
  await page.getByRole('button', { name: 'קוד QR' }).click();
  await page.getByRole('img', { name: /קוד QR/ }).waitFor();
  assert.match(
    (await page.getByRole('link', { name: /WhatsApp/ }).getAttribute('href')) ?? '',
    /wa\.me\/9725/,
  );
  await at.look();
  await button(page, 'שמירה').click();
  await until(async () => {
    const [, noa] = await guestsAt(session, guests);
    return noa?.note === 'ליד הבמה' && String(noa?.tags) === 'משפחה';
  });
  await page.getByText('נוסף לרשימה').waitFor();
  await page.goBack();
  await closed(page);

  // What is told in passing stands before a row, and goes by itself.
  await until(async () => (await page.locator('.mantine-Notification-root').count()) === 0);
  for (const one of ['Dana', 'נועה כהן'])
    await page.getByLabel(new RegExp(`בחירה: .*${one}`)).check({ force: true });
  await page.getByRole('region', { name: 'פעולות על הנבחרים' }).waitFor();
  await at.look();
  await button(page, 'מחיקה').click();
  await page.getByText('עוד אין מוזמנים').waitFor();
  await button(page, 'ביטול').click();
  await row(page, 'Dana').waitFor();
  assert.equal((await guestsAt(session, guests)).length, 2);

  await session.call('DELETE', `${guests}/${dana?.id}`);
  await row(page, 'Dana').waitFor({ state: 'detached' });
  await button(page, 'עוד פעולות').click();
  await page.getByRole('menuitem', { name: 'מוזמנים שנמחקו' }).click();
  await at.look();
  await page.getByRole('button', { name: /שחזור: / }).click();
  await page.getByText('אין מוזמנים שנמחקו.').waitFor();
  assert.equal((await guestsAt(session, guests)).length, 2);
});

testInLane('all guests of a filter are printed, and nothing that is pressed', async () => {
  const server = await sharedServer(ANY_DATABASE);
  const {
    session,
    guests,
    page: path,
  } = await eventWith(server, {
    guests: [{ name: 'Dana', rsvp_status: 'declined' }],
  });
  const lines = Array.from({ length: 300 }, (_, at) => `משפחה ${at},2`);
  const body = ['name,party_size', ...lines].join('\n');
  const imported = await session.call('POST', `${guests}/import`, {
    headers: { 'content-type': 'text/csv' },
    body,
  });
  assert.equal(imported.status, 200, imported.text);
  await using at = await visitConsole(server, { ...LOOKS.phone, colorScheme: 'dark' }, { session, path });
  const { page } = at;
  await page.getByRole('button', { name: /^עוד פתוחים/ }).click();
  await button(page, 'עוד פעולות').click();
  // The print page opens the print dialog by itself.
  await page.evaluate(`window.print = () => { document.documentElement.dataset.printed = 'yes'; }`);
  await page.getByRole('menuitem', { name: 'הדפסת הרשימה המסוננת' }).click();
  await page.locator('[data-printed=yes]').waitFor();
  await at.look();
  const names = await page.locator('tbody tr:not(:last-child) th').allTextContents();
  assert.deepEqual(new Set(names), new Set(lines.map((line) => line.slice(0, -2))));
  assert.equal(names.length, 300);
  assert.match(await page.locator('tbody tr').last().innerText(), /600/);

  await page.emulateMedia({ media: 'print' });
  for (const hidden of await page.locator('header, nav, button, [href="#content"]').all())
    assert.equal(await hidden.isVisible(), false, await hidden.innerHTML());
  await page.locator('html[data-mantine-color-scheme=light]').waitFor();
  // The event's name and date stand above, the Hebrew date with it.
  assert.match(await page.locator('main').innerText(), /חתונה.*2099.*תתנ״ט.*עדן/s);
  await page.emulateMedia({ media: null });
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
});

for (const look of ['phone', 'arabic', 'desk'] as const) {
  testInLane(`the printed list breaks no heading and no answer, on ${look}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    const tags = ['צד כלה - משפחה קרובה', 'חברים של ההורים', 'עבודה של החתן', 'שולחן 12'];
    const { session, page: path } = await eventWith(server, {
      guests: [
        { name: 'ד"ר משה אבו-חצירא ומשפחתו', party_size: 5, phone: '+19175550123', tags },
        { name: 'יעל', phone: '0507776657', tags, rsvp_status: 'declined' },
        { name: 'Sarah & Mike Goldberg', party_size: 2, rsvp_status: 'confirmed', tags },
      ],
    });
    await using at = await visitConsole(server, LOOKS[look], { session, path: `${path}/print` });
    const { page } = at;
    await page.locator('tbody tr').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    // Width of an A4 sheet without its margins.
    await page.setViewportSize({ width: 680, height: 1000 });
    const broken = await page.evaluate(`
      [...document.querySelectorAll('thead th, tbody td:nth-child(3)')].flatMap((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        return new Set([...text.getClientRects()].map(({ top }) => top)).size > 1 ? [cell.textContent] : [];
      })`);
    assert.deepEqual(broken, []);
    if (process.env.SIMCHA_SCREENSHOTS)
      await page.pdf({ format: 'A4', path: `${process.env.SIMCHA_SCREENSHOTS}/guests-${look}.pdf` });
  });
}

testInLane(
  'guests are found, given places beyond the limit, changed in bulk and exported, on a desktop in English',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    const {
      session,
      guests,
      page: path,
    } = await eventWith(server, {
      max_guests: 2,
      guests: [
        { name: 'Anna', party_size: 2, rsvp_status: 'confirmed', tags: ['work'] },
        { name: 'Ben', rsvp_status: 'declined', tags: ['work', 'south'], allergies: 'nuts' },
        { name: 'Chaya', party_size: 2, tags: ['family'], phone: '0501112233' },
      ],
    });
    await using at = await visitConsole(server, LOOKS.desk, { session, path });
    const { page } = at;
    await row(page, 'Anna').waitFor();
    await page.getByText('The event is full').waitFor();
    await at.look();

    // Each filter is in the address, several values at once, and is there again after a reload.
    const names = async () => page.locator('tbody [data-guest]').allTextContents();
    const shows = (...wanted: string[]) => until(async () => String(await names()) === String(wanted));
    await page.getByRole('searchbox').fill('050-111');
    await shows('Chaya');
    assert.match(page.url(), /q=/);
    await page.getByRole('searchbox').fill('');
    await shows('Anna', 'Ben', 'Chaya');
    await page.getByRole('button', { name: /^Coming\s*1/ }).click();
    await page.getByRole('button', { name: /^Not coming\s*1/ }).click();
    await shows('Anna', 'Ben');
    await page.reload();
    await shows('Anna', 'Ben');
    await button(page, 'Filter').click();
    await page.getByLabel(/south/).check();
    await shows('Ben');
    await at.look();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Remove: .*south/ }).click();
    await page.getByRole('button', { name: /^Coming\s*1/ }).click();
    await page.getByRole('button', { name: /^Not coming\s*1/ }).click();
    await shows('Anna', 'Ben', 'Chaya');

    // Over a full event a yes waits, and says so; the organizer seats it knowingly.
    await row(page, 'Chaya').getByRole('button', { name: 'reply' }).click();
    await page.getByRole('menuitem', { name: 'Coming', exact: true }).click();
    await row(page, 'Chaya').getByText('Waiting').waitFor();
    await button(page, 'Give a place anyway').click();
    await row(page, 'Chaya').getByText('Coming', { exact: true }).waitFor();
    assert.equal((await session.call('GET', `${guests}/counts`)).body.counts.people, 4);

    // All who are found at once: what would follow is told before.
    await page.getByLabel('Select all').click({ force: true });
    await button(page, 'Reply').click();
    await page.getByRole('menuitem', { name: 'Not coming' }).click();
    await page.getByText('2 replies will change.').waitFor();
    await at.look();
    await button(page, 'Save').click();
    await until(async () => (await guestsAt(session, guests)).every((one) => one.rsvp_status === 'declined'));
    await page.getByText('2 guests changed.').waitFor();
    await button(page, 'Tag').click();
    await page.getByLabel('Which tag?').and(page.locator('input')).fill('table 3');
    await button(page, 'Add').click();
    await until(async () =>
      (await guestsAt(session, guests)).every(({ tags }) => (tags as string[]).includes('table 3')),
    );

    await button(page, 'More').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Excel (XLSX)' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /\.xlsx$/);
    await button(page, 'More').click();
    const [ofPeople] = await Promise.all([
      page.waitForRequest((request) => request.url().includes('/export?')),
      page.getByRole('menuitem', { name: 'Excel, one row per person' }).click(),
    ]);
    assert.equal(new URL(ofPeople.url()).searchParams.get('rows'), 'people');

    // Changed here and elsewhere at once: side by side, and nothing of either is lost.
    await page.getByRole('link', { name: 'Anna' }).click();
    await page.locator('[data-path=note]').fill('by the door');
    const [anna] = await guestsAt(session, guests);
    const elsewhere = { note: 'by the stage', company: 'Or' };
    await session.call('PUT', `${guests}/${anna?.id}`, { body: elsewhere });
    await button(page, 'Save').click();
    await page.getByText('Someone else changed this while you were editing').waitFor();
    await page.getByRole('radio', { name: 'by the stage' }).waitFor();
    await at.look();
    await button(page, 'Save choices').click();
    await until(async () => {
      const [now] = await guestsAt(session, guests);
      return now?.note === 'by the door' && now?.company === 'Or';
    });
  },
);

testInLane(
  'a list of thousands has its full height, draws only visible rows, and keeps its position while guests are added',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    const { session, guests, page: path } = await eventWith(server, {});
    const rows = Array.from({ length: 3_000 }, (_, n) => `Guest ${String(n).padStart(4, '0')}`);
    const imported = await session.call('POST', `${guests}/import`, {
      headers: { 'content-type': 'text/csv' },
      body: `name\n${rows.join('\n')}\n`,
    });
    assert.equal(imported.status, 200, imported.text);
    await using at = await visitConsole(server, LOOKS.phone, { session, path });
    const { page } = at;
    await row(page, 'Guest 0000').waitFor();
    const top = 'document.elementFromPoint(innerWidth / 2, 120).closest("li")';
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)');
    await until(async () => /Guest 1[45]\d\d/.test(String(await page.evaluate(`${top}?.textContent`))));
    assert.ok((await page.locator('main li').count()) < 60);
    const placeOf = (name: string) =>
      page.evaluate(
        `[...document.querySelectorAll('li')].find((one) => one.textContent.includes('${name}'))?.getBoundingClientRect().top`,
      );
    const [name = ''] = /Guest \d+/.exec(String(await page.evaluate(`${top}.textContent`))) ?? [];
    const before = await placeOf(name);
    for (const one of ['Aaron', 'Abel'])
      assert.equal((await session.call('POST', guests, { body: { name: one } })).status, 201);
    await page.getByRole('status').filter({ hasText: '3,002' }).waitFor();
    assert.equal(await placeOf(name), before);
    await page.evaluate('scrollTo(0, 0)');
    await row(page, 'Aaron').waitFor();
  },
);

testInLane('a viewer sees the guest list, and nothing to change it with', async () => {
  const server = await sharedServer(ANY_DATABASE);
  const { session, path: event, page: path } = await eventWith(server, { guests: [{ name: 'Anna' }] });
  const viewer = await newSession(server);
  const invited = await session.call('POST', `${event}/co-organizers`, {
    body: { email: viewer.email, access: 'view' },
  });
  assert.ok(invited.status < 300, invited.text);
  await using at = await visitConsole(server, LOOKS.desk, { session: viewer, path });
  await row(at.page, 'Anna').waitFor();
  assert.equal(await at.page.getByRole('checkbox').count(), 0);
  assert.equal(await button(at.page, 'Add guest').count(), 0);
  await at.page.getByRole('link', { name: 'Anna' }).click();
  await at.page.locator('[data-path=name]').waitFor();
  assert.ok(await at.page.locator('[data-path=name]').isDisabled());
  await at.look();
});

test('unknown parameters in an address are ignored', () => {
  const given = { q: 50, answer: ['maybe', 'x'], tag: 'a', food: 7, invited: 'yes', order: 'up', add: 1 };
  const { q, answer, tag, ...others } = readGuestSearch(given);
  assert.deepEqual([q, answer, tag], ['50', ['maybe'], ['a']]);
  assert.ok(Object.values(others).every((value) => value === undefined));
});

testInLane(
  'a full event announces its waiting list while replies are open, but not once it is over or cancelled',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    for (const [state, isAwaiting] of [
      ['published', true],
      ['completed', false],
      ['cancelled', false],
    ] as const) {
      const guests = [{ name: 'Dana', rsvp_status: 'confirmed' }];
      const limits = { max_guests: 1, max_plus_ones_buffer: 0 };
      const { session, path: event, page: path } = await eventWith(server, { guests, ...limits });
      if (state !== 'published') await session.call('PUT', event, { body: { status: state } });
      await using at = await visitConsole(server, LOOKS.desk, { session, path });
      const { page } = at;
      await row(page, 'Dana').waitFor();
      const wait = page.getByText('guests who confirm now join the waiting list');
      if (isAwaiting) await wait.waitFor();
      await page.getByText('One guest').first().waitFor();
      assert.equal(await wait.count(), isAwaiting ? 1 : 0, state);
      await page.goto(server.url + path.replace(/guests$/, 'waiting'));
      const over = page.getByText('replies are closed');
      await (isAwaiting ? page.getByText('When the event is full') : over.first()).waitFor();
      assert.equal((await over.count()) > 0, !isAwaiting, state);
      await at.look();
    }
  },
);

testInLane('a guest has several phone numbers, each checked and found', async () => {
  const server = await sharedServer(ANY_DATABASE);
  const others = [
    { name: 'לוי', phone: '054-333-3333' },
    { name: 'כהן', phone: '050-111-1111' },
  ];
  const { session, guests, page: path } = await eventWith(server, { guests: others });
  const cohen = (await guestsAt(session, guests)).find(({ name }) => name === 'כהן');
  await using at = await visitConsole(server, LOOKS.phone, { session, path: `${path}?guest=${cohen?.id}` });
  const { page } = at;
  await button(page, 'עוד טלפון או מייל').click();
  const phones = page.locator('[data-path=other_phones]');
  await phones.fill('03-555-1234');
  await phones.press('Enter');
  await phones.fill('0543333333');
  await phones.press('Enter');
  await at.look();
  const submit = page.locator('form button[type=submit]').first();
  await submit.click();
  await page.getByText(/כבר רשום אצל אורח אחר: לוי\./).waitFor();
  await phones.press('Backspace');
  await submit.click();
  await until(async () => {
    const found = (await guestsAt(session, guests)).find(({ name }) => name === 'כהן');
    return JSON.stringify(found?.other_phones) === '["+97235551234"]';
  });
});
