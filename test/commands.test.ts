import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDatabase } from './support/server.ts';

const ROOT = new URL('..', import.meta.url).pathname;

test('a mistake in a command’s settings or options is one sentence', () => {
  for (const [command, args, env, said] of [
    ['token', [], { PORT: 'abc' }, /^PORT is "abc"; expected .+\.\n$/],
    ['token', ['--bogus'], {}, /^Unknown option '--bogus'.*\n$/],
    ['token', ['--lifetime', 'soon'], {}, /^--lifetime is "soon"; expected .+\.\n$/],
    ['invite', [], {}, /^--email is ""; expected .+\.\n$/],
    ['invite', ['--email', 'a@b.co,c@d.co'], {}, /^--email is "a@b.co,c@d.co"; expected .+\.\n$/],
    ['invite', ['--email', 'a@b.co', '--lifetime', '7y'], {}, /^--lifetime is "7y"; expected .+\.\n$/],
    ['invite', ['--email', 'a@b.co'], { REGISTRATION: 'shut' }, /^REGISTRATION is "shut"; expected .+\.\n$/],
    ['budget', [], {}, /^Expected the mail address of one developer: .+ --memory-mb, .+\n$/],
    ['budget', ['a@b.co', '--memory-mb', 'all'], {}, /^--memory-mb is "all"; expected .+\.\n$/],
    ['whatsapp-templates', ['--bogus'], {}, /^Unknown option '--bogus'.*\n$/],
    [
      'forget-runtime',
      ['podman', '--yes'],
      {},
      /^"podman" is no runtime; expected one of process, docker, swarm\.\n$/,
    ],
    ['forget-runtime', ['process', '--yes'], {}, /^Sites run with APPS_RUNTIME=process, .*\n$/],
    ['demo', [], { PORT: 'abc' }, /^PORT is "abc"/],
    ['demo', ['apps'], { PORT: 'abc' }, /^PORT is "abc"/],
    ['demo', ['cluster'], { PORT: 'abc' }, /^PORT is "abc"/],
    ['demo', ['clusters'], {}, /^There is no demo "clusters": expected nothing, apps or cluster\.\n$/],
  ] as const) {
    const { status, stderr, stdout } = spawnSync(process.execPath, [`commands/${command}.ts`, ...args], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout], [1, ''], `${command} ${args.join(' ')}`);
    assert.match(stderr, said);
  }
});

test('a token for a folder on which no server has run says so beside it, once', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-token-'));
  const token = () =>
    spawnSync(process.execPath, ['commands/token.ts'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, DATA_DIR: folder.path },
      encoding: 'utf8',
    });
  const [first, second] = [token(), token()];
  for (const { status, stdout } of [first, second])
    assert.match(`${status} ${stdout}`, /^0 [\w-]+\.[\w-]+\.[\w-]+\n$/);
  assert.match(
    first.stderr,
    new RegExp(`^No server has run with DATA_DIR ${RegExp.escape(folder.path)} yet: .+ 401\\.\n$`),
  );
  assert.equal(second.stderr, '');
});

test('an operator sees who sends mail, stops one and lets them go', async () => {
  await using place = await temporaryDatabase('embedded');
  const senders = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['commands/senders.ts', ...args], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...place.env },
      encoding: 'utf8',
    });
    return `${status} ${stdout}${stderr}`;
  };
  assert.match(senders(), /^0 organizer +day +30 days +refused +waiting +stopped\n$/);
  assert.equal(senders('--complaint', 'dana'), '0 Done: the mail of dana is stopped.\n');
  assert.equal(senders('--stop', 'dana'), '0 It was stopped already.\n');
  assert.match(senders(), /\ndana +0 +0 +0 +0 +complaint 20\S+Z\n$/);
  assert.equal(senders('--release', 'dana'), '0 Done: the mail of dana is released.\n');
  assert.doesNotMatch(senders(), /dana/);
  assert.equal(senders('--stop', 'dana@x.co'), '1 There is no organizer "dana@x.co".\n');
});
