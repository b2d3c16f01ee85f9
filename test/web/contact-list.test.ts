import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newSession } from '../support/sessions.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { buttonNamed, newUserEvent, type UserEvent, visitAt } from './event-page.ts';
import { LOOKS } from './looks.ts';

// Lists that people go through, by hand and by phone, as they do it.

const GUESTS = [
  { name: 'אבי כהן', phone: '050-1234567', party_size: 2 },
  { name: 'בתיה לוי', phone: '052-1234567', party_size: 4, note: 'דודה של החתן' },
  { name: 'ليلى خوري', phone: '054-1234567', language: 'arabic' },
];

/** A list to go through, of a published event with three guests. */
async function listed(channel: 'by_hand' | 'phone', round: object = {}) {
  const plan = await newUserEvent();
  const { session, id } = plan;
  await session.call('PUT', `/api/events/${id}`, { body: { status: 'published' } });
  for (const body of GUESTS) await session.call('POST', `/api/events/${id}/guests`, { body });
  const body = { filter: {}, channel, ...round };
  const made = await session.call('POST', `/api/events/${id}/rounds`, { body });
  assert.equal(made.status, 202, made.text);
  const path = `/api/events/${id}/rounds/${made.body.round.id}`;
  return {
    ...plan,
    roundId: made.body.round.id as string,
    page: `messages/${made.body.round.id}/walk`,
    round: async () => (await session.call('GET', path)).body.round,
    guests: async () => (await session.call('GET', `${path}/guests`)).body.guests,
    calls: async (guestId: string) =>
      (await session.call('GET', `${path}/guests/${guestId}/calls`)).body.calls,
  };
}

const turn = (page: Page, name: string) =>
  page.getByRole('main').getByRole('heading', { level: 3, name, exact: true });

/** Somebody else who may change the event. */
async function withColleague({ server, session, id }: UserEvent) {
  const colleague = await newSession(server);
  const body = { email: colleague.email, access: 'edit' };
  await session.call('POST', `/api/events/${id}/co-organizers`, { body });
  return colleague;
}

testInLane(
  'guests of a WhatsApp list are contacted on a Hebrew phone: opened, marked as sent, undone, skipped, until the end',
  async () => {
    const list = await listed('by_hand');
    await using at = await visitAt(list, 'phone', list.page);
    const { page, context } = at;
    // Nobody asks WhatsApp itself.
    await context.route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }));
    await turn(page, 'אבי כהן').waitFor();
    await page.getByText('נשארו 3').waitFor();
    await page.getByText('שלום אבי כהן,').waitFor();
    await page.getByText('050-123-4567', { exact: true }).waitFor();
    await at.look();
    const link = page.getByRole('link', { name: 'פתיחת WhatsApp' });
    assert.match((await link.getAttribute('href')) ?? '', /^https:\/\/wa\.me\/972501234567\?text=/);
    assert.equal(await link.getAttribute('target'), '_blank');
    const opened = context.waitForEvent('page');
    await link.click();
    await (await opened).close();
    // The phone may have forgotten the page meanwhile: who is at hand, and that it was opened, are there again.
    await page.reload();
    await turn(page, 'אבי כהן').waitFor();
    assert.equal(await link.getAttribute('data-variant'), 'default');

    await buttonNamed(page, 'שלחתי, הבא בתור').click();
    await turn(page, 'בתיה לוי').waitFor();
    await page.getByText('נשארו שניים').waitFor();
    assert.deepEqual([(await list.round()).sent, (await list.round()).waiting], [1, 2]);
    await at.look();
    await buttonNamed(page, 'ביטול').click();
    await turn(page, 'אבי כהן').waitFor();
    assert.equal((await list.round()).sent, 0);
    await buttonNamed(page, 'אחר כך').click();
    await turn(page, 'בתיה לוי').waitFor();
    await buttonNamed(page, 'שלחתי, הבא בתור').click();
    await turn(page, 'ليلى خوري').waitFor();
    await page.getByText('ليلى خوري').first().waitFor();
    // Cut off, it says so, nothing is told as done, and it goes on by itself.
    await context.setOffline(true);
    await page.getByRole('button', { name: 'שלחתי, הבא בתור' }).click();
    await page.getByText('אין חיבור לרשת', { exact: false }).waitFor();
    await page.getByText('יירשם ברגע שיהיה חיבור', { exact: false }).waitFor();
    await at.look();
    assert.equal((await list.round()).sent, 1);
    await context.setOffline(false);
    // Who was left for later comes last.
    await turn(page, 'אבי כהן').waitFor();
    await buttonNamed(page, 'שלחתי, הבא בתור').click();
    await page.getByRole('heading', { name: 'עברתם על כולם' }).waitFor();
    await at.look();
    assert.deepEqual([(await list.round()).state, (await list.round()).sent], ['sent', 3]);

    // What was noted by mistake is taken back where the guests are listed, too.
    await page.getByRole('link', { name: 'להודעה' }).first().click();
    await page.getByRole('button', { name: /^בעצם לא שלחתי אל .?בתיה/ }).click();
    await page.getByRole('button', { name: /^שלחתי אל .?בתיה/ }).waitFor();
    assert.equal((await list.round()).waiting, 1);
    await at.look();
  },
);

