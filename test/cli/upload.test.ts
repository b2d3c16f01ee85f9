import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine } from '../support/command-line.ts';
import { newApplication, versionSite, visitSite } from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane as test } from '../support/test-in-lane.ts';
import { HOSTING } from './settings.ts';

test('a folder without git is live by three commands; only what changed and no secret goes along', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  const { apiKey } = await newDeveloper(server);
  await using simcha = await commandLine();
  const write = async (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(simcha.folder, name), text);
  };
  await write({ ...versionSite('first'), '.env': 'SECRET=1' });
  await simcha.run(['login', server.url, '--stdin'], { input: apiKey });
  await simcha.ok('apps', 'create', 'A folder', '--subdomain', 'a-folder');
  const deployed = await simcha.run(['deploy', '--follow']);
  assert.equal(deployed.code, 0, deployed.stderr + deployed.stdout);
  assert.match(deployed.stderr, /Left out: \.env\. .*\nUploading \d+ files/);
  const version = async () => (await visitSite(server.url, 'a-folder.localhost', '/version')).text;
  assert.equal(await version(), 'first');

  // A folder below the linked one deploys the whole as well.
  await write(versionSite('second'));
  await mkdir(join(simcha.folder, 'below'));
  await simcha.ok('deploy', '--follow');
  assert.equal(await version(), 'second');
  await simcha.ok('rollback', '--follow');
  assert.equal(await version(), 'first');

  const archive = join(simcha.home, 'site.tar.gz');
  await write(versionSite('third'));
  execFileSync('tar', ['-czf', archive, '-C', simcha.folder, '.']);
  const record = JSON.parse(await simcha.ok('deploy', '--archive', archive, '--follow', '--json'));
  assert.equal(record.status, 'live');
  assert.equal(await version(), 'third');
  for (const [args, code] of [
    [['--dir', '.', '--commit', 'abcdef1'], 2],
    [['--dir', '.', '--preview', 'x'], 2],
    [['--dir', 'below'], 2],
    [['--archive', 'nothing.zip'], 1],
  ] as const)
    assert.equal((await simcha.run(['deploy', ...args])).code, code, args.join(' '));
  const { stderr } = await simcha.run(['deploy', '--archive', 'nothing.zip']);
  assert.equal(stderr, 'Error: nothing.zip does not exist.\n');
});

test('the plan of a static folder says which of its folders is published', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  const { apiKey } = await newDeveloper(server);
  await using simcha = await commandLine({ SIMCHA_URL: server.url, SIMCHA_TOKEN: apiKey });
  await writeFile(join(simcha.folder, 'index.html'), 'a page');
  await simcha.ok('apps', 'create', 'A static folder', '--subdomain', 'a-static-folder');
  await simcha.ok('deploy', '--follow');
  assert.match(await simcha.ok('plan'), /^publish\tthe first with an index page of \., dist, /m);
});

test('a folder is not uploaded to an application of a repository', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using repository = await createRepository(versionSite('one'));
  const { apiKey, call } = await newDeveloper(server);
  const app = await newApplication(call, server.url, repository.address);
  await using simcha = await commandLine({ SIMCHA_URL: server.url, SIMCHA_TOKEN: apiKey });
  await writeFile(join(simcha.folder, 'index.html'), 'hello');
  const refused = await simcha.run(['deploy', '--dir', '.', '--app', app.uuid]);
  assert.deepEqual([refused.code, /--source upload/.test(refused.stderr)], [1, true], refused.stderr);
  await simcha.ok('apps', 'update', app.uuid, '--source', 'upload');
  await simcha.ok('deploy', '--dir', '.', '--follow', '--app', app.uuid);
  assert.equal((await app.visit()).text, 'hello');
});

test('an image is refused by a server without containers, and by commands that lack its user', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using repository = await createRepository(versionSite('one'));
  const { apiKey, call } = await newDeveloper(server);
  const app = await newApplication(call, server.url, repository.address);
  await using simcha = await commandLine({ SIMCHA_URL: server.url, SIMCHA_TOKEN: apiKey });
  for (const [args, code, words] of [
    [['apps', 'create', 'Image', '--image', 'nginx'], 1, /runs sites as processes/],
    [['apps', 'create', 'Image', '--image', ''], 2, /--image is empty/],
    [
      ['apps', 'create', 'Image', '--image', 'nginx', '--registry-password-stdin'],
      2,
      /--registry-user <name>/,
    ],
    [
      ['apps', 'create', 'Image', '--image', 'nginx', '--registry-user', 'noa'],
      2,
      /--registry-password-stdin/,
    ],
    [['deploy', '--image', 'nginx', '--app', app.uuid], 2, /simcha apps update --source image/],
    [['deploy', '--image', 'nginx', '--tag', 'v1', '--app', app.uuid], 2, /only one of --tag and --image/],
  ] as const) {
    const refused = await simcha.run([...args]);
    assert.deepEqual([refused.code, words.test(refused.stderr)], [code, true], refused.stderr);
  }
});
