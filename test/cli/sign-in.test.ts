import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommandLine, commandLine } from '../support/command-line.ts';
import { newApplication, versionSite } from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane as test } from '../support/test-in-lane.ts';
import { HOSTING } from './settings.ts';

const profilesOf = async ({ home }: CommandLine) =>
  JSON.parse(await readFile(join(home, 'config/simcha/credentials.json'), 'utf8')).profiles;

test('the browser confirms a sign-in; signing out revokes its token', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using simcha = await commandLine();
  const page = await newSession(server);
  const login = simcha.start(['login', server.url, '--device']);
  const code = /confirm the code (\S+)\n/;
  await login.shows(code);
  const [, user_code] = code.exec(login.output()) ?? [];
  const body = { user_code, allow: true };
  assert.equal((await page.call('POST', '/api/auth/device/decision', { body })).status, 204);
  const { code: exit, stdout, stderr } = await login.ended;
  assert.equal(exit, 0, stderr);
  assert.equal(stdout, `Signed in to ${server.url} as ${page.email}.\n`);

  const [profile] = Object.values(await profilesOf(simcha)) as { token: string }[];
  assert.match(profile?.token ?? '', /^sk_/);
  const { token } = JSON.parse(await simcha.ok('whoami', '--json'));
  assert.match(token.name, /^simcha on /);
  await simcha.ok('events');
  await simcha.ok('logout');
  assert.deepEqual(await profilesOf(simcha), {});
  const access = { SIMCHA_URL: server.url, SIMCHA_TOKEN: profile?.token ?? '' };
  assert.equal((await simcha.run(['whoami'], { env: access })).code, 3);
});

test('a sign-in that is refused in the browser ends with a sentence', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using simcha = await commandLine();
  const page = await newSession(server);
  const login = simcha.start(['login', server.url, '--device']);
  await login.shows(/confirm the code (\S+)\n/);
  const [, user_code] = /confirm the code (\S+)\n/.exec(login.output()) ?? [];
  await page.call('POST', '/api/auth/device/decision', { body: { user_code, allow: false } });
  const { code, stderr } = await login.ended;
  assert.deepEqual([code, /refused in the browser/.test(stderr)], [3, true]);
  const withoutTerminal = await simcha.run(['login', server.url]);
  assert.deepEqual([withoutTerminal.code, /--email <address>/.test(withoutTerminal.stderr)], [2, true]);
});

test('without a terminal, a code is mailed only if it is read from stdin', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using simcha = await commandLine();
  const email = 'no-terminal@example.com';
  const login = ['login', server.url, '--email', email];
  const unread = await simcha.run(login);
  assert.deepEqual([unread.code, /pass --stdin/.test(unread.stderr)], [2, true], unread.stderr);
  assert.ok(!unread.stderr.includes('was mailed'), unread.stderr);
  const empty = await simcha.run([...login, '--stdin']);
  assert.deepEqual([empty.code, /no code on stdin/.test(empty.stderr)], [2, true], empty.stderr);
  const wrong = await simcha.run([...login, '--stdin'], { input: '000000' });
  assert.deepEqual(
    [wrong.code, /code is wrong.*\nSign in again/.test(wrong.stderr)],
    [1, true],
    wrong.stderr,
  );
});

test('a token for CI deploys one application, and does nothing else', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using repository = await createRepository(versionSite('one'));
  const { apiKey, call } = await newDeveloper(server);
  const [app, other] = [
    await newApplication(call, server.url, repository.address, { name: 'Our wedding' }),
    await newApplication(call, server.url, repository.address),
  ];
  await using simcha = await commandLine({ SIMCHA_URL: server.url, SIMCHA_TOKEN: apiKey });
  const create = ['tokens', 'create', 'CI', '--scope', 'deploy', '--app', app.uuid, '--expires', '90d'];
  const token = (await simcha.ok(...create)).trim();
  const ci = (...args: string[]) => simcha.run(args, { env: { SIMCHA_TOKEN: token } });
  const deployed = await ci('deploy', '--follow', '--app', app.uuid);
  assert.equal(deployed.code, 0, deployed.stderr);
  const named = await ci('deploy', '--app', 'Our wedding');
  assert.equal(named.code, 0, named.stderr);
  for (const args of [
    ['deploy', '--app', other.uuid],
    ['deploy', '--app', 'Their wedding'],
    ['env', '--app', app.uuid],
    ['tokens'],
    ['apps', 'delete', app.uuid, '--yes'],
  ])
    assert.ok([3, 4].includes((await ci(...args)).code ?? 0), args.join(' '));
  assert.match(await simcha.ok('tokens'), new RegExp(`^CI\\tsk_\\S+\\tdeploy\\t${app.uuid}\\t`, 'm'));
  await simcha.ok('tokens', 'revoke', 'CI');
  assert.equal((await ci('deploy', '--app', app.uuid)).code, 3);
});

test('several servers: the profile of the option, of the environment, of the folder, the current one', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using simcha = await commandLine();
  const [one, two] = [await newDeveloper(server), await newDeveloper(server)];
  for (const [name, { apiKey }] of [
    ['one', one],
    ['two', two],
  ] as const)
    await simcha.run(['login', server.url, '--profile', name, '--stdin'], { input: apiKey });
  const whoami = async (args: string[] = [], env = {}) =>
    JSON.parse((await simcha.run(['whoami', '--json', ...args], { env })).stdout).email;
  assert.equal(await whoami(), two.email);
  assert.equal(await whoami(['--profile', 'one']), one.email);
  assert.equal(await whoami([], { SIMCHA_PROFILE: 'one' }), one.email);
  await simcha.ok('profiles', 'one');
  assert.equal(await whoami(), one.email);
  assert.match(await simcha.ok('profiles'), /^\*\tone\t/m);
  const wrong = await simcha.run(['login', server.url, '--stdin'], { input: 'sk_wrong12345678' });
  assert.deepEqual([wrong.code, wrong.stderr], [3, `Error: ${server.url} does not accept this token.\n`]);
});