testInLane('two organizers of one contact list never get the same guest', async () => {
  const list = await listed('by_hand');
  const colleague = await withColleague(list);
  await using mine = await visitAt(list, 'phone', list.page);
  await turn(mine.page, 'אבי כהן').waitFor();
  const path = `/events/${list.id}/${list.page}`;
  await using theirs = await visitConsole(list.server, LOOKS.desk, { session: colleague, path });
  await turn(theirs.page, 'בתיה לוי').waitFor();
  await buttonNamed(mine.page, 'שלחתי, הבא בתור').click();
  await turn(mine.page, 'ليلى خوري').waitFor();
  await buttonNamed(theirs.page, 'Sent, next').click();
  await theirs.page.getByRole('heading', { name: 'Nobody to contact right now' }).waitFor();
  await theirs.look();
  await turn(mine.page, 'ليلى خوري').waitFor();
  assert.equal((await list.round()).sent, 2);
});

testInLane(
  'guests are called in English on a desktop, and their replies are noted during the call',
  async () => {
    const list = await listed('phone', { kind: 'reminder' });
    await using at = await visitAt(list, 'desk', list.page);
    const { page, session } = { ...at, session: list.session };
    await turn(page, 'אבי כהן').waitFor();
    assert.equal(await page.getByRole('link', { name: /^Call/ }).getAttribute('href'), 'tel:+972501234567');
    await page.getByRole('button', { name: 'What to say' }).click();
    await page.getByText('אבי כהן,', { exact: false }).first().waitFor();
    // What came of it has to be said.
    await buttonNamed(page, 'Save, next').click();
    await page.getByText('Choose how it went.').waitFor();
    await at.look();
    await page.getByRole('radio', { name: 'We spoke' }).click();
    await page.getByRole('main').getByText('Coming', { exact: true }).click();
    await page.getByLabel('How many are coming?').fill('500');
    await page.getByLabel('Call notes').fill('Comes by bus');
    // What was typed while they speak outlives a reload.
    await page.reload();
    assert.equal(await page.getByLabel('Call notes').inputValue(), 'Comes by bus');
    await page.getByLabel('How many are coming?').fill('2');
    await page.getByLabel('Children among them').fill('1');
    await at.look();
    await buttonNamed(page, 'Save, next').click();
    await turn(page, 'בתיה לוי').waitFor();
    const [avi, batya] = await list.guests();
    const { guest } = (await session.call('GET', `/api/events/${list.id}/guests/${avi.guest_id}`)).body;
    assert.deepEqual([guest.rsvp_status, guest.coming, guest.coming_children], ['confirmed', 2, 1]);
    assert.deepEqual(
      (await list.calls(avi.guest_id)).map(({ outcome, note }: Record<string, string>) => [outcome, note]),
      [['reached', 'Comes by bus']],
    );

    await page.getByText('דודה של החתן').waitFor();
    await page.getByRole('radio', { name: 'Call again' }).click();
    await buttonNamed(page, 'Save, next').click();
    await page.getByText('Choose a day and a time for the next call.').waitFor();
    await page.locator('[data-path=date]').click();
    await page.locator('[data-direction=next]').first().click();
    await page.locator('table button:not([data-outside])').nth(15).click();
    await page.locator('[data-path=time]').fill('2030');
    await at.look();
    await buttonNamed(page, 'Save, next').click();
    await turn(page, 'ليلى خوري').waitFor();
    const [again] = await list.calls(batya.guest_id);
    assert.equal(again.outcome, 'call_again');
    assert.match(again.call_again_at, /T1[78]:30/);
    await page.getByRole('radio', { name: 'No answer' }).click();
    await buttonNamed(page, 'Save, next').click();
    await page.getByRole('heading', { name: 'Nobody to contact right now' }).waitFor();
    await at.look();
    // Each guest's calls stand on the round's page.
    await page.getByRole('link', { name: 'Back to the message' }).first().click();
    await page.getByRole('button', { name: 'One call to ⁨אבי כהן⁩' }).click();
    await page.getByText('Comes by bus').waitFor();
    await at.look();
  },
);

