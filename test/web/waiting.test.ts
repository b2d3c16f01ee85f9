import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newSession } from '../support/sessions.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { buttonNamed, newUserEvent, type UserEvent, visitAt } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

// Who waits for a place, and who asks to come.

const WORDS = {
  phone: {
    nobody: 'אף אחד לא ממתין',
    linkOff: 'הקישור הפתוח כבוי',
    turnOn: 'להפעלת הקישור הפתוח',
    noPlaces: 'אין מקומות פנויים',
    seat: 'לתת מקום',
    sayNo: 'אין מקום',
    undo: 'ביטול',
    back: 'שוב ברשימת ההמתנה',
    accept: 'אישור',
    decline: 'דחייה',
    declineNow: 'לדחות',
    keep: 'להשאיר פתוח',
    samePhone: 'אותו טלפון',
    answersFor: 'אישור ייחשב כתשובה',
    noRequests: 'אין בקשות פתוחות',
    declined: 'נדחו',
    waiting: 'המתנה',
    open: 'לפרטים',
    wait: 'ממתינים',
  },
  desk: {
    nobody: 'Nobody is waiting',
    linkOff: 'The open link is off.',
    turnOn: 'Turn on the open link',
    noPlaces: 'No places left',
    seat: 'Give a place',
    sayNo: 'Decline',
    undo: 'Undo',
    back: 'at the end of the waiting list again',
    accept: 'Accept',
    decline: 'Decline',
    declineNow: 'Decline request',
    keep: 'Keep open',
    samePhone: 'Same phone',
    answersFor: 'Accepting counts as',
    noRequests: 'No open requests',
    declined: 'Declined',
    waiting: 'Waiting',
    open: 'Open',
    wait: 'wait',
  },
} as const;

async function guest({ session, id }: UserEvent, fields: object) {
  const { status, body, text } = await session.call('POST', `/api/events/${id}/guests`, { body: fields });
  assert.equal(status, 201, text);
  return body.guest;
}

async function openLink({ session, id }: UserEvent): Promise<string> {
  const { body, text } = await session.call('PUT', `/api/events/${id}/rsvp`, { body: { open: true } });
  assert.ok(body.settings?.slug, text);
  return body.settings.slug;
}

