import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applicationClient } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE, startServer } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { visitConsole } from './console.ts';
import { LOOKS, looksOf } from './looks.ts';

const OPERATOR = 'operator@example.com';
const WORDS = {
  phone: { account: 'חשבון', platform: 'הפלטפורמה' },
  desk: { account: 'Account', platform: 'Platform' },
  arabic: { account: 'الحساب', platform: 'المنصّة' },
};

for (const look of looksOf(import.meta.url, 'phone', 'desk', 'arabic')) {
  test(`an operator reads how the platform is, sets a quota and stops a site (${look})`, async () => {
    const env = { APPS_GIT_PROTOCOLS: 'file', OPERATORS: OPERATOR };
    await using server = await startServer(ANY_DATABASE, { env });
    await using repository = await createRepository({ 'index.html': '<p>here</p>' });
    const owner = await newSession(server);
    const body = { name: 'The menu', repository: repository.address };
    const { application_uuid: uuid, domain } = (await owner.call('POST', '/api/v1/applications', { body }))
      .body;
    const app = applicationClient(owner.call, server.url, uuid, new URL(domain).hostname);
    await app.deploy();
    const session = await newSession(server, OPERATOR);
    await using at = await visitConsole(server, LOOKS[look], { session, path: '/today' });
    const { page } = at;
    const { account, platform } = WORDS[look];
    await page.getByRole('button', { name: account, exact: true }).click();
    await page.getByRole('menuitem', { name: platform }).click();
    await page
      .getByText(app.host.split('.')[0] ?? '')
      .first()
      .waitFor();
    await at.look();

    const developers = page.locator('main section').nth(3);
    await developers.getByRole('button').first().click();
    await developers.getByRole('textbox').first().fill('3');
    await at.look();
    await developers.locator('button[type=submit]').click();
    await developers.getByRole('textbox').first().waitFor({ state: 'detached' });
    assert.equal((await owner.call('GET', '/api/v1/budget')).body.budget.applications, 3);

    const sites = page.locator('main section').nth(2);
    await sites.getByRole('button').first().click();
    await sites.getByRole('status').filter({ hasText: /\S/ }).first().waitFor();
    await at.look();
    await sites.getByRole('button').last().click();
    await sites.getByRole('button').first().waitFor({ state: 'detached' });
    assert.equal((await app.visit()).status, 503);
  });
}
