import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startUnsteady } from '../client/unsteady.ts';
import { commandLine } from '../support/command-line.ts';
import { newApplication, versionSite } from '../support/deployed.ts';
import { newDeveloper, type TestDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane as test } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { HOSTING } from './settings.ts';

/** Command line of a verified developer, with the access that a CI has. */
async function signedIn() {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await sharedServer(ANY_DATABASE, HOSTING));
  const developer: TestDeveloper = await newDeveloper(server);
  const access = { SIMCHA_URL: server.url, SIMCHA_TOKEN: developer.apiKey };
  const simcha = opened.use(await commandLine(access));
  const repository = opened.use(await createRepository(versionSite('one')));
  const newSite = (settings: object = {}) =>
    newApplication(developer.call, server.url, repository.address, settings);
  const all = opened.move();
  return {
    server,
    developer,
    access,
    simcha,
    repository,
    newSite,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test('each kind of failure has its exit code, a sentence and a next step on stderr', async () => {
  await using at = await signedIn();
  const { simcha } = at;
  for (const [args, env, code, said] of [
    [['apps', 'show', 'nothing'], {}, 4, /no application "nothing".\nCreate one: simcha apps create/],
    [['apps', 'show', '00000000-0000-4000-8000-000000000000'], {}, 4, /^Error: /],
    [['apps', 'show'], {}, 2, /No application is named\.\nPass --app/],
    [['apps', '--bogus'], {}, 2, /unknown option '--bogus'/],
    [['bogus'], {}, 2, /^Error: unknown command 'bogus'/],
    [['apps', 'lst'], {}, 2, /^Error: unknown command or argument 'lst'\nAdd --help/],
    [['apps'], { SIMCHA_TOKEN: 'sk_wrong12345678' }, 3, /does not accept SIMCHA_TOKEN.*\nMake another token/],
    [['env', 'groups', 'set', 'none', 'A=1'], {}, 4, /\nCreate it: simcha env groups create none/],
    [['apps'], { SIMCHA_TOKEN: '' }, 3, /not signed in\.\nSign in: simcha login/],
    [['apps'], { SIMCHA_URL: '' }, 2, /SIMCHA_TOKEN needs SIMCHA_URL/],
    [['apps', '--profile', 'home'], { SIMCHA_TOKEN: '' }, 2, /no profile "home"/],
    [['env', 'set', 'A=1', '--app', 'x'], { SIMCHA_URL: 'http://127.0.0.1:9' }, 6, /can’t be reached/],
  ] as const) {
    const result = await simcha.run(args, { env });
    assert.deepEqual([result.code, result.stdout], [code, ''], `${args.join(' ')}\n${result.stderr}`);
    assert.match(result.stderr, said);
  }
  const overTls = at.server.url.replace('http:', 'https:');
  const { code, stderr } = await simcha.run(['apps'], { env: { SIMCHA_URL: overTls } });
  assert.deepEqual([code, /does not speak https; try http/.test(stderr)], [6, true], stderr);
});

test('an application is found by its name, its subdomain and its uuid; several of one name are listed', async () => {
  await using at = await signedIn();
  const { simcha } = at;
  const [one, two] = [await at.newSite({ name: 'Twin' }), await at.newSite({ name: 'Twin' })];
  const single = await at.newSite({ name: 'החתונה' });
  const uuidOf = async (name: string) =>
    JSON.parse(await simcha.ok('apps', 'show', name, '--json')).application_uuid;
  assert.equal(await uuidOf('החתונה'), single.uuid);
  assert.equal(await uuidOf(one.uuid), one.uuid);
  assert.equal(await uuidOf(two.host.split('.')[0] ?? ''), two.uuid);
  const several = await simcha.run(['apps', 'show', 'twin']);
  assert.equal(several.code, 2);
  for (const { uuid } of [one, two]) assert.ok(several.stderr.includes(uuid));

  await simcha.ok('link', 'החתונה');
  assert.equal(JSON.parse(await simcha.ok('apps', 'show', '--json')).application_uuid, single.uuid);
  const file = join(simcha.folder, '.simcha.json');
  const project = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...project, application: '00000000-0000-4000-8000-000000000000' }));
  const deleted = await simcha.run(['apps', 'show']);
  assert.deepEqual([deleted.code, /\.simcha\.json names it/.test(deleted.stderr)], [4, true]);
  // A checkout says nothing about where the token goes.
  await writeFile(file, JSON.stringify({ ...project, server: 'http://127.0.0.1:9' }));
  const foreign = await simcha.run(['apps', 'show']);
  assert.deepEqual([foreign.code, /No application is named/.test(foreign.stderr)], [2, true]);
  const noToken = await simcha.run(['apps', 'show'], { env: { SIMCHA_TOKEN: '' } });
  assert.deepEqual(
    [noToken.code, /not signed in to http:\/\/127\.0\.0\.1:9/.test(noToken.stderr)],
    [3, true],
  );
});

