import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession, type TestSession } from '../support/sessions.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitSignedIn } from './console.ts';
import { buttonNamed } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

const WORDS = {
  phone: {
    write: 'הודעה חדשה',
    get: 'שני מוזמנים יקבלו',
    getOne: 'מוזמן אחד יקבל',
    why: '1 אין כתובת מייל',
    own: 'מחכים לכם בכיליון עיניים!',
    some: 'רק לחלק',
    coming: 'מגיעים',
    all: 'לכל מי שזה נוגע להם',
    send: 'שליחה לשני מוזמנים',
    sent: 'נשלחה',
    later: 'במועד אחר',
    planned: 'מתוזמנת',
    move: 'שינוי ההודעה או המועד',
    save: 'שמירה',
    choose: 'שמירת הבחירה',
    mine: 'הגרסה שלכם',
    callOff: 'ביטול השליחה',
    off: 'ביטלתם את השליחה.',
    set: 'תזמון',
    tell: 'לכתוב להם',
    change: 'שינוי בתאריך או במקום',
    arabic: 'العربية',
  },
  desk: {
    write: 'New message',
    get: '2 guests get it',
    getOne: 'One guest gets it',
    why: '1 without an email address',
    own: 'We can’t wait to see you!',
    some: 'Only some',
    coming: 'Coming',
    all: 'Everybody it concerns',
    send: 'Send to 2 guests',
    sent: 'Sent',
    later: 'At a later time',
    planned: 'Scheduled',
    move: 'Edit text or time',
    save: 'Save',
    choose: 'Save choices',
    mine: 'Your version',
    callOff: 'Cancel message',
    off: 'Cancelled by an organizer.',
    set: 'Schedule',
    tell: 'Write message',
    change: 'New date or venue',
    arabic: 'العربية',
  },
} as const;

/** An event that can be written about, with these guests. */
async function newEvent({ call }: TestSession, guests: readonly object[]): Promise<string> {
  const body = { title: 'Gala', event_date: '2099-06-15T19:30', venue_name: 'Here' };
  const { id } = (await call('POST', '/api/events', { body })).body.event;
  assert.equal((await call('PUT', `/api/events/${id}`, { body: { status: 'published' } })).status, 200);
  for (const guest of guests)
    assert.equal((await call('POST', `/api/events/${id}/guests`, { body: guest })).status, 201);
  return id;
}

const GUESTS = [
  { name: 'אבי בלי כתובת', phone: '050-1234567' },
  { name: 'דוד כהן', email: 'david@example.com' },
  { name: 'ليلى خوري', email: 'layla@example.com', language: 'arabic' },
  { name: 'Noa Levi', email: 'noa@example.com', rsvp_status: 'confirmed' },
];

