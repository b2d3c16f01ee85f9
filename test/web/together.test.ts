import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { SECTIONS } from '../../web/src/features/events/api/sections.ts';
import { campaign } from '../support/campaign.ts';
import { ANY_DATABASE, postgresDatabase, startServer } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { buttonNamed, newUserEvent, openSection, type UserEvent } from './event-page.ts';
import { LOOKS } from './looks.ts';

// The console as a whole: two people at one event, two servers, a server that dies, and those who may only look.

const field = (page: Page, name: string) => page.locator(`[data-path=${name}]`);
const row = (page: Page, name: string) => page.locator('li, tr', { hasText: name });
const section = (page: Page, path: string) => page.locator(`nav a[href$="/${path}"]`).first();

async function share({ server, session, id }: UserEvent, access: 'edit' | 'view') {
  const other = await newSession(server);
  const body = { email: other.email, access };
  const { status, text } = await session.call('POST', `/api/events/${id}/co-organizers`, { body });
  assert.equal(status, 201, text);
  return other;
}

testInLane('a change on an English desktop appears on a Hebrew phone without a reload', async () => {
  const plan = await newUserEvent();
  const { server, session, id } = plan;
  const api = `/api/events/${id}`;
  await session.call('PUT', api, { body: { status: 'published' } });
  const { settings } = (await session.call('PUT', `${api}/rsvp`, { body: { open: true } })).body;
  const { guest: ben } = (await session.call('POST', `${api}/guests`, { body: { name: 'Ben' } })).body;
  const colleague = await share(plan, 'edit');
  await using mine = await visitConsole(server, LOOKS.phone, { session, path: `/events/${id}/guests` });
  await using theirs = await visitConsole(server, LOOKS.desk, {
    session: colleague,
    path: `/events/${id}/guests`,
  });
  const [phone, desk] = [mine.page, theirs.page];
  await row(phone, 'Ben').getByText('טרם ענו').waitFor();

  await row(desk, 'Ben').getByRole('button', { name: 'reply' }).click();
  await desk.getByRole('menuitem', { name: 'Coming', exact: true }).click();
  await row(phone, 'Ben').getByText('מגיעים').waitFor();
  await buttonNamed(desk, 'Add guest').click();
  await field(desk, 'name').fill('Dana');
  await buttonNamed(desk, 'Add').click();
  await row(phone, 'Dana').waitFor();
  await phone.getByRole('status').filter({ hasText: 'שני מוזמנים' }).waitFor();

  // Somebody asks to come: it is counted for both, and for both it is done once one has decided.
  const asked = await server.call('POST', `/e/${settings.slug}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ name: 'Omar', email: 'omar@example.com', coming: '1' }).toString(),
  });
  assert.ok(asked.status < 400, asked.text);
  const waits = phone.getByRole('navigation').getByText('אחד ממתין');
  await waits.waitFor({ state: 'attached' });
  await mine.look();
  await section(desk, 'waiting').filter({ hasText: 'One waiting' }).click();
  await desk.getByRole('button', { name: /^Accept: .*Omar/ }).click();
  await waits.waitFor({ state: 'detached' });
  await row(phone, 'Omar').waitFor();
  await theirs.look();
  await section(phone, id).click();
  await phone.getByText('שני אנשים מגיעים').waitFor();
  await section(desk, 'guests').click();
  await row(desk, 'Ben').getByRole('button', { name: 'reply' }).click();
  await desk.getByRole('menuitem', { name: 'Not coming' }).click();
  await phone.getByText('אדם אחד מגיע').waitFor();
  const { counts } = (await session.call('GET', `${api}/guests/counts`)).body;
  assert.deepEqual([counts.rsvp_total, counts.people], [3, 1]);

  // Both write of one guest at once: who comes second chooses, and what only one has written is there as well.
  for (const page of [phone, desk]) await page.goto(`${server.url}/events/${id}/guests?guest=${ben.id}`);
  await field(phone, 'note').fill('ליד הבמה');
  await field(desk, 'note').fill('by the door');
  await field(desk, 'email').fill('ben@example.com');
  await buttonNamed(desk, 'Save').click();
  await desk.getByText('Saved.', { exact: true }).waitFor();
  await buttonNamed(phone, 'שמירה').click();
  await phone.getByRole('radio', { name: 'by the door' }).waitFor();
  await phone.getByRole('radio', { name: 'ליד הבמה' }).waitFor();
  await mine.look();
  await buttonNamed(phone, 'שמירת הבחירה').click();
  const readBen = async () => (await session.call('GET', `${api}/guests/${ben.id}`)).body.guest;
  await until(async () => (await readBen()).note === 'ליד הבמה');
  assert.equal((await readBen()).email, 'ben@example.com');
  await until(async () => (await field(desk, 'note').inputValue()) === 'ליד הבמה');
  // Where each wrote something else there is nothing to choose.
  await field(phone, 'allergies').fill('אגוזים');
  await field(desk, 'note').fill('by the window');
  await buttonNamed(desk, 'Save').click();
  await until(async () => (await readBen()).note === 'by the window');
  await buttonNamed(phone, 'שמירה').click();
  await until(async () => (await readBen()).allergies === 'אגוזים');
  assert.equal((await readBen()).note, 'by the window');
  assert.equal(await phone.getByRole('radio', { name: 'by the window' }).count(), 0);

  // The invitation is the same to both, and neither's words are lost.
  for (const page of [phone, desk]) await page.goto(`${server.url}/events/${id}/invitation`);
  await field(phone, 'hosts_hebrew').fill('נועה ואיתי');
  await field(phone, 'contact_phone').fill('050-123-4567');
  await field(desk, 'hosts_hebrew').fill('משפחת כהן');
  await field(desk, 'contact_email').fill('noa@example.com');
  await buttonNamed(desk, 'Save').click();
  await desk.getByText('Saved.', { exact: true }).waitFor();
  await buttonNamed(phone, 'שמירה').click();
  await phone.getByRole('radio', { name: 'נועה ואיתי' }).waitFor();
  await mine.look();
  await phone.getByRole('radio', { name: 'משפחת כהן' }).click();
  await buttonNamed(phone, 'שמירת הבחירה').click();
  await until(async () => {
    const { invitation } = (await session.call('GET', `${api}/invitation`)).body;
    return invitation.contact_phone === '+972501234567';
  });
  const { invitation } = (await session.call('GET', `${api}/invitation`)).body;
  assert.deepEqual(
    [invitation.hosts, invitation.contact_email],
    [{ hebrew: 'משפחת כהן' }, 'noa@example.com'],
  );
});

testInLane('a reply at one server appears for an organizer at another server', async () => {
  const { url: databaseUrl, drop } = await postgresDatabase('simcha_template');
  const env = { DATABASE_URL: databaseUrl };
  {
    await using first = await startServer('postgres', { env });
    // Mail is in the folder of the server that sends it: signed in while there is one.
    const session = await newSession(first);
    await using second = await startServer('postgres', { env });
    const about = { title: 'החתונה של נועה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
    const { event } = (await session.call('POST', '/api/events', { body: about })).body;
    const api = `/api/events/${event.id}`;
    await session.call('PUT', api, { body: { status: 'published' } });
    const { guest } = (await session.call('POST', `${api}/guests`, { body: { name: 'דנה', party_size: 2 } }))
      .body;
    const { link } = (await session.call('GET', `${api}/guests/${guest.id}/link`)).body;
    await using organizer = await visitConsole(second, LOOKS.desk, { session, path: `/events/${event.id}` });
    await organizer.page.getByText('Nobody has confirmed yet').waitFor();
    await organizer.page.getByText('Live', { exact: true }).waitFor();
    await using guests = await visitConsole(first, LOOKS.phone, { path: new URL(link.url).pathname });
    await guests.page.locator('[name=rsvp_status][value=confirmed]').check();
    await guests.page.locator('form:has([name=rsvp_status]) button').click();
    await organizer.page.getByText('2 people are coming').waitFor();
    await organizer.look();
  }
  await drop();
});

test('the overview no longer asks to invite a guest who has replied, without a reload', async () => {
  const { server, session, id } = await newUserEvent();
  const api = `/api/events/${id}`;
  await session.call('PUT', api, { body: { status: 'published' } });
  const { guest } = (await session.call('POST', `${api}/guests`, { body: { name: 'Dana' } })).body;
  await session.call('POST', `${api}/guests`, { body: { name: 'Gal' } });
  await using at = await visitConsole(server, LOOKS.desk, { session, path: `/events/${id}` });
  await at.page.getByText('Invite 2 guests who are not invited yet').waitFor();
  await at.page.getByText('Live', { exact: true }).waitFor();
  await session.call('PUT', `${api}/guests/${guest.id}`, { body: { rsvp_status: 'confirmed' } });
  await at.page.getByText('Invite one guest who is not invited yet').waitFor();
});

/** An example, with a guest who waits, one who asks to come, a list to go through, and a guest who is gone. */
async function full() {
  const server = await sharedServer(ANY_DATABASE);
  const session = await newSession(server);
  const call = async (method: string, path: string, body?: object) => {
    const answer = await session.call(method, path, body && { body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const { id } = (await call('POST', '/api/example-event')).event;
  const api = `/api/events/${id}`;
  await call('PUT', api, { max_guests: 40 });
  const { guest } = await call('POST', `${api}/guests`, {
    name: 'Ben',
    party_size: 9,
    rsvp_status: 'confirmed',
  });
  const { guest: gone } = await call('POST', `${api}/guests`, { name: 'Zoe' });
  await call('DELETE', `${api}/guests/${gone.id}`);
  const { settings } = await call('PUT', `${api}/rsvp`, { open: true });
  await server.call('POST', `/e/${settings.slug}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ name: 'Omar', email: 'omar@example.com', coming: '1' }).toString(),
  });
  const { round } = await call('POST', `${api}/rounds`, { filter: {}, channel: 'by_hand' });
  const { bookings } = await call('GET', `${api}/bookings`);
  const { questions } = await call('GET', `${api}/questions`);
  /** What is opened from a section, each at an address of its own. */
  const opened: Record<string, string[]> = {
    invitation: ['?part=answers', '?part=agenda', '?part=look'],
    guests: [`?guest=${guest.id}`, '?add=true', '/deleted', '/import'],
    waiting: ['?show=requests'],
    questions: ['?view=numbers', '?view=caterer', `?question=${questions[0].id}`, '?question=new'],
    messages: [`/${round.id}`, `/${round.id}/walk`, '/new'],
    vendors: [`?booking=${bookings[0].id}`],
    details: ['?duplicate=true'],
  };
  return { server, session, id: id as string, opened };
}

