import assert from 'node:assert/strict';
import { newApplication, verifiedUser } from './deployed.ts';
import { createRepository } from './git.ts';
import { freePort } from './postgres.ts';
import { type ServerProcess, spawnReadyServer } from './process.ts';
import { temporaryDatabase } from './server.ts';
import { until } from './until.ts';

/** Notes each start in its volume, beside names that are no UTF-8 and a closed file, and in its home, and shows all, and where it runs: a container is called by its id. */
const SITE = {
  'package.json': '{"scripts":{"start":"node server.js"}}',
  'server.js': `
const { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
if (!existsSync('/data/starts')) {
  for (const end of ['e8', 'e9']) writeFileSync(Buffer.from('2f646174612f74' + end, 'hex'), end);
  writeFileSync('/data/closed', '');
  chmodSync('/data/closed', 0);
}
const odd = () => readdirSync('/data', 'latin1').sort().join(' ');
const files = ['/data/starts', process.env.HOME + '/starts'];
const where = /^[0-9a-f]{12}$/.test(require('node:os').hostname()) ? 'container' : 'process';
for (const file of files) appendFileSync(file, where + ' ');
require('node:http')
  .createServer((_, response) => response.end(JSON.stringify([where, odd(), ...files.map((file) => readFileSync(file, 'utf8'))])))
  .listen(process.env.PORT, process.env.HOST);
`,
};

export interface Kept {
  where: string;
  data: string;
  home: string;
}

/** A site with a volume, on a server that runs it now by these settings and now by others, with one folder and one database. */
export async function keptSite(settings: Record<string, string>) {
  const database = await temporaryDatabase('embedded');
  const repository = await createRepository(SITE);
  const env = {
    ...{ ...database.env, APPS_GIT_PROTOCOLS: 'file', RATE_LIMIT: '1000000' },
    ...{ PORT: String(await freePort()), APPS_PORT: String(await freePort()) },
  };
  let server: ServerProcess = await spawnReadyServer({ ...env, ...settings });
  const end = async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  };
  const user = await verifiedUser(server.url, database.env.DATA_DIR);
  const app = await newApplication(user.call, server.url, repository.address);
  const added = await app.call('POST', '/volumes', { name: 'data', path: '/data' });
  if (added.status !== 201) throw new Error(added.text);
  await app.deploy();
  const shows = async (): Promise<Kept | undefined> => {
    const { status, text } = await app.visit().catch(() => ({ status: 0, text: '' }));
    if (status !== 200) return undefined;
    const [where = '', names, data = '', home = ''] = JSON.parse(text) as string[];
    assert.equal(names, 'closed starts t\u00e8 t\u00e9');
    return { where, data: data.trim(), home: home.trim() };
  };
  return {
    ...{ app, shows, dataDir: database.env.DATA_DIR, user, url: server.url },
    /** Has it run by other settings from now on; `meanwhile` is done while no server runs. */
    async move(others: Record<string, string>, meanwhile = () => {}) {
      await end();
      meanwhile();
      server = await spawnReadyServer({ ...env, ...others });
    },
    /** What it shows once it has been started so often. */
    async started(times: number): Promise<Kept> {
      let shown: Kept | undefined;
      await until(async () => {
        shown = await shows();
        return shown !== undefined && shown.home.split(' ').length === times;
      }, 90_000);
      return shown as Kept;
    },
    async [Symbol.asyncDispose]() {
      await app.call('DELETE').catch(() => {});
      await end();
      await repository[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