test('variables are set, read from stdin, imported with several lines, pulled and deleted', async () => {
  await using at = await signedIn();
  const { simcha } = at;
  const app = await at.newSite();
  const env = async () => (await app.call('GET', '/env')).body.env;
  const run = (args: string[], input?: string) =>
    simcha.run(['env', ...args, '--app', app.uuid], input === undefined ? {} : { input });

  await run(['set', 'A=1', 'GREETING=שלום עולם', 'EMPTY=', 'URL=a=b']);
  await run(['set', 'SECRET', '-'], 's3cret\n');
  assert.deepEqual(await env(), { A: '1', GREETING: 'שלום עולם', EMPTY: '', URL: 'a=b', SECRET: 's3cret' });
  const unset = await run(['set', 'PASSWORD']);
  assert.deepEqual([unset.code, /PASSWORD - to read it from stdin/.test(unset.stderr)], [2, true]);
  assert.equal((await run(['get', 'SECRET'])).stdout, 's3cret\n');
  assert.equal((await run(['get', 'NOTHING'])).code, 4);

  const { code, stderr } = await run(['import', 'no.env']);
  assert.deepEqual([code, stderr], [1, 'Error: no.env does not exist.\n']);
  const text = '# a comment\nexport A=2\nKEY="-----BEGIN\nabc==\n-----END"\nJSON=\'{"a":1}\'\n';
  await writeFile(join(simcha.folder, '.env'), text);
  const dry = await run(['import', '--dry-run', '--json']);
  assert.deepEqual(JSON.parse(dry.stdout), { changes: ['A', 'JSON', 'KEY'] });
  assert.equal((await env()).A, '1');
  assert.match((await run(['import'])).stderr, /2 new, 1 changed, 0 as before/);
  const imported = { A: '2', KEY: '-----BEGIN\nabc==\n-----END', JSON: '{"a":1}' };
  assert.deepEqual(await env(), {
    GREETING: 'שלום עולם',
    EMPTY: '',
    URL: 'a=b',
    SECRET: 's3cret',
    ...imported,
  });
  assert.equal((await run(['import', '--replace'])).code, 2);
  await run(['import', '--replace', '--yes']);
  assert.deepEqual(await env(), imported);

  const ours = `${text}PORT=3000\nexport PATH=/bin # ours\n`;
  const withOurs = await run(['import', '-', '--dry-run'], `${ours}NEW=1\n`);
  assert.deepEqual(
    [withOurs.code, withOurs.stdout, withOurs.stderr],
    [
      0,
      'NEW\n',
      'stdin: 1 new, 0 changed, 3 as before.\n' +
        'Left out, because the server sets it itself: PORT (line 7), PATH (line 8).\n',
    ],
  );
  const misnamed = await run(['import', '-'], 'A=1\nnot.a.name=2\n');
  assert.deepEqual([misnamed.code, /^Error: stdin, line 2: not\.a\.name /.test(misnamed.stderr)], [1, true]);

  assert.equal((await run(['pull'])).code, 2);
  await chmod(join(simcha.folder, '.env'), 0o644);
  assert.doesNotMatch((await run(['pull', '--force'])).stderr, /Git/);
  await promisify(execFile)('git', ['init', '-q', simcha.folder]);
  assert.match((await run(['pull', '--force'])).stderr, /^Git does not ignore \.env: /m);
  await writeFile(join(simcha.folder, '.gitignore'), '.env\n');
  assert.doesNotMatch((await run(['pull', '--force'])).stderr, /Git/);
  await run(['unset', 'A', 'KEY', 'JSON']);
  assert.deepEqual(await env(), {});
  await run(['import']);
  assert.deepEqual(await env(), imported);
});