test('a contact list is created in the composer and started, on an Arabic phone', async () => {
  const list = await listed('phone');
  const path = `/events/${list.id}/messages/new`;
  await using at = await visitConsole(list.server, LOOKS.arabic, { session: list.session, path });
  const { page } = at;
  await page.getByRole('combobox', { name: 'القناة' }).click();
  // What is not set up here is not offered, and says who could, in no words of theirs.
  const sms = page.getByRole('option', { name: /^SMS/ });
  await sms.waitFor();
  assert.equal(await sms.getAttribute('data-combobox-disabled'), 'true');
  await page.getByRole('option', { name: /^WhatsApp يدويًا/ }).click();
  await page.getByText('لم تُعدّ رسائل SMS').waitFor();
  assert.equal(await page.getByText(/SMS_URL|WHATSAPP_URL/).count(), 0);
  await page.getByText('ستصل إلى 3 ضيوف').waitFor();
  await at.look();
  await buttonNamed(page, 'قائمة من 3 ضيوف').click();
  await page.waitForURL('**/walk');
  await turn(page, 'אבי כהן').waitFor();
  await at.look();
  await page.goto(`${list.server.url}/events/${list.id}/messages`);
  await page.getByRole('link', { name: 'دعوة' }).first().waitFor();
  await at.look();
  await until(async () => (await list.session.call('GET', `/api/events/${list.id}/rounds`)).body.total === 2);
});

testInLane('a viewer gets no guest to contact, and takes none from the others', async () => {
  const list = await listed('by_hand');
  const viewer = await newSession(list.server);
  const body = { email: viewer.email, access: 'view' };
  await list.session.call('POST', `/api/events/${list.id}/co-organizers`, { body });
  const path = `/events/${list.id}/${list.page}`;
  await using at = await visitConsole(list.server, LOOKS.desk, { session: viewer, path });
  await at.page.getByText('Messages are sent by those who can edit it').waitFor();
  assert.equal(await at.page.getByRole('main').getByRole('button').count(), 0);
  await at.page.getByRole('link', { name: 'Back to the message' }).click();
  await at.page.getByRole('region', { name: 'Recipients' }).getByText('אבי כהן').waitFor();
  assert.equal(await at.page.getByRole('link', { name: /the list/ }).count(), 0);
  assert.equal(await at.page.getByRole('main').getByRole('button').count(), 0);
  await at.look();
});

testInLane('a reply by phone for more people than allowed is asked about on the guest’s card', async () => {
  const list = await listed('phone');
  await list.session.call('PUT', `/api/events/${list.id}/rsvp`, { body: { plus_ones_each: 1 } });
  await using at = await visitAt(list, 'phone', list.page);
  const { page } = at;
  const saysFor = async (people: string) => {
    await page.getByRole('radio', { name: 'דיברנו' }).click();
    await page.getByRole('main').getByText('מגיעים', { exact: true }).click();
    await page.getByLabel('כמה מגיעים?').fill(people);
    await buttonNamed(page, 'שמירה, הבא בתור').click();
  };
  await turn(page, 'אבי כהן').waitFor();
  await saysFor('4');
  await page
    .getByRole('alert')
    .getByText(/אפשר להביא עוד אדם אחד.*עוד לא נרשמה/)
    .waitFor();
  await turn(page, 'אבי כהן').waitFor();
  await at.look();
  await buttonNamed(page, 'לשמור 3 מקומות').click();
  await turn(page, 'בתיה לוי').waitFor();
  await saysFor('6');
  await buttonNamed(page, 'לתת 6 מקומות בכל זאת').click();
  await turn(page, 'ليلى خوري').waitFor();
  const { guests } = (await list.session.call('GET', `/api/events/${list.id}/guests`)).body;
  const coming = guests.map(({ name, coming }: { name: string; coming: number }) => [name, coming]);
  assert.deepEqual(Object.fromEntries(coming), { 'אבי כהן': 3, 'בתיה לוי': 6, 'ليلى خوري': 0 });
});
