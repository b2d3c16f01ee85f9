import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { planIn } from './planning.ts';

async function planned(files: Record<string, string>, root = '') {
  const checkout = await mkdtemp(join(tmpdir(), 'planning-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(checkout, dirname(name)), { recursive: true });
      await writeFile(join(checkout, name), text);
    }
    return await planIn({ checkout, root, settings: {}, options: { dockerfiles: 'off' } });
  } finally {
    await rm(checkout, { recursive: true });
  }
}
const codeOf = (error: unknown) => (error instanceof RuntimeFailure ? error.reason.code : error);

test('a checkout is planned as it is, or refused with the reason', async () => {
  const { build } = await planned({ 'index.html': 'x' });
  assert.equal(build.kind, 'static');
  await assert.rejects(planned({ 'read.me': 'x' }), (error) => codeOf(error) === 'nothing_found');
});

test('applications in folders below, and templates, are seen in a checkout', async () => {
  const said = (files: Record<string, string>) =>
    planned(files).then(
      () => '',
      (error) => String(error.message),
    );
  assert.match(
    await said({ 'server/package.json': '{}', 'node_modules/a/package.json': '{}' }),
    /in server:/,
  );
  assert.match(await said({ 'apps/web/package.json': '{}' }), /"apps\/web"/);
  assert.match(await said({ 'package.json': '{}', 'index.html': '<%= name %>' }), /is a template/);
});

// Inputs that once took ten seconds or much longer; a plan that exceeds the time limit of planIn is refused as
// unreadable.
const SPACES = ' '.repeat(150_000);
const HOSTILE: Record<string, { files: Record<string, string>; root?: string }> = {
  'scripts that run each other hundreds of times': {
    files: { 'package.json': JSON.stringify({ scripts: { start: 'npm run start;'.repeat(200) } }) },
  },
  'a watcher far behind its program': {
    files: {
      'package.json': JSON.stringify({ scripts: { start: 'npm run it', it: `node${SPACES}--watc` } }),
    },
  },
  'a gem without a name': { files: { Gemfile: `gem${SPACES}`, 'index.html': 'x' } },
  'a program that requires nothing': {
    files: { Gemfile: "gem 'sinatra'", 'app.rb': `require${SPACES}`, Procfile: 'web: ruby app.rb' },
  },
  'a text of quotes': { files: { 'deno.json': `"${'\\"'.repeat(95_000)}\\\n`, 'index.html': 'x' } },
  'patterns of many braces': {
    files: {
      'package.json': JSON.stringify({ workspaces: ['{a,b}'.repeat(30)] }),
      'package-lock.json': '{}',
      'sub/index.html': 'x',
    },
    root: 'sub',
  },
};

for (const [what, { files, root }] of Object.entries(HOSTILE)) {
  test(`${what} are read in no time`, async () => {
    assert.ok(await planned(files, root));
  });
}