test('variables for builds alone, for previews, and of a group that is linked', async () => {
  await using at = await signedIn();
  const { simcha } = at;
  const app = await at.newSite();
  const run = (...args: string[]) => simcha.run(['env', ...args, '--app', app.uuid]);
  const list = async () => (await run('list')).stdout.trimEnd().split('\n');

  await run('set', '--build', 'NPM_TOKEN=t');
  await run('set', 'DATABASE_URL=one', 'PLAIN=x');
  await run('set', '--previews', 'DATABASE_URL=two');
  await run('set', '--production-only', '--run', 'SMTP=s');
  await simcha.ok('env', 'groups', 'create', 'shared');
  assert.match(await simcha.ok('env', 'groups', 'set', 'shared', 'PLAIN=y', 'DSN=d'), /set PLAIN, DSN/);
  assert.match((await run('groups', 'link', 'shared')).stdout, /linked to shared/);
  assert.deepEqual(await list(), [
    'DATABASE_URL\tone\t\t\ttwo',
    'DSN\td\t\tgroup shared\tsame',
    'NPM_TOKEN\tt\tbuild\t\tsame',
    'PLAIN\tx\t\t\tsame',
    'SMTP\ts\trun\t\t(none)',
  ]);
  // Production gets the group's variables too; a pulled file changes nothing when it is imported again.
  assert.equal((await run('get', 'DSN')).stdout, 'd\n');
  const pulled = { DATABASE_URL: 'one', DSN: 'd', NPM_TOKEN: 't', PLAIN: 'x', SMTP: 's' };
  assert.deepEqual(JSON.parse((await run('pull', '--json')).stdout), { env: pulled });
  const { DSN: _, ...own } = pulled;
  assert.deepEqual(JSON.parse((await run('pull', '--own', '--json')).stdout), { env: own });
  assert.equal((await run('pull')).code, 0);
  assert.match((await run('import', '--replace')).stderr, /0 new, 0 changed, 5 as before, 0 deleted/);
  assert.deepEqual((await app.call('GET', '/env')).body.env, own);
  assert.equal((await run('set', '--everywhere', 'SMTP=s')).code, 0);
  await run('unset', '--previews', 'DATABASE_URL');
  assert.deepEqual((await list()).slice(0, 1).concat((await list()).slice(-1)), [
    'DATABASE_URL\tone\t\t\tsame',
    'SMTP\ts\t\t\tsame',
  ]);
  assert.match(await simcha.ok('env', 'groups', 'show', 'shared'), /DSN\td\t\tsame\n/);
  assert.match(await simcha.ok('env', 'groups', 'unset', 'shared', 'DSN'), /deleted DSN/);
  assert.match(await simcha.ok('env', 'groups'), /shared\tPLAIN\t/);
  assert.equal((await run('groups', 'unlink', 'shared')).code, 0);
  assert.equal((await simcha.run(['env', 'groups', 'delete', 'shared'])).code, 2);
  await simcha.ok('env', 'groups', 'delete', 'shared', '--yes');
  for (const wrong of [
    ['--build', '--run'],
    ['--everywhere', '--previews'],
    ['--build', '--preview', 'seats'],
  ])
    assert.notEqual((await run('set', ...wrong, 'A=1')).code, 0, wrong.join(' '));
  assert.equal((await run('list', '--json')).code, 0);
});

test('a role that may not read values gets the names of variables', async () => {
  await using at = await signedIn();
  const app = await at.newSite();
  await at.simcha.ok('env', 'set', 'A=1', 'B=2', '--app', app.uuid);
  const other: TestDeveloper = await newDeveloper(at.server);
  await at.simcha.ok('people', 'add', other.email, '--role', 'look', '--app', app.uuid);
  const env = { SIMCHA_TOKEN: other.apiKey };
  const listed = await at.simcha.run(['env', '--app', app.uuid], { env });
  assert.deepEqual([listed.code, listed.stdout], [0, 'A\nB\n'], listed.stderr);
  const people = await at.simcha.run(['people', '--app', app.uuid], { env });
  assert.match(people.stdout, new RegExp(`^${at.developer.email}\\towner\\t.*\n${other.email}\\tlook\\t`));
});

