import assert from 'node:assert/strict';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { newSite } from '../support/new-site.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

// Fetches from the npm registry.

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '30' };

/** Shows by which versions it is built and run. */
const site = (engines: object = {}) => ({
  'package.json': JSON.stringify({
    engines,
    scripts: { build: '(node --version; npm --version) > built', start: 'node server.js' },
  }),
  'server.js': `
const built = require('node:fs').readFileSync('built', 'utf8');
require('node:http').createServer((request, response) => {
  response.end(process.version + '\\n' + built);
}).listen(process.env.PORT, process.env.HOST);
`,
});

testInLane('a site is built and run by the version of Node.js that it asks for', async () => {
  await using at = await newSite(SETTINGS, { ...site(), '.nvmrc': '# ours\nv22\n' });
  const visit = async () => (await at.app.visit()).text.trim().split('\n');

  const { body } = await at.app.call('GET', '/plan');
  assert.equal(body.plan.node, '>=22.0.0 <23.0.0-0');
  assert.match(
    body.findings.map(({ said }: { said: string }) => said).join('\n'),
    /^node: v22 \(\.nvmrc\)$/m,
  );
  const first = await at.app.ask();
  await at.app.expect(first, 'live');
  const [run, built, npm] = await visit();
  assert.match(run ?? '', /^v22\.\d+\.\d+$/);
  assert.equal(built, run);
  assert.match(npm ?? '', /^\d+\./);
  assert.match(await at.app.log(first), new RegExp(`Node\\.js ${run?.slice(1)}\n`));
  assert.deepEqual(await readdir(join(at.server.dataDir, 'nodes')), [run?.slice(1)]);

  // So are commands of the release.
  const asked = await at.app.call('POST', '/runs', { command: 'node --version' });
  assert.equal(asked.status, 202, asked.text);

  // With a version that today's npm does not run on comes one that does.
  await at.repository.commit({ ...site({ node: '18.x' }), '.nvmrc': null });
  await at.app.deploy();
  const [older, , itsNpm] = await visit();
  assert.match(older ?? '', /^v18\./);
  assert.match(itsNpm ?? '', /^10\./);

  // Ours will do.
  await at.repository.commit({ ...site({ node: '>=20' }) });
  await at.app.deploy();
  assert.equal((await visit())[0], process.version);

  // What was fetched long ago, and nothing needs any more, goes.
  const nodes = join(at.server.dataDir, 'nodes');
  await utimes(join(nodes, String(run?.slice(1))), new Date(0), new Date(0));
  assert.equal((await at.app.call('DELETE')).status, 204);
  await until(async () => (await readdir(nodes)).length === 1);
  assert.deepEqual(await readdir(nodes), [older?.slice(1)]);
});

testInLane(
  'as many versions of Node.js are kept as may be, and those that nothing needs go an hour later',
  async () => {
    // On a server of its own, which has none yet.
    await using at = await newSite({ ...SETTINGS, APPS_HEALTH_SECONDS: '31' }, site({ node: '18.x' }));
    const nodes = join(at.server.dataDir, 'nodes');
    const kept = Array.from({ length: 20 }, (_, index) => `1.0.${index}`);
    for (const version of kept) {
      const programs = join(
        nodes,
        version,
        'node_modules',
        `node-${process.platform}-${process.arch}`,
        'bin',
      );
      await mkdir(programs, { recursive: true });
      await writeFile(join(programs, 'node'), '');
    }
    const crowded = await at.app.deploy('failed');
    assert.equal(crowded.reason_code, 'node_crowded');
    assert.match(
      crowded.reason,
      /^Node\.js 18\.\d+\.\d+ was not installed: .* 20 versions, .* \(1\.0\.19, 1\.0\.18, /,
    );

    for (const version of kept.slice(1)) await utimes(join(nodes, version), new Date(0), new Date());
    // Whether this one finds room depends on when the one before was cleared up after.
    await at.app.ask();
    const left = async () => (await readdir(nodes)).filter((one) => kept.includes(one));
    await until(async () => (await left()).length === 1);
    assert.deepEqual(await left(), [kept[0]], 'a build may be about to use it');
  },
);

test('a version of Node.js that is not to be had, or is none, is said', async () => {
  await using at = await newSite(SETTINGS, { ...site(), '.node-version': '19.99.0' });
  const unmet = await at.app.deploy('failed');
  assert.equal(unmet.reason_code, 'node_unmet');
  assert.match(
    unmet.reason,
    /^Node\.js 19\.99\.0 can’t be installed from the npm registry: npm error code E404\. Require another/,
  );

  await at.repository.commit({ ...site({ node: 'the newest' }), '.node-version': null });
  const unreadable = await at.app.deploy('failed');
  assert.equal(unreadable.reason_code, 'node_unreadable');
  assert.match(unreadable.reason, /^package\.json requires Node\.js "the newest", which is not a version\./);

  const refused = await at.app.call('PATCH', '', { node: 'the newest' });
  assert.deepEqual([refused.status, /^node: must be a version/.test(refused.body.error)], [400, true]);
  const changed = await at.app.call('PATCH', '', { node: '>=20' });
  assert.deepEqual([changed.status, changed.body.node], [200, '>=20']);
  await at.app.deploy();
});