/** As the form of the open link does. */
async function askToCome({ server }: UserEvent, slug: string, fields: Record<string, string>) {
  const { status, text } = await server.call('POST', `/e/${slug}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  assert.ok(status < 400, text);
}

const requestsOf = async ({ session, id }: UserEvent) =>
  (await session.call('GET', `/api/events/${id}/guest-requests`)).body.requests;
const guestsOf = async ({ session, id }: UserEvent, query = '') =>
  (await session.call('GET', `/api/events/${id}/guests${query}`)).body.guests;
const publish = ({ session, id }: UserEvent) =>
  session.call('PUT', `/api/events/${id}`, { body: { status: 'published' } });
const lineOf = async (plan: UserEvent) =>
  (await guestsOf(plan, '?status=waiting&order=waiting')).map(({ name }: { name: string }) => name);
const card = (page: Page, name: string) => page.getByRole('article', { name });

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  testInLane(`a waiting guest gets a place or is declined, and both are undone, on a ${look}`, async () => {
    const plan = await newUserEvent({ max_guests: 2 });
    await publish(plan);
    await using at = await visitAt(plan, look, 'waiting');
    const { page } = at;
    await page.getByText(words.nobody).waitFor();
    await at.look();
    await guest(plan, { name: 'אנה', party_size: 2, rsvp_status: 'confirmed' });
    await guest(plan, { name: 'Ben', party_size: 4, rsvp_status: 'confirmed', phone: '050-111-2233' });
    const dana = await guest(plan, {
      name: 'דנה',
      party_size: 3,
      party_children: 1,
      rsvp_status: 'confirmed',
    });
    // Seen without a reload, and counted at the way here.
    await page.getByRole('link', { name: 'דנה' }).waitFor();
    await page.getByText(words.noPlaces).waitFor();
    await page.getByRole('navigation').getByText(words.wait).last().waitFor({ state: 'attached' });
    assert.deepEqual(await page.locator('ol h3').allTextContents(), ['Ben', 'דנה']);
    await at.look();

    await page.getByRole('button', { name: new RegExp(`^${words.seat}: .*Ben`) }).click();
    await until(async () => String(await lineOf(plan)) === 'דנה');
    const [ben] = await guestsOf(plan, '?search=Ben');
    assert.deepEqual([ben.rsvp_status, ben.coming], ['confirmed', 4]);
    await buttonNamed(page, words.undo).click();
    await page.getByText(words.back).waitFor();
    await until(async () => String(await page.locator('ol h3').allTextContents()) === 'דנה,Ben');
    assert.deepEqual(await lineOf(plan), ['דנה', 'Ben']);

    await page.getByRole('button', { name: new RegExp(`^${words.sayNo}: .*דנה`) }).click();
    await until(async () => String(await lineOf(plan)) === 'Ben');
    const told = page.getByRole('alert').filter({ hasText: 'דנה' });
    await told.getByRole('button', { name: words.undo }).click();
    await until(async () => String(await lineOf(plan)) === 'Ben,דנה');
    const [again] = await guestsOf(plan, `?search=${encodeURIComponent('דנה')}`);
    assert.deepEqual([again.coming, again.coming_children], [3, 1]);

    await page.getByText(words.waiting, { exact: true }).first().click();
    await page.waitForURL(/show=waiting/);
    await page.getByRole('link', { name: 'דנה' }).click();
    await page.waitForURL(new RegExp(`guests\\?.*${dana.id}`));
  });

  test(`requests appear live, beside similar guests, and are decided on, on a ${look}`, async () => {
    const plan = await newUserEvent();
    await publish(plan);
    const noa = await guest(plan, { name: 'נועה כהן', phone: '050-123-4567', party_size: 2 });
    await using at = await visitAt(plan, look, 'waiting?show=requests');
    const { page } = at;
    await page.getByText(words.linkOff).waitFor();
    const way = page.getByRole('link', { name: words.turnOn });
    assert.match(
      (await way.getAttribute('href')) ?? '',
      new RegExp(`/events/${plan.id}/invitation\\?part=answers$`),
    );
    await at.look();

    const slug = await openLink(plan);
    const message = 'נשמח לחגוג איתכם!';
    await askToCome(plan, slug, { name: 'נועה', phone: '0501234567', coming: '3', message, vegan: '1' });
    await askToCome(plan, slug, { name: 'Omar', email: 'omar@example.com', coming: '1' });
    await askToCome(plan, slug, { name: 'Zoe', email: 'zoe@example.com', coming: '2' });
    await card(page, 'Zoe').waitFor();
    const first = card(page, 'נועה');
    await first.getByText(message).waitFor();
    await first.getByText(words.samePhone).first().waitFor();
    await first.getByText(words.answersFor).waitFor();
    await first.getByRole('link', { name: 'נועה כהן' }).waitFor();
    await at.look();

    await first.getByRole('button', { name: words.accept }).click();
    await until(async () => (await guestsOf(plan)).length === 1 && (await guestsOf(plan))[0].coming === 3);
    await first.waitFor({ state: 'detached' });
    await card(page, 'Zoe').getByRole('button', { name: words.accept }).click();
    await until(async () => (await guestsOf(plan)).length === 2);

    const omar = card(page, 'Omar');
    await omar.getByRole('button', { name: words.decline }).click();
    await omar.getByRole('button', { name: words.keep }).click();
    await omar.getByRole('button', { name: words.decline }).click();
    await at.look();
    await omar.getByRole('button', { name: words.declineNow }).click();
    await page.getByText(words.noRequests).waitFor();
    assert.deepEqual(
      (await requestsOf(plan)).map(({ name, status }: Record<string, string>) => [name, status]),
      [
        ['נועה', 'accepted'],
        ['Omar', 'declined'],
        ['Zoe', 'accepted'],
      ],
    );
    await page.getByText(words.declined, { exact: true }).click();
    await page.waitForURL(/show=declined/);
    await omar.waitFor();
    assert.equal(await omar.getByRole('button').count(), 0);
    await at.look();
    const told = page.getByRole('alert').filter({ hasText: 'נועה כהן' });
    await told.getByRole('button', { name: words.open }).click();
    await page.waitForURL(new RegExp(`guests\\?.*${noa.id}`));
  });
}

testInLane('all open requests are declined with two presses, and nobody is notified', async () => {
  const plan = await newUserEvent();
  await publish(plan);
  const slug = await openLink(plan);
  for (const name of ['Noa', 'Omar', 'Zoe'])
    await askToCome(plan, slug, { name, email: `${name}@example.com` });
  await using at = await visitAt(plan, 'desk', 'waiting');
  const { page } = at;
  const all = page.getByRole('button', { name: 'Decline all requests (3)' });
  await all.click();
  await page.getByText('Nobody gets a message.', { exact: false }).waitFor();
  await at.look();
  assert.equal((await requestsOf(plan))[0].status, 'waiting');
  await all.click();
  await page.getByText('No open requests').waitFor();
  assert.deepEqual(
    (await requestsOf(plan)).map(({ status }: { status: string }) => status),
    ['declined', 'declined', 'declined'],
  );
});

testInLane('the waiting list is shown in Arabic, and a viewer decides nothing', async () => {
  const plan = await newUserEvent({ max_guests: 1 });
  await publish(plan);
  await guest(plan, { name: 'Anna', rsvp_status: 'confirmed' });
  await guest(plan, { name: 'ליאור', party_size: 2, rsvp_status: 'confirmed' });
  await askToCome(plan, await openLink(plan), { name: 'سامر', phone: '0521234567', coming: '2' });
  const viewer = await newSession(plan.server);
  const path = `/events/${plan.id}/waiting`;
  const body = { email: viewer.email, access: 'view' };
  assert.ok(
    (await plan.session.call('POST', `/api${path.replace('waiting', 'co-organizers')}`, { body })).status <
      300,
  );
  await using at = await visitConsole(plan.server, LOOKS.arabic, { session: viewer, path });
  await card(at.page, 'سامر').waitFor();
  await at.page.getByRole('link', { name: 'ליאור' }).waitFor();
  await at.look();
  assert.equal(await at.page.getByRole('main').getByRole('button').count(), 0);
});