test('a remote that the server can’t fetch is named, with the ways out', async () => {
  await using at = await signedIn();
  const { folder } = at.simcha;
  const git = (...args: string[]) => promisify(execFile)('git', ['-C', folder, ...args]);
  await git('init', '-q');
  await git('remote', 'add', 'origin', 'alias:party');
  const { code, stderr } = await at.simcha.run(['apps', 'create', 'Party']);
  assert.equal(code, 1, stderr);
  assert.match(
    stderr,
    /The remote "origin" of this folder is alias:party\. .*\n.*--repository.*--source upload/,
  );
  await at.simcha.ok('apps', 'create', 'Party', '--source', 'upload');
  const hook = await at.simcha.run(['hook']);
  assert.match(hook.stderr, /uploaded to it\.\nDeploy it: simcha deploy\./);
});

test('every list is JSON, and lines with tabs where there is no terminal', async () => {
  await using at = await signedIn();
  const app = await at.newSite({ name: 'A site' });
  await app.deploy();
  for (const args of [['apps'], ['releases'], ['env'], ['plan'], ['whoami'], ['profiles']]) {
    const about = ['releases', 'env', 'plan'].includes(args[0] ?? '') ? ['--app', app.uuid] : [];
    JSON.parse(await at.simcha.ok(...args, ...about, '--json'));
  }
  const line = await at.simcha.ok('apps');
  assert.match(line, /^A site\tlive\thttp:\S+\towner\t\d{4}-\S+Z\n$/);
});

test('following a deployment ends by Ctrl+C, while the deployment goes on', async () => {
  await using at = await signedIn();
  const app = await at.newSite({ build: 'sleep 4' });
  const { child, shows, ended } = at.simcha.start(['deploy', '--follow', '--app', app.uuid]);
  await shows('[build] $ sleep 4');
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  assert.equal(code, 130);
  assert.match(
    stderr,
    /goes on\.\nFollow it again: simcha logs --deployment \S+ --follow\nEnd it: simcha cancel \S+\n$/,
  );
  const [, id = ''] = /--deployment (\S+)/.exec(stderr) ?? [];
  const again = await at.simcha.run(['logs', '--deployment', id, '--follow', '--app', app.uuid]);
  assert.equal(again.code, 0, again.stderr);
  await app.expect(id, 'live');

  const following = at.simcha.start(['logs', '--follow', '--app', app.uuid]);
  await following.shows('\n');
  following.child.kill('SIGINT');
  assert.equal((await following.ended).code, 130);
});

test('commands run beside the site with their own exit code, and processes are scaled', async () => {
  await using at = await signedIn();
  const app = await at.newSite();
  await app.deploy();
  const run = (...args: string[]) => at.simcha.run(args);
  const about = ['--app', app.uuid];
  const printed = await run('run', ...about, '--', 'node', '-e', 'console.log("a  b"); console.log(6 * 7)');
  assert.deepEqual([printed.code, printed.stdout], [0, 'a  b\n42\n'], printed.stderr);
  const failed = await run('run', ...about, 'echo one; exit 9');
  assert.deepEqual([failed.code, failed.stdout], [9, 'one\n']);
  const { runs } = JSON.parse(await at.simcha.ok('runs', ...about, '--json'));
  assert.deepEqual(
    runs.map(({ exit_code }: { exit_code: number }) => exit_code),
    [9, 0],
  );
  const listed = (await at.simcha.ok('runs', ...about)).split('\n')[0]?.split('\t');
  assert.deepEqual([listed?.[3], listed?.at(-1)], ['echo one; exit 9', 'exited with code 9']);
  for (const name of [runs[0].run_uuid.slice(-8), 'latest'])
    assert.equal(await at.simcha.ok('runs', 'logs', name, ...about), 'one\n');
  assert.equal((await run('run', ...about)).code, 2);

  const scaled = JSON.parse(await at.simcha.ok('scale', 'web=2', ...about, '--json'));
  assert.equal(scaled.processes[0].wanted, 2);
  assert.match(await at.simcha.ok('ps', ...about), /^web\.1\trunning\t/m);
  assert.equal((await run('scale', 'web', ...about)).code, 2);
  const tooMany = await run('scale', 'web=99', ...about);
  assert.deepEqual(
    [tooMany.code, /whole number from 0 to \d+\.\n$/.test(tooMany.stderr)],
    [1, true],
    tooMany.stderr,
  );
});

