import assert from 'node:assert/strict';
import { newSession } from '../support/sessions.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { buttonNamed, newUserEvent, visitAt } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

// An event once more, and how long its guests' data is kept: on a phone in Hebrew, at a desk in English.

const WORDS = {
  phone: {
    duplicate: 'שכפול האירוע',
    make: 'יצירת העותק',
    guests: 'גם המוזמנים',
    copied: 'העותק מוכן, כטיוטה, עם שני מוזמנים.',
    less: 'התרגומים של מה ששיניתם לא הועתקו.',
    save: 'שמירה',
    saved: 'נשמר.',
    choose: 'שמירת הבחירה',
    erase: 'למחוק את הפרטים עכשיו',
    keep: 'חזרה',
    means: 'הקישורים האישיים נסגרים',
    erased: 'נמחקו הפרטים של שני מוזמנים.',
    gone: 'פרטי המוזמנים נמחקו',
    moved: 'המועד או המקום השתנו',
    deadline: 'להזיז גם את היום האחרון לתשובות',
    former: 'מוזמן אחד מכיר רק את הפרטים הקודמים.',
    tell: 'לכתוב להם',
    later: 'בלי הודעה כרגע',
  },
  desk: {
    duplicate: 'Duplicate event',
    make: 'Create copy',
    guests: 'Include guests',
    copied: 'The copy is ready as a draft with 2 guests.',
    less: 'Translations of what you changed were not copied.',
    save: 'Save',
    saved: 'Saved.',
    choose: 'Save choices',
    erase: 'Erase data now',
    keep: 'Go back',
    means: 'Data is erased immediately and everywhere',
    erased: 'The data of 2 guests was erased.',
    gone: 'Guests’ data was erased',
    moved: 'The date or place has changed',
    deadline: 'Move the last day for answers too',
    former: 'One guest knows only the former details.',
    tell: 'Write to them',
    later: 'No message now',
  },
} as const;

