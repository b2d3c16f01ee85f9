import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  EVENING,
  isAskingForNames,
  type KindDefaults,
  valuesWithKind,
} from '../../web/src/features/events/components/event-kind.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { until } from '../support/until.ts';
import { visitSignedIn } from './console.ts';
import { LOOKS, looksOf } from './looks.ts';

const WORDS = {
  desk: {
    wedding: 'Wedding',
    filter: 'Bring more people than the invitation allows',
    one: 'One guest brings more people than the invitation allows',
    bulk: 'Plus-ones',
    set: 'Set',
    asEvent: 'As the event (1)',
    invitation: 'The invitation is for 2 people, and one more may come along',
  },
  phone: {
    wedding: 'חתונה',
    filter: 'מגיעים יותר מהכתוב בהזמנה',
    one: 'מוזמן אחד מביא יותר אנשים מהכתוב בהזמנה',
    bulk: 'מלווים',
    set: 'לקבוע',
    asEvent: 'לפי האירוע (1)',
    invitation: 'ההזמנה לשניים, ואפשר להביא עוד אדם אחד',
  },
};

for (const name of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[name];
  test(`a wedding limits plus-ones, and those who bring more are found and changed, on a ${name}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS[name], '/events/new');
    const { page, session } = at;
    await page.locator('[data-path=title]').fill('Noa and Itay');
    await page.locator('[data-path=kind]').click();
    await page.getByRole('option', { name: words.wedding }).click();
    await until(async () => (await page.locator('[data-path=plus_ones_each]').inputValue()) === '1');
    await page.locator('[data-dates-input]').click();
    for (let month = 0; month < 4; month += 1) await page.locator('[data-direction=next]').first().click();
    await page.locator('table button:not([data-outside])').nth(15).click();
    await page.locator('[data-path=venue_name]').fill('Eden');
    await at.look();
    await page.locator('main button[type=submit]').first().click();
    await page.waitForURL(/\/events\/[0-9a-f-]{36}$/);
    const path = new URL(page.url()).pathname;
    const call = (method: string, under: string, body?: object) =>
      session.call(method, `/api${path}${under}`, body && { body });
    assert.equal((await call('GET', '/rsvp')).body.settings.plus_ones_each, 1);

    const many = ['אחד', 'שתיים', 'שלוש', 'ארבע'];
    const over = { rsvp_status: 'confirmed', coming: 5, over_limit: true };
    for (const guest of [{ name: 'Cohen', party_size: 2, tags: many, ...over }, { name: 'Dana' }])
      assert.equal((await call('POST', '/guests', guest)).status, 201);
    await page.getByRole('link', { name: words.one }).waitFor();
    await page.goto(`${server.url}/today`);
    await page.getByRole('link', { name: words.one }).waitFor();
    await at.look();
    await page.getByRole('link', { name: words.one }).click();
    const row = (guest: string) => page.locator('main li, main tr', { hasText: guest });
    await row('Cohen').waitFor();
    await until(async () => (await row('Dana').count()) === 0);
    // A plus sign beside a guest would read as plus-ones.
    assert.ok(!(await row('Cohen').innerText()).includes('+'));
    await page.getByText(words.filter, { exact: true }).waitFor();
    await at.look();

    await row('Cohen').locator('label').first().click();
    await page.getByRole('button', { name: words.bulk, exact: true }).click();
    const popover = page.getByRole('dialog');
    await popover.getByRole('button', { name: words.asEvent }).waitFor();
    await popover.getByRole('textbox').fill('3');
    await at.look();
    await popover.getByRole('button', { name: words.set, exact: true }).click();
    await until(async () => (await call('GET', '/guests')).body.guests[0].max_plus_ones === 3);

    await page.goto(`${server.url}${path}/invitation?part=answers`);
    await page.locator('[data-path=plus_ones_each]').waitFor();
    // On a phone the preview is a page of its own.
    if (name === 'desk') await page.frameLocator('iframe').getByText(words.invitation).waitFor();
    await at.look();
  });
}

test('the kind of event sets defaults, and leaves what was typed', () => {
  const empty: KindDefaults = { kind: null, ...EVENING };
  const shown = ({ time, plus_ones_each }: KindDefaults) => [time, plus_ones_each];
  const wedding = valuesWithKind(empty, 'wedding');
  assert.deepEqual(shown(empty), ['19:30', 0]);
  assert.deepEqual(shown(wedding), ['19:30', 1]);
  assert.deepEqual(shown(valuesWithKind(wedding, 'brit')), ['10:00', 0]);
  assert.deepEqual(shown(valuesWithKind(wedding, null)), ['19:30', 0]);
  const typed = { ...wedding, time: '18:00', plus_ones_each: 3 };
  assert.deepEqual(shown(valuesWithKind(typed, 'conference')), ['18:00', 3]);
  assert.deepEqual(
    [isAskingForNames('conference'), isAskingForNames('wedding'), isAskingForNames(null)],
    [true, false, false],
  );
});