test('requests to a site are listed, and its figures shown', async () => {
  await using at = await signedIn();
  const app = await at.newSite();
  await app.deploy();
  await app.visit('/missing?token=s3cret');
  const about = ['--app', app.uuid];
  const listed = () => at.simcha.ok('logs', '--access', ...about);
  await until(async () => (await listed()) !== '');
  assert.match(await listed(), /^\S+Z GET \/missing\?token= 200 \d+ms \d+B 127\.0\.0\.0\n$/);
  const later = new Date(Date.now() + 60_000).toISOString();
  assert.equal(await at.simcha.ok('logs', '--access', '--since', later, ...about), '');
  assert.equal(await at.simcha.ok('logs', '--access', '--since', '10m', ...about), await listed());
  assert.equal((await at.simcha.run(['logs', '--since', 'yesterday', ...about])).code, 2);
  const figures = () => at.simcha.ok('figures', '--since', '1h', ...about);
  await until(async () => /^total\t1\t0\t0\t[\d.]+ ms\t/m.test(await figures()));
  const rows = (await figures()).trimEnd().split('\n');
  assert.ok(rows.length >= 13 && rows.length <= 15, rows.join('\n'));
  const { step } = JSON.parse(await at.simcha.ok('figures', ...about, '--json'));
  assert.equal(step, 3_600);
  assert.equal((await at.simcha.run(['figures', '--since', 'yesterday', ...about])).code, 2);
});

test('an application is shared with people in roles, and its history says what changed', async () => {
  await using at = await signedIn();
  const app = await at.newSite();
  const about = ['--app', app.uuid];
  assert.equal(
    (await at.simcha.run(['people', 'add', 'itai@example.com', '--role', 'boss', ...about])).code,
    2,
  );
  assert.match(
    await at.simcha.ok('people', 'add', 'itai@example.com', '--role', 'deploy', ...about),
    /^itai@example\.com\tdeploy\t.*has not signed in yet/,
  );
  assert.match(
    await at.simcha.ok('people', 'set', 'Itai@example.com', 'administer', ...about),
    /^itai@example\.com\tadminister\t/,
  );
  assert.match(await at.simcha.ok('people', ...about), /^itai@example\.com\tadminister\t/m);
  await at.simcha.ok('people', 'remove', 'itai@example.com', ...about);
  assert.match(await at.simcha.ok('people', ...about), /^\S+@\S+\towner\t\t\n$/);
  assert.equal((await at.simcha.run(['people', 'remove', 'itai@example.com', ...about])).code, 4);
  const lines = (await at.simcha.ok('history', ...about)).split('\n').slice(0, -1);
  assert.deepEqual(
    lines.map((line) => line.split('\t').slice(3)),
    [
      ['Person removed', 'itai@example.com', ''],
      ['Role changed', 'itai@example.com', 'Role: deploy → administer'],
      ['Person invited', 'itai@example.com', 'Role: – → deploy'],
      ['Site created', '', ''],
    ],
  );
  const { history } = JSON.parse(await at.simcha.ok('history', '--json', ...about));
  assert.equal(history.at(-1).operation, 'createApplication');
  assert.match(await at.simcha.ok('apps'), /\towner\t/);
});