for (const name of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[name];
  test(`a message is written, previewed, sent and followed, on a ${name}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS[name]);
    const { page, session } = at;
    const id = await newEvent(session, GUESTS);
    const rounds = async () => (await session.call('GET', `/api/events/${id}/rounds`)).body.rounds;
    await page.goto(`${server.url}/events/${id}`);
    await page.locator('nav a[href$="/messages"]').click();
    await page.getByRole('link', { name: words.write }).waitFor();
    await at.look();
    await page.getByRole('link', { name: words.write }).click();

    await page.getByText(words.get).waitFor();
    await page.getByText(words.why).waitFor();
    await page.locator('[data-path=message_hebrew]').fill(words.own);
    const screen = page.locator('main [role=group][tabindex="0"]');
    await screen.getByText(words.own).waitFor();
    // What is typed goes by its own direction, on a page of either.
    const bidi = "getComputedStyle(document.querySelector('[data-path=message_hebrew]')).unicodeBidi";
    assert.equal(await page.evaluate(bidi), 'plaintext');
    // To whom stands in the address, the words are kept in the tab.
    await page.getByText(words.some, { exact: true }).click();
    await page.getByText(words.coming, { exact: true }).click();
    await page.getByText(words.getOne).waitFor();
    await page.reload();
    await page.getByText(words.getOne).waitFor();
    assert.equal(await page.locator('[data-path=message_hebrew]').inputValue(), words.own);
    await screen.getByText(words.own).waitFor();
    await at.look();
    await page.getByText(words.all, { exact: true }).click();
    await page.getByText(words.get).waitFor();
    // The other language's letter.
    await page.getByRole('radio', { name: words.arabic }).check({ force: true });
    await screen.getByText('ليلى خوري').waitFor();
    assert.deepEqual(await rounds(), []);

    await page.getByRole('button', { name: words.send }).click();
    await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/);
    await page.getByText(words.sent, { exact: true }).first().waitFor();
    // Who could not get it stands apart, with the ways to them.
    await page.locator('a[href*="from="]').first().waitFor();
    await page.locator('main li').getByText('אבי בלי כתובת').waitFor();
    await at.look();
    const [round] = await rounds();
    assert.deepEqual(
      [round.kind, round.message, round.chosen, round.left_out],
      ['invitation', { hebrew: words.own }, 2, { answered: 1, no_email: 1 }],
    );
  });

  testInLane(
    `a message is scheduled, moved and cancelled, and a change of venue is announced, on a ${name}`,
    async () => {
      const server = await sharedServer(ANY_DATABASE);
      await using at = await visitSignedIn(server, LOOKS[name]);
      const { page, session } = at;
      const id = await newEvent(session, GUESTS);
      const rounds = async () => (await session.call('GET', `/api/events/${id}/rounds`)).body.rounds;
      await page.goto(`${server.url}/events/${id}/messages/new?kind=message`);
      // It wants words first, and is led to them.
      await page.locator('main button[type=submit]').click();
      await page.locator('[data-path=message_hebrew][aria-invalid=true]').waitFor();
      await page.keyboard.type(words.own);
      await page.getByText(words.later, { exact: true }).click();
      await page.locator('[data-path=date]').click();
      await page.locator('[data-direction=next]').first().click();
      await page.locator('table button:not([data-outside])').nth(15).click();
      await page.getByRole('button', { name: words.set }).click();
      await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/);
      await page.getByText(words.planned, { exact: true }).waitFor();
      const [planned] = await rounds();
      assert.equal(planned.state, 'scheduled');
      /** A press while what was saved is on its way would close the form rather than open it. */
      const move = () => page.getByRole('button', { name: words.move, expanded: false }).click();
      await move();
      const time = page.locator('input[data-path=time]');
      await time.fill('1145');
      await page.locator('[data-path=message_hebrew]').fill('שעה אחרת, אותה שמחה');
      await time.blur();
      assert.equal(await time.inputValue(), '11:45');
      await page.reload();
      assert.equal(await time.inputValue(), '11:45');
      // Somebody else was faster: that is said, and what was typed stands beside what is there now.
      const path = `/api/events/${id}/rounds/${planned.id}`;
      const earlier = `${planned.send_at.slice(0, 10)}T08:30`;
      assert.equal((await session.call('PUT', path, { body: { send_at: earlier } })).status, 200);
      await buttonNamed(page, words.save).click();
      await page.getByText('08:30').last().waitFor();
      await at.look();
      assert.equal(await page.getByText(words.mine).count(), 1);
      await buttonNamed(page, words.choose).click();
      await page.locator('main').getByText('11:45').first().waitFor();
      // What was chosen is seen before it is stored.
      await until(async () => (await rounds())[0].message.hebrew === 'שעה אחרת, אותה שמחה');
      const [moved] = await rounds();
      assert.equal(Date.parse(moved.send_at) - Date.parse(planned.send_at), 105 * 60_000);
      assert.equal(moved.message.hebrew, 'שעה אחרת, אותה שמחה');
      // What two change in fields of their own is put together, at one press.
      await move();
      await page.locator('[data-path=message_hebrew]').fill('שעה אחרת, מקום אחר');
      assert.equal((await session.call('PUT', path, { body: { send_at: earlier } })).status, 200);
      await buttonNamed(page, words.save).click();
      await until(async () => (await rounds())[0].message.hebrew === 'שעה אחרת, מקום אחר');
      assert.match((await rounds())[0].send_at, /T0[56]:30/);
      await page.locator('main').getByText('08:30').first().waitFor();
      // A time that is none is said at its field, and nothing is sent.
      await move();
      await time.fill('25:00');
      await buttonNamed(page, words.save).click();
      await page.locator('input[data-path=time][aria-invalid=true]').waitFor();
      await at.look();
      assert.match((await rounds())[0].send_at, /T0[56]:30/);
      await page.getByRole('button', { name: words.callOff }).click();
      await at.look();
      await page.getByRole('group').getByRole('button', { name: words.callOff }).click();
      await page.getByText(words.off).waitFor();
      assert.equal((await rounds())[0].state, 'called_off');

      // Who was invited is to hear that the place is another.
      await session.call('POST', `/api/events/${id}/rounds`, { body: { filter: {} } });
      await session.call('PUT', `/api/events/${id}`, { body: { venue_name: 'There' } });
      await page.goto(`${server.url}/events/${id}/messages`);
      const tell = page.getByRole('link', { name: words.tell });
      await tell.waitFor();
      await at.look();
      await tell.click();
      await page.waitForURL('**/new?kind=change');
      await page.getByText('There').first().waitFor();
      assert.equal(await page.getByRole('combobox').first().inputValue(), words.change);
    },
  );
}

testInLane('automatic messages are switched off and on, on an Arabic phone', async () => {
  const server = await sharedServer(ANY_DATABASE);
  await using at = await visitSignedIn(server, LOOKS.arabic);
  const { page, session } = at;
  const id = await newEvent(session, GUESTS);
  const notices = async () => (await session.call('GET', `/api/events/${id}/notices`)).body.notices;
  await page.goto(`${server.url}/events/${id}/messages`);
  const declined = page.getByRole('switch', { name: 'رُفض الطلب' });
  await declined.waitFor();
  await at.look();
  await declined.uncheck({ force: true });
  await until(async () => (await notices()).declined === false);
  assert.equal((await notices()).accepted, true);
  await page.reload();
  await declined.waitFor();
  assert.equal(await declined.isChecked(), false);
  // The day after the event is offered for thanks.
  await page.goto(`${server.url}/events/${id}/messages/new`);
  await page.getByRole('combobox').first().click();
  await page.getByRole('option', { name: 'شكرًا لحضوركم' }).click();
  await page.getByText('16 حزيران 2099').waitFor();
  await at.look();
});

testInLane('a viewer sees the sent messages, and no buttons', async () => {
  const server = await sharedServer(ANY_DATABASE);
  await using at = await visitSignedIn(server, LOOKS.desk);
  const owner = await newSession(server);
  const id = await newEvent(owner, GUESTS);
  const shared = { email: at.session.email, access: 'view' };
  await owner.call('POST', `/api/events/${id}/co-organizers`, { body: shared });
  await owner.call('POST', `/api/events/${id}/rounds`, { body: { filter: {} } });
  await at.page.goto(`${server.url}/events/${id}/messages`);
  await at.page.locator(`main a[href^="/events/${id}/messages/"]`).waitFor();
  await until(async () => (await at.page.locator('.mantine-Skeleton-root').count()) === 0);
  assert.equal(await at.page.locator('main').getByRole('button').count(), 0);
  assert.equal(await at.page.locator('a[href$="/messages/new"]').count(), 0);
  assert.equal(await at.page.getByRole('alert').count(), 0);
  await at.page.goto(`${server.url}/events/${id}/messages/new`);
  await at.page.getByText('Messages are sent by those who can edit it').waitFor();
  assert.equal(await at.page.locator('form').count(), 0);
  await at.look();
});

testInLane('guests who were invited before are left out by one press', async () => {
  const server = await sharedServer(ANY_DATABASE);
  await using at = await visitSignedIn(server, LOOKS.phone);
  const { page, session } = at;
  const id = await newEvent(session, GUESTS);
  const body = { filter: {}, channel: 'by_hand' };
  const { round } = (await session.call('POST', `/api/events/${id}/rounds`, { body })).body;
  const { guest } = (await session.call('POST', `/api/events/${id}/rounds/${round.id}/next`)).body;
  await session.call('POST', `/api/events/${id}/rounds/${round.id}/guests/${guest.guest_id}/told`);
  await session.call('PUT', `/api/events/${id}/guests/${guest.guest_id}`, {
    body: { email: 'avi@example.com' },
  });
  await page.goto(`${server.url}/events/${id}/messages/new`);
  await page.getByText('3 מוזמנים יקבלו').waitFor();
  await page.getByText('אורח אחד שכבר הוזמן יקבל הזמנה נוספת.').waitFor();
  await at.look();
  await page.getByRole('button', { name: 'לשלוח רק למי שעוד לא הוזמנו' }).click();
  await page.getByText(WORDS.phone.get).waitFor();
  assert.equal(await page.getByRole('radio', { name: 'עוד לא' }).isChecked(), true);
  assert.equal(await page.getByText('אורח אחד שכבר הוזמן').count(), 0);
});

testInLane(
  'guests whom a message did not reach come first, with the reason, and are contacted in another way; others are searched for',
  async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS.desk);
    const { page, session, context } = at;
    const id = await newEvent(session, GUESTS);
    const { round } = (await session.call('POST', `/api/events/${id}/rounds`, { body: { filter: {} } })).body;
    const { guests } = (await session.call('GET', `/api/events/${id}/rounds/${round.id}/guests`)).body;
    const layla = guests.find(({ name }: { name: string }) => name === 'ليلى خوري');
    // As a mail server would have refused the one by name.
    await context.route(/\/guests\?.*delivery=bounced/, async (route) => {
      const response = await route.fetch();
      const { guests: others, ...rest } = await response.json();
      const refused = { ...layla, delivery: 'bounced', problem: 'No such mailbox.', problem_code: 'refused' };
      await route.fulfill({
        response,
        json: { ...rest, guests: [...others, refused], total: rest.total + 1 },
      });
    });
    await page.goto(`${server.url}/events/${id}/messages/${round.id}`);
    const apart = page.getByRole('region', { name: 'Not reached' });
    const unreached = apart.getByRole('listitem');
    await apart.getByText('One guest has no address').waitFor();
    assert.match((await unreached.first().textContent()) ?? '', /ليلى خوري.*Bounced.*No such mailbox/);
    assert.match((await unreached.getByRole('link').getAttribute('href')) ?? '', new RegExp(layla.guest_id));
    const listed = page.getByRole('region', { name: 'Recipients' }).getByRole('listitem');
    await until(async () => (await listed.count()) === 4);
    await at.look();
    await page.getByRole('combobox', { name: 'Show' }).click();
    await page.getByRole('option', { name: 'Bounced' }).click();
    await page.waitForURL('**?show=bounced');
    await until(async () => (await listed.count()) === 1);
    await page.goto(`${server.url}/events/${id}/messages/${round.id}?q=noa`);
    await listed.getByText('Noa Levi').waitFor();
    await until(async () => (await listed.count()) === 1);

    // To those two alone by hand, of whom one has a number.
    await page.getByRole('link', { name: 'Write on WhatsApp' }).click();
    await page.getByText('2 guests whom the earlier message did not reach').waitFor();
    await page.getByText('1 without a phone').waitFor();
    await at.look();
    await page.getByRole('button', { name: 'Create list of one guest' }).click();
    await page.waitForURL('**/walk');
    await page.getByRole('heading', { name: 'אבי בלי כתובת' }).waitFor();
    const [made] = (await session.call('GET', `/api/events/${id}/rounds`)).body.rounds;
    assert.deepEqual([made.channel, made.chosen, made.left_out], ['by_hand', 1, { no_phone: 1 }]);
  },
);

testInLane('a message is sent once, however often the button is pressed after a lost response', async () => {
  const server = await sharedServer(ANY_DATABASE);
  await using at = await visitSignedIn(server, LOOKS.desk);
  const { page, session, context } = at;
  const id = await newEvent(session, GUESTS);
  await page.goto(`${server.url}/events/${id}/messages/new`);
  let lost = 0;
  await context.route(/\/rounds$/, async (route) => {
    if (route.request().method() !== 'POST' || lost > 4) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: WORDS.desk.send }).click();
  await page.getByRole('alert').waitFor({ timeout: 20_000 });
  await page.locator('main button[type=submit]').click();
  await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/);
  assert.equal((await session.call('GET', `/api/events/${id}/rounds`)).body.total, 1);
});
