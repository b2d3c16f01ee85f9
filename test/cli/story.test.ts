import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine } from '../support/command-line.ts';
import { versionSite, visitSite } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { codeTo } from '../support/outbox.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { HOSTING } from './settings.ts';

test('a developer signs in, creates an application, deploys it, sets a variable, reads logs and rolls back', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using repository = await createRepository(versionSite('first'));
  await using simcha = await commandLine();
  const email = 'story@example.com';
  const login = await simcha.run(['login', server.url, '--email', email, '--stdin'], {
    input: () => codeTo(server.dataDir, email),
  });
  assert.deepEqual(
    [login.code, login.stdout],
    [0, `Signed in to ${server.url} as ${email}.\n`],
    login.stderr,
  );
  const credentials = join(simcha.home, 'config/simcha/credentials.json');
  assert.equal((await stat(credentials)).mode & 0o777, 0o600);
  assert.match(await simcha.ok('whoami'), /story@example\.com/);

  await simcha.ok(
    'apps',
    'create',
    'החתונה שלנו',
    '--repository',
    repository.address,
    '--subdomain',
    'story',
  );
  const project = JSON.parse(await readFile(join(simcha.folder, '.simcha.json'), 'utf8'));
  assert.deepEqual(Object.keys(project), ['server', 'application', 'name']);
  assert.match(await simcha.ok('env', 'set', 'TITLE=one'), /set TITLE/);

  const deployed = await simcha.run(['deploy', '--follow']);
  assert.equal(deployed.code, 0, deployed.stderr + deployed.stdout);
  assert.match(deployed.stdout, /^\S+Z \[source\] commit .*The first$/m);
  assert.match(deployed.stdout, /^✓ Live in [\d.]+ s: http:\/\/story\.\S+\n$/m);
  assert.ok(!deployed.stdout.includes('\x1b'), 'no colours without a terminal');
  const visit = async () => (await visitSite(server.url, 'story.localhost')).text;
  assert.equal(await visit(), 'first one');
  assert.match(await simcha.ok('logs'), /asked for/);

  await repository.commit(versionSite('second'), 'The second');
  const second = JSON.parse(await simcha.ok('deploy', '--follow', '--json'));
  assert.deepEqual([second.status, second.commit_message], ['live', 'The second']);
  assert.equal(await visit(), 'second one');
  await simcha.ok('rollback', '--follow');
  assert.equal(await visit(), 'first one');
  const { deployments } = JSON.parse(await simcha.ok('releases', '--json'));
  assert.deepEqual(
    deployments.map(({ action, is_current }: { action: string; is_current: boolean }) => [
      action,
      is_current,
    ]),
    [
      ['rollback', true],
      ['deploy', false],
      ['deploy', false],
    ],
  );
  assert.match(
    await simcha.ok('rollback'),
    /^Requested the rollback of החתונה שלנו to [\da-f]{10} \(The second\): [\da-f-]{36}\n$/,
  );

  await repository.commit({ 'package.json': '{"scripts":{"build":"exit 4","start":"node server.js"}}' });
  const failed = await simcha.run(['deploy', '--follow']);
  assert.equal(failed.code, 5);
  assert.match(failed.stderr, /^Error: The deployment failed: .*npm run build/m);
  assert.equal((await simcha.run(['apps', 'delete', '--yes'])).code, 0);
});
