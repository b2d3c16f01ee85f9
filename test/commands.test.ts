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
    ['token', [], { PORT: 'abc' }, /^PORT has "abc"; it takes .+\.\n$/],
    ['token', ['--bogus'], {}, /^Unknown option '--bogus'.*\n$/],
    ['token', ['--lifetime', 'soon'], {}, /^--lifetime has "soon"; it takes .+\.\n$/],
    ['invite', [], {}, /^--email has ""; it takes .+\.\n$/],
    ['invite', ['--email', 'a@b.co,c@d.co'], {}, /^--email has "a@b.co,c@d.co"; it takes .+\.\n$/],
    ['invite', ['--email', 'a@b.co', '--lifetime', '7y'], {}, /^--lifetime has "7y"; it takes .+\.\n$/],
    ['invite', ['--email', 'a@b.co'], { REGISTRATION: 'shut' }, /^REGISTRATION has "shut"; it takes .+\.\n$/],
    ['budget', [], {}, /^It takes the mail address of one developer: .+ --memory-mb, .+\n$/],
    ['budget', ['a@b.co', '--memory-mb', 'all'], {}, /^--memory-mb has "all"; it takes .+\.\n$/],
    ['whatsapp-templates', ['--bogus'], {}, /^Unknown option '--bogus'.*\n$/],
    [
      'forget-runtime',
      ['podman', '--yes'],
      {},
      /^"podman" is no runtime; it takes one of process, docker, swarm\.\n$/,
    ],
    ['forget-runtime', ['process', '--yes'], {}, /^Sites run by APPS_RUNTIME=process: .*\n$/],
    ['demo', [], { PORT: 'abc' }, /^PORT has "abc"/],
    ['demo', ['apps'], { PORT: 'abc' }, /^PORT has "abc"/],
    ['demo', ['cluster'], { PORT: 'abc' }, /^PORT has "abc"/],
    ['demo', ['clusters'], {}, /^There is no demo "clusters": it takes nothing, apps or cluster\.\n$/],
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
  assert.equal(senders('--stop', 'dana@x.co'), '1 No organizer goes by "dana@x.co".\n');
});