test('domains, volumes and previews are added, listed and removed; a volume is saved and restored', async () => {
  await using at = await signedIn();
  const app = await at.newSite();
  await app.deploy();
  const about = ['--app', app.uuid];
  assert.match(
    await at.simcha.ok('domains', 'add', 'www.example.org', ...about),
    /^CNAME\twww\.example\.org\t/m,
  );
  assert.match(await at.simcha.ok('domains', ...about), /^www\.example\.org\tpending\t/);
  const root = ['example.org', '--redirect-to', 'www.example.org'];
  const added = await at.simcha.run(['domains', 'add', ...root, ...about]);
  const ours = app.host.replace(/:.*/, '').replaceAll('.', '\\.');
  assert.match(
    added.stdout,
    new RegExp(
      `^example\\.org: pending\nTXT\t_simcha\\.example\\.org\t\\S+\nALIAS\texample\\.org\t${ours}\n$`,
    ),
  );
  assert.match(added.stderr, /^Set both records /);
  assert.match(
    await at.simcha.ok('domains', ...about),
    /^example\.org\tpending\twww\.example\.org\t.*\nwww\.example\.org\tpending\t\t/,
  );
  assert.equal((await at.simcha.run(['domains', 'redirect', 'example.org', ...about])).code, 2);
  await at.simcha.ok('domains', 'redirect', 'example.org', '--off', ...about);
  await at.simcha.ok('domains', 'remove', 'example.org', ...about);
  await at.simcha.ok('domains', 'remove', 'www.example.org', ...about);
  assert.equal(await at.simcha.ok('domains', ...about), '');

  const rules = ['rules', 'set', '--maintenance', 'previews', '--protection', 'all', '--username', 'noa'];
  const set = await at.simcha.run([...rules, '--password-stdin', ...about], { input: 'long-enough' });
  assert.equal(set.code, 0, set.stderr);
  assert.match(await at.simcha.ok('rules', ...about), /^maintenance\tpreviews\npassword\tall, for noa/m);
  assert.equal((await at.simcha.run(['rules', 'set', '--maintenance', 'maybe', ...about])).code, 2);
  await at.simcha.ok('rules', 'set', '--maintenance', 'off', '--protection', 'off', ...about);

  await at.simcha.ok('volumes', 'add', 'data', '/data', ...about);
  await at.simcha.ok('restart', '--follow', ...about);
  await at.simcha.ok('run', ...about, 'echo kept > /data/file');
  await at.simcha.ok('volumes', 'backup', 'data', ...about);
  await at.simcha.ok('run', ...about, 'rm /data/file');
  await at.simcha.ok('stop', ...about);
  const archive = join(at.simcha.folder, 'data.tar');
  assert.equal((await at.simcha.run(['volumes', 'restore', 'data', archive, ...about])).code, 2);
  await at.simcha.ok('volumes', 'restore', 'data', archive, '--yes', ...about);
  await at.simcha.ok('start', '--follow', ...about);
  assert.equal(await at.simcha.ok('run', ...about, 'cat /data/file'), 'kept\n');

  at.repository.turnTo('feature/seats');
  await at.repository.commit(versionSite('a preview'));
  const created = JSON.parse(await at.simcha.ok('previews', 'create', 'feature/seats', ...about, '--json'));
  await at.simcha.ok('deploy', '--follow', '--preview', created.name, ...about);
  assert.match(await at.simcha.ok('previews', ...about), /^feature-seats\tlive\tfeature\/seats\t/);
  assert.equal((await at.simcha.run(['promote', ...about])).code, 2);
  await at.simcha.ok('promote', 'feature-seats', '--follow', ...about);
  const other = await at.newSite({ name: 'Other', subdomain: `other-${process.pid}` });
  const to = ['--to', other.uuid];
  assert.match(await at.simcha.ok('promote', ...about, ...to), /^Requested the promotion of /);
  assert.match(await at.simcha.ok('promote', ...about, ...to, '--follow'), /promoted from the application/);
  await at.simcha.ok('promote', 'feature-seats', ...about, ...to, '--follow');
  const [promoted] = JSON.parse(await at.simcha.ok('releases', '--app', 'Other', '--json')).deployments;
  assert.deepEqual([promoted.status, promoted.promoted_from], ['live', 'feature-seats']);
  assert.match(await at.simcha.ok('releases', ...about), /\tpromote\t/);
  for (const name of ['latest', 'current'])
    assert.match(await at.simcha.ok('logs', '--deployment', name, ...about), /promoted from the preview/);
  await at.simcha.ok('previews', 'remove', 'feature-seats', '--yes', ...about);
});

