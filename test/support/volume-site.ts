import assert from 'node:assert/strict';
import { openReconfigurableSite } from './reconfigurable-site.ts';
import { until } from './until.ts';

/**
 * Test site that records each of its starts in its volume and in its home folder. It shows both records, and where it
 * runs (the host name, which is a container's id). The volume also has files whose names are not UTF-8, and an
 * unreadable file.
 */
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

export interface VolumeSiteReport {
  where: string;
  data: string;
  home: string;
}

/** Opens a site with a volume, whose server can be restarted with other settings. */
export async function openVolumeSite(settings: Readonly<Record<string, string>>) {
  await using owned = new AsyncDisposableStack();
  const site = owned.use(await openReconfigurableSite(SITE, settings));
  const { app } = site;
  const added = await app.call('POST', '/volumes', { name: 'data', path: '/data' });
  assert.equal(added.status, 201, added.text);
  await app.deploy();
  const shows = async (): Promise<VolumeSiteReport | undefined> => {
    const { status, text } = await app.visit().catch(() => ({ status: 0, text: '' }));
    if (status !== 200) return undefined;
    const [where = '', names, data = '', home = ''] = JSON.parse(text) as string[];
    assert.equal(names, 'closed starts t\u00e8 t\u00e9');
    return { where, data: data.trim(), home: home.trim() };
  };
  const all = owned.move();
  return {
    ...site,
    shows,
    /** Waits until the site has started this number of times; returns the site's report. */
    async started(times: number): Promise<VolumeSiteReport> {
      let shown: VolumeSiteReport | undefined;
      await until(async () => {
        shown = await shows();
        return shown !== undefined && shown.home.split(' ').length === times;
      }, 90_000);
      return shown as VolumeSiteReport;
    },
    async [Symbol.asyncDispose]() {
      await app.call('DELETE').catch(() => {});
      await all.disposeAsync();
    },
  };
}
