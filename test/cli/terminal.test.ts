import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { commandLine } from '../support/command-line.ts';
import { newApplication, versionSite } from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { codeTo } from '../support/outbox.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane as test } from '../support/test-in-lane.ts';
import { HOSTING } from './settings.ts';

test('on a terminal, sign-in asks for the address and the code, again after a mistyped one', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using simcha = await commandLine();
  const email = 'terminal@example.com';
  const login = simcha.startOnTerminal(['login', '--email', email]);
  await login.shows('Address of the server');
  login.child.stdin?.write(`${server.url}\r`);
  await login.shows('The code');
  const mailed = await codeTo(server.dataDir, email);
  login.child.stdin?.write(`${mailed === '111111' ? '222222' : '111111'}\r`);
  await login.shows(/wrong or has expired[\s\S]*The code/);
  login.child.stdin?.write(`${mailed}\r`);
  const { code, stdout } = await login.ended;
  assert.equal(code, 0, stdout);
  assert.match(stdout, new RegExp(`Signed in to ${server.url} as ${email}`));
});

test('on a terminal, tables have headings, colours and isolated Hebrew, and fit its width', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using repository = await createRepository(versionSite('one'));
  const { apiKey, call } = await newDeveloper(server);
  await using simcha = await commandLine({ SIMCHA_URL: server.url, SIMCHA_TOKEN: apiKey });
  const name = 'חתונה באולם '.repeat(6).trim();
  const app = await newApplication(call, server.url, repository.address, { name });
  await simcha.run(['env', 'set', 'SECRET=s3cret', '--app', app.uuid]);
  const { stdout } = await simcha.onTerminal(['apps'], { columns: 60 });
  const [heading = '', row = ''] = stdout.split('\r\n');
  // A column that is empty in all rows, here the time of the deployment, is left out.
  assert.match(stripVTControlCharacters(heading), /^name +status +address +role$/);
  const plain = stripVTControlCharacters(row);
  assert.match(plain, /^\u2068חתונה[^\u2069]*…\u2069 +created/);
  assert.ok(row.includes('\x1b[2mcreated'), 'the status is dimmed');
  assert.ok(plain.replaceAll(/[\u2068\u2069]/g, '').length <= 60, row);
  assert.ok(!(await simcha.onTerminal(['apps'], { env: { NO_COLOR: '1' } })).stdout.includes('\x1b['));

  const hidden = await simcha.onTerminal(['env', '--app', app.uuid]);
  assert.deepEqual([hidden.stdout.includes('SECRET'), hidden.stdout.includes('s3cret')], [true, false]);
  assert.ok((await simcha.onTerminal(['env', '--show', '--app', app.uuid])).stdout.includes('s3cret'));

  const deployed = await simcha.onTerminal(['deploy', '--follow', '--app', app.uuid]);
  assert.match(deployed.stdout, /✓.*source.*[\d.]+ s/);
  assert.match(deployed.stdout, /Live in/);
});

test('on a terminal, a value is typed without being shown, and a deletion is asked about', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using repository = await createRepository(versionSite('one'));
  const { apiKey, call } = await newDeveloper(server);
  await using simcha = await commandLine({ SIMCHA_URL: server.url, SIMCHA_TOKEN: apiKey });
  const app = await newApplication(call, server.url, repository.address);
  const set = simcha.startOnTerminal(['env', 'set', 'PASSWORD', '--app', app.uuid]);
  await set.shows('PASSWORD:');
  set.child.stdin?.write('hunter2\r');
  const { code, stdout } = await set.ended;
  assert.deepEqual([code, stdout.includes('hunter2')], [0, false], stdout);
  assert.deepEqual((await app.call('GET', '/env')).body.env, { PASSWORD: 'hunter2' });

  const remove = simcha.startOnTerminal(['apps', 'delete', app.uuid]);
  await remove.shows('Delete');
  remove.child.stdin?.write('n\r');
  assert.notEqual((await remove.ended).code, 0);
  assert.equal((await app.call('GET')).status, 200);
});
