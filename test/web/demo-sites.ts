import assert from 'node:assert/strict';
import { createRepository } from '../support/git.ts';
import type { TestSession } from '../support/sessions.ts';

const SERVER = `
const { createServer } = require('node:http');
console.log('reading the menu from', process.env.MENU_URL);
createServer((request, answer) => {
  console.log(request.method, request.url);
  answer.end('<h1>Menu</h1>');
}).listen(process.env.PORT, () => console.log('\\u001b[32mready\\u001b[0m on port', process.env.PORT));
`;
const PLAN = {
  processes: { web: 'node server.js', worker: 'node worker.js' },
  cron: [{ name: 'reminders', schedule: '0 9 * * *', command: 'node remind.js' }],
};
const MENU = {
  'package.json': JSON.stringify({ name: 'menu', scripts: { build: 'node build.js' } }),
  'server.js': SERVER,
  'worker.js': "setInterval(() => console.log('counting meals'), 5_000);",
  'remind.js': "console.log('nobody to remind');",
  'build.js': "for (let page = 1; page <= 40; page += 1) console.log('page', page, 'of 40 is ready');",
  'simcha.json': JSON.stringify(PLAN),
};

/** Sites of the demo's organizer in several states, and the path of a deployment that failed. */
export interface DemoSites extends AsyncDisposable {
  /** Path of the site with the most to see, such as `/sites/menu`. */
  path: string;
  failed: string;
}

/** Makes sites: one with processes, a preview, variables and a failed deployment, a static one, and one not deployed. */
export async function demoSites(session: TestSession): Promise<DemoSites> {
  const menu = await createRepository(MENU);
  const card = await createRepository({ 'index.html': '<h1>שמרו את התאריך</h1>' });
  const create = async (name: string, repository: string) => {
    const { status, body, text } = await session.call('POST', '/api/v1/applications', {
      body: { name, repository },
    });
    assert.equal(status, 201, text);
    return body.subdomain as string;
  };
  const deploy = async (site: string, part = '') => {
    const path = `/api/v1/applications/${site}`;
    const { deployment_uuid: id } = (await session.call('POST', `${path}/deploy${part}`)).body;
    await session.call('GET', `${path}/deployments/${id}?wait=60`);
    return id as string;
  };

  const site = await create('תפריט החתונה', menu.address);
  const path = `/api/v1/applications/${site}`;
  await session.call('PATCH', `${path}/env`, {
    body: { MENU_URL: 'https://menu.example.com/v1', API_KEY: 'a-secret-value-of-the-menu' },
  });
  await session.call('POST', `${path}/volumes`, { body: { name: 'data', path: '/data' } });
  await session.call('POST', `${path}/domains`, { body: { hostname: 'menu.noa-itai.co.il' } });
  await deploy(site);
  await menu.commit({ 'server.js': `${SERVER}// colours\n` }, 'Show the menu in three languages');
  await deploy(site);
  await menu.commit({ 'build.js': "throw new Error('menu.json has no desserts');" }, 'Check the menu');
  const failed = await deploy(site);
  menu.turnTo('desserts');
  await menu.commit({ 'build.js': MENU['build.js'] }, 'Add desserts');
  await session.call('POST', `${path}/previews`, { body: { branch: 'desserts' } });
  await deploy(site, '?preview=desserts');
  await session.call('POST', `${path}/runs`, { body: { command: 'node remind.js' } });
  await deploy(await create('Save the date', card.address));
  await create('The invitation', card.address);
  return {
    path: `/sites/${site}`,
    failed: `/sites/${site}/deployments/${failed}`,
    async [Symbol.asyncDispose]() {
      await menu[Symbol.asyncDispose]();
      await card[Symbol.asyncDispose]();
    },
  };
}
