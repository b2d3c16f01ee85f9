import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { newAddress, visitSite } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { codeTo } from '../support/outbox.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { visitConsole, visitSignedIn } from './console.ts';
import { buttonNamed } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';
import { serverWithSites } from './user-site.ts';

const WORDS = {
  phone: {
    begin: 'מעלים אתר',
    create: 'אתר חדש',
    address: 'כתובת המאגר',
    goOn: 'המשך',
    start: 'פקודת הפעלה',
    deploy: 'פריסה',
    why: 'למה זה נכשל',
    remedy: 'חסר קובץ או חסרה חבילה',
    again: 'לפרוס שוב',
    visit: 'לאתר',
    folder: 'תיקייה',
    chooseFile: 'בחירת קובץ',
    upload: 'העלאה והמשך',
    image: 'תמונה',
    imageName: 'שם התמונה',
    isPrivate: 'התמונה פרטית',
    user: 'שם משתמש במאגר התמונות',
    password: 'סיסמה או אסימון',
    noImages: 'מריץ אתרים כתהליכים',
    noPlan: 'עוד אי אפשר לפרוס',
  },
  desk: {
    begin: 'Deploy a site',
    create: 'New site',
    address: 'Repository address',
    goOn: 'Continue',
    start: 'Start command',
    deploy: 'Deploy',
    why: 'Why it failed',
    remedy: 'A file or a package is missing',
    again: 'Deploy again',
    visit: 'Visit site',
    folder: 'Folder',
    chooseFile: 'Choose file',
    upload: 'Upload and continue',
    image: 'Container image',
    imageName: 'Image name',
    isPrivate: 'The image is private',
    user: 'User name at the registry',
    password: 'Password or token',
    noImages: 'runs sites as processes',
    noPlan: 'This can’t be deployed yet',
  },
} as const;

