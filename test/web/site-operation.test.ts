import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { words as commonWords } from '../../web/src/components/words.ts';
import { words as processWords } from '../../web/src/features/site-processes/words.ts';
import { words as releaseWords } from '../../web/src/features/site-releases/words.ts';
import { words as settingWords } from '../../web/src/features/site-settings/words.ts';
import { words as variableWords } from '../../web/src/features/site-variables/words.ts';
import { words as deploymentWords } from '../../web/src/features/sites/api/deployment-words.ts';
import type { Language } from '../../web/src/lib/languages.ts';
import { sayIn } from '../../web/src/lib/words.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { type Visit, visitConsole } from './console.ts';
import { LOOKS } from './looks.ts';

const SERVER = `require('node:http').createServer((_, answer) => answer.end('menu')).listen(process.env.PORT);`;
const FILES = {
  'package.json': JSON.stringify({ name: 'menu', scripts: { start: 'node server.js' } }),
  'package-lock.json': JSON.stringify({
    name: 'menu',
    lockfileVersion: 3,
    packages: { '': { name: 'menu' } },
  }),
  'server.js': SERVER,
  'simcha.json': JSON.stringify({
    processes: { web: 'node server.js', worker: 'sleep 1000' },
    cron: [{ name: 'tidy', schedule: '@daily', command: 'echo tidied' }],
  }),
};

/** Site of a new user with two releases, `The first` and `The second`. */
async function newSite() {
  const server = await sharedServer(ANY_DATABASE, { APPS_GIT_PROTOCOLS: 'file' });
  const session = await newSession(server);
  const repository = await createRepository(FILES);
  const body = { name: 'The menu', repository: repository.address };
  const { application_uuid: id, subdomain: name } = (
    await session.call('POST', '/api/v1/applications', { body })
  ).body;
  const call = async (method: string, path = '', body?: unknown) =>
    (await session.call(method, `/api/v1/applications/${id}${path}`, body === undefined ? {} : { body }))
      .body;
  const deploy = async () => {
    const { deployment_uuid: deployment } = await call('POST', '/deploy');
    const { status, reason } = await call('GET', `/deployments/${deployment}?wait=60`);
    assert.equal(status, 'live', reason);
  };
  await deploy();
  await repository.commit({ 'server.js': `${SERVER}\n// Two` }, 'The second');
  await deploy();
  return { server, session, name, call, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() };
}

type Site = Awaited<ReturnType<typeof newSite>>;

