import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { GROUPS, SECTIONS, type Section } from '../../web/src/features/sites/api/sections.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession, type TestSession } from '../support/sessions.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { visitConsole } from './console.ts';
import { LOOKS, looksOf } from './looks.ts';

interface UserSite {
  server: SharedServer;
  session: TestSession;
  /** Name of the site in addresses. */
  name: string;
}

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file' };

/** Site of a new user, which is not deployed. */
async function newUserSite(): Promise<UserSite> {
  const server = await sharedServer(ANY_DATABASE, SETTINGS);
  const session = await newSession(server);
  const body = { name: 'The menu', repository: 'file:///nowhere/menu.git' };
  const { subdomain } = (await session.call('POST', '/api/v1/applications', { body })).body;
  return { server, session, name: subdomain };
}

async function openSection(page: Page, name: string, { to }: Section): Promise<void> {
  const group = GROUPS.find(({ sections }) => sections.some((one) => one.to === to));
  for (const path of [group?.sections[0].to ?? to, to])
    await page
      .locator(`main nav a[href="${path.replace('$name', name)}"]`)
      .last()
      .click();
}

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  test(`a user moves between planning and sites, and returns to the same place, on a ${look}`, async () => {
    const { server, session, name } = await newUserSite();
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
  const { server, session, name } = await newUserSite();
  await using at = await visitConsole(server, LOOKS.phone, { session, path: `/sites/${name}` });
  const { page } = at;
  const bar = page.getByRole('navigation', { name: 'מדורי האתר' });
  await bar.waitFor();
  assert.equal(await bar.getByRole('link').count(), GROUPS.length);
  for (const section of SECTIONS) {
    await openSection(page, name, section);
    await page.waitForURL(`**${section.to.replace('$name', name)}`);
    await page.locator('#content h2').first().waitFor();
    assert.equal(await bar.locator('[aria-current]').count(), 1);
    await at.look();
  }
});
