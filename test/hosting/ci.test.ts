import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { newAddress, newApplication, verifiedUser } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const page = readFileSync(new URL('../../docs/ci.md', import.meta.url), 'utf8');
const [, script = ''] = /```sh\n(.*?)```/s.exec(page) ?? [];

test('the script of docs/ci.md deploys the tested commit, and fails with the deployment', async () => {
  await using server = await sharedServer(ANY_DATABASE, {
    APPS_GIT_PROTOCOLS: 'file',
    APPS_HEALTH_SECONDS: '10',
  });
  await using repository = await createRepository({ 'index.html': 'one' });
  const user = await verifiedUser(server.url, server.dataDir, newAddress());
  const app = await newApplication(user.call, server.url, repository.address);
  const record = (await app.call('GET')).body;
  const made = await user.call('POST', '/api/v1/users/me/tokens', {
    body: { name: 'CI', scopes: ['deploy'], application_id: app.uuid },
  });
  assert.equal(made.status, 201, made.text);
  // One folder for all runs, as of a pipeline whose workspace is not emptied
  await using folder = await mkdtempDisposable(`${tmpdir()}/simcha-ci-`);
  const run = async (COMMIT: string) => {
    const child = spawn('/bin/sh', ['-c', script], {
      cwd: folder.path,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env.PATH,
        SIMCHA_URL: server.url,
        SIMCHA_APP: record.subdomain,
        SIMCHA_TOKEN: made.body.token,
        COMMIT,
      },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    const [code] = await once(child, 'close');
    return { code, output };
  };

  const tested = (await app.deploy()).commit_hash;
  const broken = await repository.commit({ 'package.json': '{"scripts":{"build":"exit 3"}}' });
  const live = await run(tested);
  assert.equal(live.code, 0, live.output);
  assert.match(live.output, /live at http/);
  assert.equal((await app.visit()).text, 'one');
  const missing = await run('c0ffee'.padEnd(40, '0'));
  assert.notEqual(missing.code, 0);
  assert.match(missing.output, /has no commit c0ffee000000/);
  const failed = await run(broken);
  assert.notEqual(failed.code, 0);
  assert.match(failed.output, /failed: /);
  const misspelt = await run('');
  assert.deepEqual([misspelt.code === 0, misspelt.output], [false, '']);
  assert.equal((await app.visit()).text, 'one');
});