const CONTROLS =
  ':is(main, [role=dialog]) :is(button:not([tabindex="-1"]), [role=switch], [type=radio]):not(:disabled)';
/** Of so many controls one is pressed. */
const PRESSED = campaign(7, 1);
/** What a form needs to be sent at all. */
const TYPED = { email: 'somebody@example.com', retention_policy_days: '45' };
/** The event is gone by one press, which is theirs to do; and a browser that prints is slow for good. */
const LEFT_ALONE = ['להסיר אותו', 'מחיקת האירוע', 'הדפסה'];

for (const who of campaign(['who may only look'], ['who may only look', 'the owner of a cancelled event'])) {
  testInLane(
    `${who} opens every page on a Hebrew phone: no error is logged, and no offered button is refused`,
    async () => {
      const plan = await full();
      const { server, id } = plan;
      const isViewer = who === 'who may only look';
      const session = isViewer ? await share(plan, 'view') : plan.session;
      if (!isViewer) await plan.session.call('PUT', `/api/events/${id}`, { body: { status: 'cancelled' } });
      await using at = await visitConsole(server, LOOKS.phone, { session, path: `/events/${id}` });
      const { page } = at;
      const asked = new Set<Request>();
      const refused: string[] = [];
      page.on('request', (request) => {
        if (!request.url().endsWith('/stream')) asked.add(request);
      });
      page.on('requestfailed', (request) => asked.delete(request));
      page.on('requestfinished', async (request) => {
        const status = (await request.response())?.status() ?? 0;
        // A story tells of guests who are gone, too.
        const isMissed = status === 404 && request.method() === 'GET';
        if (status >= 400 && !isMissed) refused.push(`${status} ${request.method()} ${request.url()}`);
        asked.delete(request);
      });
      const isQuiet = async () => {
        await page.locator('h1').waitFor();
        await until(
          async () => asked.size === 0 && (await page.locator('.mantine-Skeleton-root').count()) === 0,
        );
      };
      const controls = page.locator(CONTROLS);
      let seen = 0;
      /** Presses all that can be pressed on a page and was not in its section before, each as the page was first. */
      const pressAll = async (path: string, pressed: Set<string>) => {
        const count = await controls.count();
        for (let turn = 0; turn < count; turn += 1) {
          for (const [name, value] of Object.entries(TYPED)) {
            const typed = page.locator(`main [data-path=${name}]:not(:disabled)`);
            if ((await typed.count()) > 0) await typed.fill(value);
          }
          const control = controls.nth(turn);
          const names = await Promise.all([
            control.getAttribute('aria-label'),
            control.getAttribute('value'),
            control.textContent(),
          ]);
          const name = names.find((one) => one) ?? `${turn} at ${path}`;
          if (LEFT_ALONE.includes(name) || pressed.has(name)) continue;
          pressed.add(name);
          seen += 1;
          if (seen % PRESSED !== 0) continue;
          await control.dispatchEvent('click');
          await isQuiet();
          assert.deepEqual(refused, [], `${name} at ${path}`);
          if (page.url() === server.url + path && (await controls.count()) === count) continue;
          await page.goto(server.url + path);
          await isQuiet();
        }
      };
      assert.equal(SECTIONS.length, 11);
      for (const one of SECTIONS) {
        const section = one.to.replace('$eventId', id);
        await openSection(page, id, one);
        const parts = plan.opened[section.split('/')[3] ?? ''] ?? [];
        const pressed = new Set<string>();
        for (const path of [section, ...parts.map((part) => section + part)]) {
          if (path !== section) await page.goto(server.url + path);
          await page.waitForURL(server.url + path);
          await isQuiet();
          assert.deepEqual(refused, [], path);
          assert.deepEqual(await page.getByRole('alert').allTextContents(), [], path);
          await at.look();
          await pressAll(path, pressed);
        }
        if (parts.length > 0) await page.goto(server.url + section);
      }
    },
  );
}