test('a shell completes commands, options and applications by the script that the command prints', async () => {
  await using at = await signedIn();
  const subdomain = `completed-${process.pid}`;
  await at.newSite({ subdomain });
  const complete = async (...words: string[]) => (await at.simcha.ok('complete', '--', ...words)).split('\n');
  assert.ok((await complete('dep')).some((line) => line.startsWith('deploy\t')));
  assert.ok((await complete('env', 's')).some((line) => line.startsWith('set\t')));
  assert.ok((await complete('deploy', '--f')).some((line) => line.startsWith('--follow\t')));
  assert.ok(!(await complete('logs', '--app', '')).some((line) => line.startsWith(subdomain)));
  await at.simcha.ok('apps');
  assert.ok((await complete('logs', '--app', '')).some((line) => line.startsWith(subdomain)));
  assert.ok((await complete('apps', 'show', '')).some((line) => line.startsWith(subdomain)));
  for (const shell of ['bash', 'zsh', 'fish'])
    assert.match(await at.simcha.ok('completion', shell), /simcha/);
  assert.equal((await at.simcha.run(['completion', 'tcsh'])).code, 2);
});

test('bash completes without the package bash-completion', async () => {
  await using simcha = await commandLine();
  const { command, args } = simcha.processOf([]);
  const script = `
    simcha() { ${command} ${args.join(' ')} "$@"; }
    compopt() { :; } # it works only while bash itself completes
    source <(simcha completion bash)
    COMP_WORDS=(simcha env gro) COMP_CWORD=2
    __simcha_complete simcha gro env
    echo "\${COMPREPLY[@]}"`;
  const { env } = simcha.processOf([]);
  const { stdout } = await promisify(execFile)('/bin/bash', ['--norc', '-c', script], { env });
  assert.equal(stdout, 'groups\n');
});

test('a deployment takes the commit, branch or tag that it names, never another one', async () => {
  await using at = await signedIn();
  const app = await at.newSite();
  const about = ['--app', app.uuid];
  const first = await at.repository.commit(versionSite('tested'));
  await at.repository.commit(versionSite('newer'));
  await at.simcha.ok('deploy', '--follow', '--commit', first, ...about);
  assert.equal((await app.visit('/version')).text, 'tested');
  at.repository.turnTo('next');
  await at.repository.commit(versionSite('of the branch'));
  await at.simcha.ok('deploy', '--follow', '--branch', 'next', ...about);
  assert.equal((await app.visit('/version')).text, 'of the branch');
  const unknown = await at.simcha.run(['deploy', '--follow', '--tag', 'v9', ...about]);
  assert.deepEqual([unknown.code, /^Error: The deployment failed: /m.test(unknown.stderr)], [5, true]);
  for (const args of [
    ['--commit', ''],
    ['--commit', first, '--tag', 'v1'],
  ])
    assert.equal((await at.simcha.run(['deploy', ...args, ...about])).code, 2);
});

test('a followed deployment goes on where the network was lost, each line once', async () => {
  await using at = await signedIn();
  const app = await at.newSite({ build: 'for i in 1 2 3 4 5 6; do echo "line $i"; sleep 0.5; done' });
  let streams = 0;
  await using way = await startUnsteady(at.server.url, (nth) => {
    if (!way.seen[nth]?.url.endsWith('/logs/stream')) return undefined;
    streams += 1;
    return streams <= 2 ? { cutAfter: 900 } : undefined;
  });
  const env = { SIMCHA_URL: way.url };
  const { code, stdout, stderr } = await at.simcha.run(['deploy', '--follow', '--app', app.uuid], { env });
  assert.equal(code, 0, stderr);
  assert.ok(streams > 2);
  const lines = [...stdout.matchAll(/\[build\] line (\d)/g)].map(([, number]) => Number(number));
  assert.deepEqual(lines, [1, 2, 3, 4, 5, 6]);
});
