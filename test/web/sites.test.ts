import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GROUPS, SECTIONS } from '../../web/src/features/sites/api/sections.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { visitConsole } from './console.ts';
import { LOOKS, looksOf } from './looks.ts';
import { newUserSite, openSiteSection } from './user-site.ts';

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  test(`a user moves between planning and sites, and returns to the same place, on a ${look}`, async () => {
    await using made = await newUserSite();
    const { server, session, name } = made;
    await using at = await visitConsole(server, LOOKS[look], { session, path: '/' });
    const { page } = at;
    const planning = look === 'phone' ? 'תכנון' : 'Planning';
    const sites = look === 'phone' ? 'אתרים' : 'Sites';
    await page.waitForURL('**/events');
    await page.getByRole('link', { name: sites, exact: true }).click();
    await page.locator(`main a[href="/sites/${name}"]`).click();
    await page.waitForURL(`**/sites/${name}`);
    await at.look();
    await page.goto(server.url);
    await page.waitForURL('**/sites');
    await at.look();
    await page.getByRole('link', { name: planning, exact: true }).click();
    await page.waitForURL('**/events');
    await page.getByRole('link', { name: sites, exact: true }).click();
    await page.waitForURL('**/sites');
  });
}

testInLane('on a phone, five groups below the thumb lead to every section of a site', async () => {
  await using made = await newUserSite();
  const { server, session, name } = made;
  await using at = await visitConsole(server, LOOKS.phone, { session, path: `/sites/${name}` });
  const { page } = at;
  const bar = page.getByRole('navigation', { name: 'מדורי האתר' });
  await bar.waitFor();
  assert.equal(await bar.getByRole('link').count(), GROUPS.length);
  for (const section of SECTIONS) {
    await openSiteSection(page, name, section);
    await page.waitForURL(`**${section.to.replace('$name', name)}`);
    await page.locator('#content h2').first().waitFor();
    assert.equal(await bar.locator('[aria-current]').count(), 1);
    await at.look();
  }
});
