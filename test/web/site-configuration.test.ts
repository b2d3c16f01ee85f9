import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startNameServer } from '../support/dns.ts';
import { askGateway } from '../support/gateway.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE, startServer } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { LOOKS } from './looks.ts';

/** Server with a site of a signed-in user, that is live. */
async function newLiveSite() {
  const resources = new AsyncDisposableStack();
  const names = resources.use(await startNameServer());
  const env = { APPS_GIT_PROTOCOLS: 'file', APPS_DNS_SERVERS: names.address };
  const server = resources.use(await startServer(ANY_DATABASE, { env, stays: true }));
  const repository = resources.use(await createRepository({ 'index.html': 'the menu' }));
  execFileSync('git', ['-C', fileURLToPath(repository.address), 'branch', 'feature/seats']);
  const session = await newSession(server);
  const body = { name: 'The menu', subdomain: 'menu', repository: repository.address };
  const { application_uuid: uuid } = (await session.call('POST', '/api/v1/applications', { body })).body;
  const at = `/api/v1/applications/${uuid}`;
  const read = async (path = '') => (await session.call('GET', at + path)).body;
  await session.call('POST', `${at}/volumes`, { body: { name: 'data', path: '/data' } });
  await session.call('POST', `${at}/deploy`);
  await until(async () => (await read()).status === 'live');
  return { names, server, session, read, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

testInLane('a domain is added with its www, awaited, redirected and removed', async () => {
  await using site = await newLiveSite();
  const { names, server, session, read } = site;
  await using at = await visitConsole(server, LOOKS.desk, { session, path: '/sites/menu/domains' });
  const { page } = at;
  await page.getByRole('button', { name: 'Add domain' }).click();
  const field = page.getByLabel('Domain name');
  await field.fill('shop example');
  await field.blur();
  await page.getByText('Enter a name such as www.example.com.').waitFor();
  await field.fill('https://Shop.example/');
  await page.getByLabel('Add ⁨www.shop.example⁩ too, and redirect it here').waitFor();
  await at.look();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const card = page.getByRole('region', { name: 'shop.example', exact: true });
  await card.getByText('Waiting for the record').waitFor();
  await page.getByRole('region', { name: 'www.shop.example' }).waitFor();
  await at.look();

  const { records } = await read('/domains/shop.example');
  assert.equal(await card.locator('code').nth(1).textContent(), records[1].value);
  names.records.set('_simcha.shop.example', { txt: [records[1].value] });
  await card.getByRole('button', { name: 'Check now' }).click();
  await card.getByText('Live').waitFor();

  const sibling = page.getByRole('region', { name: 'www.shop.example' });
  await sibling.getByText('Redirects to').waitFor();
  await sibling.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Redirect to another domain' }).click();
  await sibling.getByLabel('Visitors of this domain').selectOption('');
  await at.look();
  await sibling.getByRole('button', { name: 'Save' }).click();
  await until(async () => (await read('/domains/www.shop.example')).redirect_to === null);
  await sibling.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await at.look();
  await sibling.getByRole('button', { name: 'Remove' }).click();
  await sibling.waitFor({ state: 'detached' });
  assert.equal((await read('/domains')).domains.length, 1);
});

testInLane('a volume is created, backed up, restored and deleted, on a phone', async () => {
  await using site = await newLiveSite();
  const { server, session, read } = site;
  await using at = await visitConsole(server, LOOKS.phone, { session, path: '/sites/menu/volumes' });
  const { page } = at;
  await page.getByRole('button', { name: 'כרך חדש' }).click();
  await page.getByLabel('שם', { exact: false }).first().fill('Uploads');
  await page.getByText('אותיות לטיניות קטנות').waitFor();
  await at.look();
  await page.getByLabel('שם', { exact: false }).first().fill('uploads');
  await page.getByLabel('נתיב').fill('/app/uploads');
  await page.getByRole('button', { name: 'יצירה' }).click();
  await page.getByRole('region', { name: 'uploads' }).waitFor();

  const card = page.getByRole('region', { name: 'data' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('link', { name: 'גיבוי עכשיו' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'menu-data.tar');
  const saved = `${server.dataDir}/backup.tar`;
  await writeFile(saved, await readFile(await download.path()));
  await until(async () => (await read('/volumes/data')).backed_up_at !== null);

  await card.getByRole('button', { name: 'שחזור' }).click();
  await at.look();
  await card.getByRole('button', { name: 'עצירת האתר' }).click();
  await card.getByRole('button', { name: 'עצירת האתר' }).waitFor({ state: 'detached' });
  await card.locator('input[type=file]').setInputFiles(saved);
  await card.getByLabel('לאישור').fill('data');
  // The site ends a moment after it was stopped.
  await until(async () => {
    await card.getByRole('button', { name: 'שחזור' }).click();
    const done = page.getByText('הכרך שוחזר.');
    const refused = card.getByRole('alert');
    await done.or(refused).first().waitFor();
    return done.isVisible();
  });
  await card.getByRole('button', { name: 'עוד פעולות' }).click();
  await page.getByRole('menuitem', { name: 'מחיקה' }).click();
  await at.look();
  await card.getByLabel('לאישור').fill('data');
  await card.getByRole('button', { name: 'מחיקה' }).click();
  await card.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'הפעלת האתר' }).click();
  await until(async () => (await read()).status === 'live');
});

testInLane('a preview is created, opened, deployed again, promoted and deleted', async () => {
  await using site = await newLiveSite();
  const { server, session, read } = site;
  await using at = await visitConsole(server, LOOKS.desk, { session, path: '/sites/menu/previews' });
  const { page } = at;
  await page.getByText('For each pull request').click();
  await until(async () => (await read()).previews === 'pull_requests');
  await at.look();
  await page.getByRole('button', { name: 'New preview' }).click();
  await page.getByRole('textbox', { name: 'Branch' }).fill('feature/seats');
  await at.look();
  await page.getByRole('button', { name: 'Create and deploy' }).click();
  const card = page.getByRole('region', { name: 'feature/seats' });
  await card.getByText('Live').waitFor();
  await at.look();
  await card.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Deploy again' }).click();
  await until(async () => (await read('/deployments?preview=feature-seats')).total === 2);
  await card.getByText('Live').waitFor();
  await card.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Promote to production' }).click();
  await at.look();
  await card.getByRole('button', { name: 'Promote to production' }).click();
  await page.getByText('From the preview \u2068feature-seats\u2069', { exact: true }).waitFor();
  await until(async () => (await read('/deployments')).deployments[0].status === 'live');
  await at.look();
  await page.goto(`${server.url}/sites/menu/previews`);
  await card.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await at.look();
  await card.getByRole('button', { name: 'Delete' }).click();
  await card.waitFor({ state: 'detached' });
});

testInLane(
  'a site’s deploy key, push hook and lines for CI are shown, with a token that may only deploy',
  async () => {
    await using site = await newLiveSite();
    const { server, session, read } = site;
    await using at = await visitConsole(server, LOOKS.desk, { session, path: '/sites/menu/git' });
    const { page } = at;
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByText('ssh-ed25519').waitFor();
    assert.equal(await page.getByText('ssh-ed25519').textContent(), (await read()).deploy_key);
    const { url, secret } = await read('/hook');
    await page.getByText(url).waitFor();
    assert.equal(await page.getByText(secret).count(), 0);
    await page.getByRole('button', { name: 'Show the secret' }).click();
    await page.getByText(secret).waitFor();
    await page
      .getByRole('radiogroup', { name: 'Host of the repository' })
      .first()
      .getByText('GitLab')
      .click();
    await page.getByText('Secret token').waitFor();
    await page.getByText('sh deploy.sh').first().waitFor();
    await at.look();
    await page.getByRole('link', { name: 'Create a deploy token' }).click();
    await page.getByRole('checkbox', { name: 'Deploy' }).and(page.locator(':checked')).waitFor();
    assert.equal(await page.getByLabel('Restricted to').inputValue(), (await read()).application_uuid);
  },
);

testInLane(
  'watch paths and limits are set, and a push that changes none of them is listed with the reason',
  async () => {
    await using site = await newLiveSite();
    const { server, session, read } = site;
    await using at = await visitConsole(server, LOOKS.phone, { session, path: '/sites/menu/settings' });
    const { page } = at;
    const card = (name: string) => page.getByRole('region', { name });
    await card('מקור').getByLabel('נתיבים במעקב').fill('web/**\n!**/*.md');
    await card('מקור').getByRole('button', { name: 'שמירה' }).click();
    await until(async () => String((await read()).watch_paths) === 'web/**,!**/*.md');
    await card('בקשות').getByLabel('זמן לתשובה').fill('1000');
    await card('בקשות').getByRole('button', { name: 'שמירה' }).click();
    await card('בקשות').locator('[id$="-error"]').getByText('600').waitFor();
    await card('בקשות').getByLabel('זמן לתשובה').fill('120');
    await card('בקשות').getByRole('button', { name: 'שמירה' }).click();
    await until(async () => (await read()).response_seconds === 120);
    await page.getByText('הטיוטה שלא שמרתם').waitFor({ state: 'detached' });
    await at.look();

    const { url, secret } = await read('/hook');
    const body = JSON.stringify({
      ref: 'refs/heads/main',
      after: 'ab',
      repository: { default_branch: 'main' },
    });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const pushed = await fetch(new URL(new URL(url).pathname, server.url), {
      method: 'POST',
      body,
      headers: { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` },
    });
    assert.equal(((await pushed.json()) as { reason: string }).reason, 'paths_unchanged');
    await page.goto(`${server.url}/sites/menu/git`);
    await card('דחיפות אחרונות').getByText('לא נפרסה').waitFor();
    await card('דחיפות אחרונות').getByText('לא השתנה קובץ').waitFor();
    await at.look();
  },
);

testInLane('a site gets a password, redirects and a maintenance page', async () => {
  await using site = await newLiveSite();
  const { server, session, read } = site;
  const visit = async (headers = {}) => {
    const { port } = new URL(server.url);
    return (await askGateway(Number(port), 'menu.localhost', '/', { headers })).status;
  };
  await using at = await visitConsole(server, LOOKS.phone, { session, path: '/sites/menu/rules' });
  const { page } = at;
  const password = page.getByRole('region', { name: 'סיסמה' });
  await password.getByText('האתר', { exact: true }).click();
  await at.look();
  await password.getByLabel('שם').fill('noa');
  await password.getByRole('textbox', { name: 'סיסמה' }).fill('short');
  await password.getByRole('button', { name: 'שמירה' }).click();
  await password.getByText('8 תווים לטיניים לפחות, בלי רווחים').waitFor();
  await password.getByRole('textbox', { name: 'סיסמה' }).fill('long-enough');
  await password.getByRole('button', { name: 'שמירה' }).click();
  await until(async () => (await read('/rules')).protection === 'production');
  assert.equal(await visit(), 401);
  assert.equal(await visit({ authorization: `Basic ${btoa('noa:long-enough')}` }), 200);
  await password.getByText('כבוי').click();
  await password.getByRole('button', { name: 'שמירה' }).click();
  await until(async () => (await visit()) === 200);

  const redirects = page.getByRole('region', { name: 'הפניות' });
  await redirects.getByRole('textbox').fill('menu /dinner');
  await redirects.getByRole('button', { name: 'שמירה' }).click();
  await redirects.getByText('שורה 1').waitFor();
  await at.look();
  await redirects.getByRole('textbox').fill('/ /dinner 302');
  await redirects.getByRole('button', { name: 'שמירה' }).click();
  await until(async () => (await visit()) === 302);
  await page.getByRole('region', { name: 'דף תחזוקה' }).getByText('שניהם').click();
  await page.getByText('דף התחזוקה מוצג עכשיו.').waitFor();
  await until(async () => (await visit()) === 503);
  await at.look();
});
