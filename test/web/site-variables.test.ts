import assert from 'node:assert/strict';
import { words as commonWords } from '../../web/src/components/words.ts';
import { words as previewWords } from '../../web/src/features/site-previews/words.ts';
import { words } from '../../web/src/features/site-variables/words.ts';
import type { Language } from '../../web/src/lib/languages.ts';
import { sayIn } from '../../web/src/lib/words.ts';
import { versionSite } from '../support/deployed.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { LOOKS } from './looks.ts';
import { newUserSite } from './user-site.ts';

for (const [look, language] of [
  ['phone', 'he'],
  ['desk', 'en'],
] as const satisfies [keyof typeof LOOKS, Language][])
  testInLane(`variables get a scope, a value for previews and a shared group, on a ${look}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    const session = await newSession(server);
    const body = { name: 'The menu', repository: 'https://example.com/a/b.git' };
    const made = (await session.call('POST', '/api/v1/applications', { body })).body;
    const variables = async () =>
      (await session.call('GET', `/api/v1/applications/${made.application_uuid}/variables`)).body;
    const own = async (name: string) =>
      (await variables()).variables.find((one: { name: string }) => one.name === name)?.own;
    const say = sayIn(words, language);
    const path = '/settings/variable-groups';
    await using at = await visitConsole(server, LOOKS[look], { session, path });
    const { page } = at;
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const field = (name: string) => page.getByRole('textbox', { name });
    const choose = (group: string, label: string) =>
      page.getByRole('radiogroup', { name: group }).getByLabel(label, { exact: true }).check();

    await button(say('newGroup')).click();
    await field(say('groupName')).fill('no good');
    await button(say('create')).click();
    await page.getByText(say('wrongGroupName')).waitFor();
    await field(say('groupName')).fill('shared');
    await button(say('create')).click();
    await page.waitForURL(`**${path}/shared`);
    await button(say('newVariable')).click();
    await field(say('name')).fill('SENTRY_DSN');
    await field(say('value')).fill('https://sentry.example/1');
    await button(say('save')).click();
    await button(say('edit', { name: 'SENTRY_DSN' })).waitFor();
    await at.look();

    await page.goto(`${server.url}/sites/${made.subdomain}/variables`);
    await button(say('link')).click();
    await page.getByText(say('fromGroup', { group: 'shared' })).waitFor();
    await button(say('newVariable')).first().click();
    await field(say('name')).fill('NPM_TOKEN');
    await field(say('value')).fill('s3cret');
    await choose(say('scope'), say('scope_build'));
    await choose(say('inPreviews'), say('inPreviews_other'));
    await field(say('previewValue')).fill('test');
    await at.look();
    await button(say('save')).click();
    await page.getByText(say('otherInPreviews')).waitFor();
    await page.getByText(say('scope_build')).waitFor();
    assert.deepEqual(await own('NPM_TOKEN'), {
      value: 's3cret',
      preview_value: 'test',
      scope: 'build',
      in_previews: true,
    });
    await button(say('show', { name: 'NPM_TOKEN' })).click();
    await page.getByText('test', { exact: true }).waitFor();
    await at.look();

    // A deleted variable comes back with its scope; one of a group is overridden here.
    await button(say('delete', { name: 'NPM_TOKEN' })).click();
    await until(async () => (await own('NPM_TOKEN')) === undefined);
    await button(sayIn(commonWords, language)('undo')).click();
    await until(async () => (await own('NPM_TOKEN'))?.scope === 'build');
    await button(say('edit', { name: 'SENTRY_DSN' })).click();
    await choose(say('inPreviews'), say('inPreviews_none'));
    await field(say('valueOf', { name: 'SENTRY_DSN' })).fill('own');
    await button(say('save')).click();
    await until(async () => (await own('SENTRY_DSN'))?.in_previews === false);
    await page.getByText(say('notInPreviews')).waitFor();
    await button(say('unlink', { group: 'shared' })).click();
    await until(async () => (await variables()).groups.length === 0);

    await page.goto(server.url + path);
    await page.getByText(say('linkedToNone')).waitFor();
    await at.look();
    await page.getByRole('link', { name: 'shared' }).click();
    await button(say('deleteGroup')).click();
    await button(say('deleteGroup')).click();
    await page.getByText(say('noGroupsTitle')).waitFor();
    await at.look();
  });

for (const [look, language] of [
  ['phone', 'he'],
  ['desk', 'en'],
  ['arabic', 'ar'],
] as const satisfies [keyof typeof LOOKS, Language][])
  testInLane(`a preview’s own variables are set, changed and removed, on a ${look}`, async () => {
    await using site = await newUserSite(versionSite('menu'));
    const { server, session } = site;
    const path = `/api/v1/applications/${site.name}`;
    const body = {
      GREETING: { value: 'hello' },
      DATABASE_URL: { value: 'postgres://live', preview_value: 'postgres://test' },
      SMTP_PASSWORD: { value: 'mail', in_previews: false },
    };
    assert.equal((await session.call('PATCH', `${path}/variables`, { body })).status, 200);
    const opened = await session.call('POST', `${path}/previews`, { body: { branch: 'main' } });
    const { name: preview } = opened.body;
    await until(
      async () => (await session.call('GET', `${path}/previews/${preview}`)).body.status === 'live',
    );
    const own = async () => (await session.call('GET', `${path}/env?preview=${preview}`)).body.env;
    const say = sayIn(words, language);
    const sayOfPreview = sayIn(previewWords, language);
    const sayCommon = sayIn(commonWords, language);
    await using at = await visitConsole(server, LOOKS[look], {
      session,
      path: `/sites/${site.name}/previews`,
    });
    const { page } = at;
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const rowOf = (name: string) => page.getByRole('listitem').filter({ hasText: name });

    await button(sayOfPreview('actions', { branch: 'main' })).click();
    await page.getByRole('menuitem', { name: sayOfPreview('variables') }).click();
    await page.waitForURL(`**/previews/${preview}/variables`);
    await rowOf('GREETING').getByText(say('origin_application')).waitFor();
    await rowOf('DATABASE_URL').getByText(say('origin_application_previews')).waitFor();
    assert.equal(await rowOf('SMTP_PASSWORD').count(), 0);
    await at.look();

    await button(say('edit', { name: 'GREETING' })).click();
    await page.getByRole('textbox', { name: say('valueOf', { name: 'GREETING' }) }).fill('hello, preview');
    assert.equal(await page.getByRole('radiogroup').count(), 0);
    await at.look();
    await button(say('save')).click();
    await rowOf('GREETING').getByText(say('origin_preview')).waitFor();
    assert.deepEqual(await own(), { GREETING: 'hello, preview' });
    await button(say('newVariable')).click();
    await page.getByRole('textbox', { name: say('name') }).fill('ONLY_HERE');
    await page.getByRole('textbox', { name: say('value') }).fill('');
    await button(say('save')).click();
    await button(say('delete', { name: 'ONLY_HERE' })).waitFor();
    assert.deepEqual(await own(), { GREETING: 'hello, preview', ONLY_HERE: '' });
    await button(say('showAll')).click();
    await at.look();

    await button(say('delete', { name: 'GREETING' })).click();
    await rowOf('GREETING').getByText(say('origin_application')).waitFor();
    assert.deepEqual(await own(), { ONLY_HERE: '' });
    await button(sayCommon('undo')).click();
    await until(async () => (await own()).GREETING === 'hello, preview');
    const production = (await session.call('GET', `${path}/env`)).body.env;
    assert.equal(production.GREETING, 'hello');

    // The changes are not live until the preview restarts.
    const note = page.getByRole('region', { name: sayCommon('notLiveYet') });
    await note.getByText(say('pending')).waitFor();
    await at.look();
    await note.getByRole('button', { name: sayCommon('restartNow') }).click();
    await page.waitForURL('**/deployments/*');
    await until(async () => {
      const [newest] = (await session.call('GET', `${path}/deployments?preview=${preview}`)).body.deployments;
      return newest.action === 'restart' && newest.status === 'live';
    });
    await page.goBack();
    await rowOf('GREETING').getByText(say('origin_preview')).waitFor();
    await note.waitFor({ state: 'detached' });
    assert.equal(
      (await session.call('PATCH', `${path}/variables`, { body: { GREETING: { value: 'hi' } } })).status,
      200,
    );
    await page.reload();
    await note.waitFor();
  });