async function withGuests() {
  const plan = await newUserEvent();
  for (const name of ['דנה', 'Noam']) {
    const { status } = await plan.session.call('POST', `/api/events/${plan.id}/guests`, { body: { name } });
    assert.equal(status, 201);
  }
  return plan;
}

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  testInLane(`an event is duplicated to another day with its guests, on a ${look}`, async () => {
    const plan = await withGuests();
    const { session, id } = plan;
    const title = { title: { english: 'Noa’s wedding' } };
    await session.call('PUT', `/api/events/${id}/invitation`, { body: title });
    await using at = await visitAt(plan, look, 'details');
    const { page } = at;
    await buttonNamed(page, words.duplicate).click();
    await page.waitForURL('**duplicate=true');
    const form = page.locator('form').filter({ has: buttonNamed(page, words.make) });
    await buttonNamed(page, words.make).click();
    await page.locator('[data-path=copy_date]:focus').waitFor();
    await form.locator('[data-path=copy_title]').fill('החתונה של מאיה');
    await form.locator('[data-path=copy_date]').click();
    await page.locator('[data-direction=next]').first().click();
    await page.locator('table button:not([data-outside])').nth(15).click();
    await page.getByRole('checkbox', { name: words.guests }).check({ force: true });
    await page.reload();
    assert.equal(await form.locator('[data-path=copy_title]').inputValue(), 'החתונה של מאיה');
    await at.look();
    await buttonNamed(page, words.make).click();
    await page.getByText(words.copied).waitFor();
    await page.getByText(words.less).waitFor();
    await page.waitForURL((url) => /\/events\/[0-9a-f-]{36}$/.test(url.pathname) && !url.href.includes(id));
    // The page before has a heading too, until it has gone.
    await page.locator('h1', { hasText: 'החתונה של מאיה' }).waitFor();
    await at.look();
    const copy = page.url().slice(-36);
    const { event } = (await session.call('GET', `/api/events/${copy}`)).body;
    assert.deepEqual([event.title, event.status], ['החתונה של מאיה', 'draft']);
    assert.notEqual(event.event_date, '2099-06-15T16:30:00.000Z');
    assert.equal((await session.call('GET', `/api/events/${copy}/guests`)).body.total, 2);
  });

  testInLane(`a moved event asks for its deadline and to tell the guests, on a ${look}`, async () => {
    const plan = await newUserEvent();
    const { session, id } = plan;
    await session.call('PUT', `/api/events/${id}`, { body: { status: 'published' } });
    await session.call('PUT', `/api/events/${id}/rsvp`, { body: { answer_until: '2099-06-01T23:59' } });
    const dana = { name: 'דנה', email: 'dana@example.com' };
    const { guest } = (await session.call('POST', `/api/events/${id}/guests`, { body: dana })).body;
    await session.call('GET', `/api/events/${id}/guests/${guest.id}/link`);
    await using at = await visitAt(plan, look, 'details');
    const { page } = at;
    const deadline = async () =>
      (await session.call('GET', `/api/events/${id}/rsvp`)).body.settings.answer_until;
    const form = page.locator('form').filter({ has: page.locator('[data-path=venue_name]') });
    const dialog = page.getByRole('dialog', { name: words.moved });

    // Another place alone leaves the deadline as it is.
    await page.locator('[data-path=venue_name]').fill('גן אחר');
    await form.getByRole('button', { name: words.save, exact: true }).click();
    await dialog.getByText(words.former).waitFor();
    assert.equal(await dialog.getByRole('checkbox').count(), 0);
    await at.look();
    await dialog.getByRole('button', { name: words.later }).click();
    await dialog.waitFor({ state: 'hidden' });

    await page.locator('[data-path=date]').click();
    await page.locator('[data-direction=next]').first().click();
    await page.locator('table button:not([data-outside])').nth(14).click();
    await form.getByRole('button', { name: words.save, exact: true }).click();
    const box = dialog.getByRole('checkbox', { name: words.deadline });
    await box.waitFor();
    assert.equal(await box.isChecked(), true);
    await at.look();
    assert.equal(await deadline(), '2099-06-01T20:59:00.000Z');
    await dialog.getByRole('button', { name: words.tell }).click();
    await page.waitForURL('**/messages/new?kind=change&channel=mail');
    await page.getByText('15', { exact: false }).first().waitFor();
    assert.equal(await deadline(), '2099-07-01T20:59:00.000Z');
    await at.look();
  });

  testInLane(`the retention of guests’ data is changed, and the data erased, on a ${look}`, async () => {
    const plan = await withGuests();
    const { session, id } = plan;
    const path = `/api/events/${id}/retention`;
    const stored = async () => (await session.call('GET', path)).body.retention;
    await using at = await visitAt(plan, look, 'details');
    const { page } = at;
    const days = page.locator('[data-path=retention_policy_days]').last();
    const save = page.locator('form').filter({ has: days }).getByRole('button', { name: words.save });
    await days.fill('30');
    await save.click();
    await until(async () => (await stored()).retention_policy_days === 30);
    await page.getByText('2099').nth(1).waitFor();
    // Somebody else decides otherwise meanwhile.
    await days.fill('10');
    await session.call('PUT', path, { body: { retention_policy_days: 90 } });
    await save.click();
    await page.getByRole('radio', { name: '90' }).waitFor();
    await at.look();
    await buttonNamed(page, words.choose).click();
    await until(async () => (await stored()).retention_policy_days === 10);
    // Thought better of: the first press does nothing, and one is where one was.
    await buttonNamed(page, words.erase).click();
    await page.getByText(words.means).waitFor();
    await at.look();
    await buttonNamed(page, words.keep).click();
    assert.equal(await page.evaluate('document.activeElement.textContent'), words.erase);
    assert.equal((await stored()).erased_at, null);
    await buttonNamed(page, words.erase).click();
    // The second press is another button's, which comes with what it means.
    await page.getByText(words.means).waitFor();
    await buttonNamed(page, words.erase).click();
    await page.getByText(words.erased).waitFor();
    await page.locator('main').getByText(words.gone).waitFor();
    assert.equal(await buttonNamed(page, words.erase).count(), 0);
    const { guests } = (await session.call('GET', `/api/events/${id}/guests`)).body;
    assert.ok(guests.every(({ name }: { name: string }) => !['דנה', 'Noam'].includes(name)));
    await at.look();
  });
}

testInLane(
  'a co-organizer sees when guests’ data is erased, and can neither erase nor duplicate',
  async () => {
    const { session, id, server } = await newUserEvent();
    const other = await newSession(server);
    const shared = { email: other.email, access: 'edit' };
    await session.call('POST', `/api/events/${id}/co-organizers`, { body: shared });
    await using at = await visitConsole(server, LOOKS.desk, {
      session: other,
      path: `/events/${id}/details`,
    });
    const { page } = at;
    await page.getByText('Guests’ data will be erased on').waitFor();
    for (const name of [WORDS.desk.erase, WORDS.desk.duplicate, 'Delete event'])
      assert.equal(await buttonNamed(page, name).count(), 0);
    await at.look();
  },
);