const SERVER = `
const { dessert } = require('./dessert.js');
require('node:http').createServer((request, response) => response.end(dessert)).listen(process.env.PORT);
`;
const PACKAGE = JSON.stringify({
  name: 'menu',
  scripts: { build: 'node build.js', start: 'node server.js' },
});

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  test(`a stranger puts a site online: a failed build, its remedy, and the site live, on a ${look}`, async () => {
    const server = await serverWithSites();
    await using repository = await createRepository({
      'package.json': PACKAGE,
      'server.js': SERVER,
      'build.js': `console.log('building'); require('./dessert.js');`,
    });
    await using at = await visitConsole(server, LOOKS[look]);
    const { page } = at;
    const email = newAddress();
    await page.getByRole('link', { name: words.begin, exact: true }).click();
    await page.locator('[name=email]').fill(email);
    await page.keyboard.press('Enter');
    await page.locator('[name=code]').fill(await codeTo(server.dataDir, email));
    await page.waitForURL('**/sites');

    await page.locator('main').getByRole('link', { name: words.create }).click();
    const address = page.getByRole('textbox', { name: words.address });
    await address.fill(repository.address);
    await at.look();
    await buttonNamed(page, words.goOn).click();

    const start = page.getByRole('textbox', { name: words.start });
    await start.waitFor();
    assert.equal(await start.inputValue(), 'node server.js');
    await at.look();
    await start.fill('node ./server.js');
    await page.locator('main').getByRole('button', { name: words.deploy, exact: true }).click();

    await page.getByRole('heading', { name: words.why }).waitFor();
    await page.getByText(words.remedy).waitFor();
    await page.locator('[data-level=error]').first().waitFor();
    await at.look();

    await repository.commit({ 'dessert.js': `exports.dessert = 'cake';` }, 'Add the dessert');
    await buttonNamed(page, words.again).click();
    const visit = page.locator('main').getByRole('link', { name: words.visit });
    await visit.waitFor();
    await page.getByText('Add the dessert').first().waitFor();
    await at.look();
    const { host } = new URL((await visit.getAttribute('href')) ?? '');
    assert.equal((await visitSite(server.url, host)).text, 'cake');
  });

  testInLane(`a folder is uploaded and goes live, on a ${look}`, async () => {
    const server = await serverWithSites();
    await using at = await visitSignedIn(server, LOOKS[look], '/sites/new');
    const { page } = at;
    await page.getByText(words.folder, { exact: true }).click();
    await at.look();
    await page.locator('input[webkitdirectory]').waitFor({ state: 'attached' });
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles(new URL('../../examples/static', import.meta.url).pathname);
    await buttonNamed(page, words.upload).click();
    await page.locator('main').getByRole('button', { name: words.deploy, exact: true }).click();
    const visit = page.locator('main').getByRole('link', { name: words.visit });
    await visit.waitFor();
    const { host } = new URL((await visit.getAttribute('href')) ?? '');
    assert.match((await visitSite(server.url, host)).text, /<html/i);
  });

  testInLane(`an image is refused at its field where sites run as processes, on a ${look}`, async () => {
    const server = await serverWithSites();
    await using at = await visitSignedIn(server, LOOKS[look], '/sites/new');
    const { page, session } = at;
    await page.getByText(words.image, { exact: true }).click();
    await buttonNamed(page, words.goOn).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    await page.getByRole('textbox', { name: words.imageName }).fill('ghcr.io/noa/menu:1.4');
    assert.equal(await page.locator('form input').nth(1).inputValue(), 'menu');
    await page.getByRole('switch', { name: words.isPrivate }).click({ force: true });
    await page.getByRole('textbox', { name: words.user }).fill('noa');
    await page.getByLabel(words.password, { exact: true }).fill('secret');
    await at.look();
    await buttonNamed(page, words.goOn).click();
    await page.getByText(words.noImages).waitFor();
    await at.look();

    // A site that had its image before the server ran sites as processes.
    const body = { name: 'Image', source: 'upload' };
    const { application_uuid: uuid, subdomain } = (
      await session.call('POST', '/api/v1/applications', { body })
    ).body;
    await sql`update applications set image = 'ghcr.io/noa/menu:1.4' where application_uuid = ${uuid}`.execute(
      server.simcha.database.sql,
    );
    await page.goto(`${server.url}/sites/new?site=${subdomain}`);
    await page.getByRole('heading', { name: words.noPlan }).waitFor();
    assert.equal(
      await page.getByRole('textbox', { name: words.imageName }).inputValue(),
      'ghcr.io/noa/menu:1.4',
    );
    await at.look();
    await page.goto(`${server.url}/sites/${subdomain}/settings`);
    await page.getByRole('textbox', { name: words.user }).waitFor();
    await at.look();
  });
}

testInLane('an address that is no repository, or that can’t be read, says what to do', async () => {
  const server = await serverWithSites();
  await using at = await visitSignedIn(server, LOOKS.desk, '/sites/new');
  const { page } = at;
  const address = page.getByRole('textbox', { name: 'Repository address' });
  await buttonNamed(page, 'Continue').click();
  await page.locator('[aria-invalid=true]').first().waitFor();
  await at.look();
  await address.fill('ftp://example.com/site.git');
  await buttonNamed(page, 'Continue').click();
  await page.locator('[aria-invalid=true]').first().waitFor();
  await address.fill('file:///nowhere/private.git');
  await buttonNamed(page, 'Continue').click();
  await page.getByRole('heading', { name: 'This can’t be deployed yet' }).waitFor();
  await at.look();
  await buttonNamed(page, 'Create deploy key').click();
  await page.getByText(/^ssh-ed25519 /).waitFor();
  for (const host of ['GitHub', 'GitLab', 'Gitea', 'Forgejo']) {
    await page.getByText(host, { exact: true }).click();
    await page.getByText(/Settings → .*deploy keys/i).waitFor();
    await at.look();
  }
});