interface Look {
  at: Visit;
  page: Page;
  language: Language;
  site: Site;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

for (const [look, language] of [
  ['phone', 'he'],
  ['desk', 'en'],
] as const)
  testInLane(`a site is configured in the console, on a ${look}`, async () => {
    await using site = await newSite();
    const path = `/sites/${site.name}/variables`;
    await using at = await visitConsole(site.server, LOOKS[look], { session: site.session, path });
    const tried: Look = { at, page: at.page, language, site };
    await changeVariables(tried);
    await rollBack(tried);
    await promoteElsewhere(tried);
    await scaleAndRun(tried);
    await changeSettings(tried);
  });

async function changeVariables({ at, page, language, site }: Look): Promise<void> {
  const say = sayIn(variableWords, language);
  await button(page, say('pasteFile')).click();
  await page.getByRole('textbox', { name: say('envFile') }).fill('KEY="secret #1"\nPORT=1\nEMPTY=');
  await page.getByText(say('count_added', { n: 2 })).waitFor();
  await page.getByText(say('serverSets')).waitFor();
  await at.look();
  await button(page, say('saveChanges', { n: 2 })).click();
  await button(page, say('newVariable')).waitFor();
  assert.deepEqual((await site.call('GET', '/env')).env, { EMPTY: '', KEY: 'secret #1' });
  assert.equal(await page.getByText('secret #1').count(), 0);
  await button(page, say('show', { name: 'KEY' })).click();
  await page.getByText('secret #1').waitFor();
  // The variables are not live yet.
  await button(page, sayIn(commonWords, language)('deployNow')).waitFor();
  await at.look();

  await button(page, say('edit', { name: 'KEY' })).click();
  await page.getByRole('textbox', { name: say('valueOf', { name: 'KEY' }) }).fill('other');
  await button(page, say('save')).click();
  await until(async () => (await site.call('GET', '/env')).env.KEY === 'other');
  await button(page, say('delete', { name: 'KEY' })).click();
  await button(page, sayIn(commonWords, language)('undo')).click();
  await until(async () => (await site.call('GET', '/env')).env.KEY === 'other');

  await button(page, say('newVariable')).click();
  const name = page.getByRole('textbox', { name: say('name') });
  await name.fill('1st');
  await button(page, say('save')).click();
  await page.getByText(say('wrongName')).waitFor();
  await name.fill('FIRST');
  await page.getByRole('textbox', { name: say('value') }).fill('1');
  await button(page, say('save')).click();
  await until(async () => (await site.call('GET', '/env')).env.FIRST === '1');
}

async function rollBack({ at, page, language, site }: Look): Promise<void> {
  const say = sayIn(releaseWords, language);
  await page.goto(`${site.server.url}/sites/${site.name}/releases`);
  const first = page.getByRole('article', { name: 'The first' });
  await button(page, say('rollBack')).click();
  await first.getByText(say('rollBackAbout', { title: 'The first' })).waitFor();
  await at.look();
  await button(page, say('rollBack')).click();
  await page.waitForURL('**/deployments/*');
  await until(async () => {
    const [newest] = (await site.call('GET', '/deployments')).deployments;
    return newest.action === 'rollback' && newest.status === 'live';
  });
  await page.goto(`${site.server.url}/sites/${site.name}/releases`);
  await first.getByText(say('live'), { exact: true }).waitFor();
  assert.equal(await button(page, say('rollBack')).count(), 1);
}

async function promoteElsewhere({ at, page, language, site }: Look): Promise<void> {
  const say = sayIn(releaseWords, language);
  const { repository } = await site.call('GET');
  const made = await site.session.call('POST', '/api/v1/applications', {
    body: { name: 'The live menu', repository },
  });
  const { application_uuid: other, subdomain } = made.body;
  await page.goto(`${site.server.url}/sites/${site.name}/releases`);
  const second = page.getByRole('article', { name: 'The second' });
  await second.getByRole('button', { name: say('promote') }).click();
  await page.getByLabel(say('promoteTo')).selectOption(subdomain);
  await at.look();
  await button(page, say('promoteNow')).click();
  await page.waitForURL(`**/sites/${subdomain}/deployments/*`);
  await page.getByText(sayIn(deploymentWords, language)('fromSite', { site: 'The menu' })).waitFor();
  await until(async () => {
    const { body } = await site.session.call('GET', `/api/v1/applications/${other}/deployments`);
    const [newest] = body.deployments;
    return newest.action === 'promote' && newest.status === 'live';
  });
  await page.goto(`${site.server.url}/sites/${subdomain}/releases`);
  await page.getByText(sayIn(deploymentWords, language)('fromSite', { site: 'The menu' })).waitFor();
  await at.look();
}

async function scaleAndRun({ at, page, language, site }: Look): Promise<void> {
  const say = sayIn(processWords, language);
  await page.goto(`${site.server.url}/sites/${site.name}/processes`);
  const replicas = page.getByRole('group', { name: say('replicasOf', { name: 'worker' }) });
  await replicas.getByRole('button', { name: say('more') }).click();
  await button(page, say('scaleTo', { n: 2 })).click();
  await page.getByText('worker.2', { exact: true }).waitFor();
  await at.look();

  await page.getByRole('textbox', { name: say('command') }).fill('echo 40 guests');
  await button(page, say('run')).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('40 guests', { exact: true }).waitFor();
  await sheet.getByText(say('run_succeeded')).waitFor();
  await at.look();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });

  await button(page, say('runNowNamed', { name: 'tidy' })).click();
  await sheet.getByText('tidied', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: say('historyOf', { name: 'tidy' }) }).click();
  await button(page, say('allRuns')).waitFor();
  await page.getByRole('link', { name: 'tidy', exact: true }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'echo 40 guests' }).count(), 0);
}

async function changeSettings({ at, page, language, site }: Look): Promise<void> {
  const say = sayIn(settingWords, language);
  await page.goto(`${site.server.url}/sites/${site.name}/settings`);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  // What was recognised in the source is shown in the empty field.
  await until(async () => (await field(say('start')).getAttribute('placeholder')) === 'node server.js');
  await at.look();
  await field(say('port')).fill('none');
  const save = page
    .getByRole('region', { name: say('buildAndStart') })
    .getByRole('button', { name: say('save') });
  await save.click();
  await page.locator('[id$="-error"]').first().waitFor();
  await field(say('port')).fill('');
  await field(say('start')).fill('node ./server.js');
  await save.click();
  await until(async () => (await site.call('GET')).start === 'node ./server.js');

  await field(say('subdomain')).fill(`${site.name}-2`);
  await page
    .getByRole('region', { name: say('general') })
    .getByRole('button', { name: say('save') })
    .click();
  await page.waitForURL(`**/sites/${site.name}-2/settings`);

  await button(page, say('stop')).click();
  await button(page, say('stop')).click();
  await button(page, say('startSite')).waitFor();
  await button(page, say('delete')).click();
  const forGood = button(page, say('deleteForGood'));
  assert.ok(await forGood.isDisabled());
  await at.look();
  await field(say('typeName', { name: `${site.name}-2` })).fill(`${site.name}-2`);
  await forGood.click();
  await page.waitForURL('**/sites');
  await until(async () => (await site.call('GET')).code === 'not_found');
}
