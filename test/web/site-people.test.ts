import assert from 'node:assert/strict';
import { newSession } from '../support/sessions.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { buttonNamed } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';
import { newUserSite } from './user-site.ts';

const WORDS = {
  phone: {
    email: 'כתובת מייל',
    invite: 'הזמנה',
    pending: 'עוד לא נכנסו',
    roleOf: 'התפקיד של',
    look: 'צפייה',
    remove: 'הסרה',
    yourRole: 'התפקיד שלכם',
    namesOnly: 'בלי הערכים',
    deploy: 'פריסה',
    changed: 'המשתנים שונו',
    invited: 'הוזמן אדם',
    roleField: 'תפקיד:',
    leave: 'לצאת מהאתר',
  },
  desk: {
    email: 'Email address',
    invite: 'Invite',
    pending: 'Has not signed in yet',
    roleOf: 'Role of',
    look: 'Look',
    remove: 'Remove',
    yourRole: 'Your role',
    namesOnly: 'without their values',
    deploy: 'Deploy',
    changed: 'Variables changed',
    invited: 'Person invited',
    roleField: 'Role:',
    leave: 'Leave site',
  },
} as const;

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  testInLane(`a site is shared, and shows a person what their role allows, on a ${look}`, async () => {
    await using site = await newUserSite();
    const { server, session, name } = site;
    const itai = await newSession(server);
    const app = `/api/v1/applications/${name}`;
    await session.call('PATCH', `${app}/env`, { body: { GREETING: 'good-morning' } });
    const peopleOf = async () => (await session.call('GET', `${app}/people`)).body.people;
    {
      await using at = await visitConsole(server, LOOKS[look], { session, path: `/sites/${name}/people` });
      const { page } = at;
      const invite = async (email: string) => {
        await page.getByRole('textbox', { name: words.email }).fill(email);
        await buttonNamed(page, words.invite).click();
        await page.getByRole('listitem').filter({ hasText: email }).waitFor();
      };
      await invite('nobody-yet@example.com');
      await page.getByText(words.pending).waitFor();
      await invite(itai.email);
      await at.look();
      await page
        .getByRole('textbox', { name: `${words.roleOf} ${itai.email}` })
        .or(page.getByRole('combobox', { name: new RegExp(itai.email) }))
        .first()
        .click();
      await page.getByRole('option', { name: words.look }).click();
      await until(async () => (await peopleOf()).at(-1).role === 'look');
      await page.getByRole('button', { name: 'nobody-yet@example.com' }).click();
      await until(async () => (await peopleOf()).length === 1);
      await page.goto(`${server.url}/sites/${name}/history`);
      await page.getByText(words.changed).waitFor();
      await page.getByText(words.invited).first().waitFor();
      await page.getByRole('listitem').filter({ hasText: words.roleField }).first().waitFor();
      assert.ok(!(await page.content()).includes('good-morning'));
      await at.look();
    }
    await using at = await visitConsole(server, LOOKS[look], { session: itai, path: '/sites' });
    const { page } = at;
    await page.getByText(session.email).waitFor();
    await at.look();
    await page.getByRole('link', { name: 'The menu' }).click();
    await page.getByText(words.yourRole).waitFor();
    await page.goto(`${server.url}/sites/${name}/deployments`);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    assert.equal(await page.getByRole('button', { name: words.deploy, exact: true }).count(), 0);
    await page.goto(`${server.url}/sites/${name}/variables`);
    await page.getByText(words.namesOnly).waitFor();
    await page.getByText('GREETING').waitFor();
    await at.look();
    await page.goto(`${server.url}/sites/${name}/settings`);
    await page.getByRole('textbox').first().waitFor();
    assert.ok(await page.getByRole('textbox').first().isDisabled());
    await at.look();
    await page.goto(`${server.url}/sites/${name}/people`);
    await buttonNamed(page, words.leave).click();
    await at.look();
    await buttonNamed(page, words.leave).click();
    await until(async () => (await peopleOf()).length === 0);
    await page.waitForURL(/\/sites$/);
  });
}
