import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { NPM_CI } from '../detection/managers.ts';
import { lockedPackages } from './cached-packages.ts';

const MANIFEST = { scripts: { build: 'vite build' }, dependencies: { one: '^1.0.0' } };
const ONE = { version: '1.0.0', resolved: 'https://registry.example/one.tgz', integrity: 'sha512-one' };
const LOCK = { lockfileVersion: 3, packages: { 'node_modules/one': ONE } };

const BY_TOKEN = `//registry.example/:_authToken=\${TOKEN}`;

interface Given {
  manifest?: object;
  lock?: object | null;
  files?: Record<string, string>;
  links?: Record<string, string>;
  root?: string;
  command?: string;
  node?: string;
  variables?: Record<string, string>;
  base?: string;
}

async function keyOf(given: Given): Promise<string | undefined> {
  const { manifest = MANIFEST, lock = LOCK, root = '', command = NPM_CI, node, variables = {} } = given;
  await using source = await mkdtempDisposable(join(tmpdir(), 'simcha-source-'));
  const own = join(source.path, 'own');
  await mkdir(join(own, root), { recursive: true });
  const files = {
    'package.json': JSON.stringify(manifest),
    ...(lock && { 'package-lock.json': JSON.stringify(lock, null, 2) }),
    ...given.files,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(own, root, name), text);
  for (const [name, to] of Object.entries(given.links ?? {})) await symlink(to, join(own, root, name));
  const plan = { steps: [{ name: 'install' as const, command }], ...(node !== undefined && { node }) };
  const found = await lockedPackages(
    { root, plan, variables },
    { source: own, base: given.base ?? 'sha256:1' },
  );
  return found?.key;
}

test('packages that a lockfile decides alone are known by all that decides them', async () => {
  const plain = await keyOf({});
  assert.ok(plain);
  const same: Given[] = [
    {},
    { variables: { GREETING: 'shalom', DATABASE_URL: 'postgres://' } },
    { files: { 'server.js': 'other' } },
  ];
  for (const one of same) assert.equal(await keyOf(one), plain, JSON.stringify(one));
  const others: Given[] = [
    { lock: { ...LOCK, packages: { 'node_modules/one': { ...ONE, integrity: 'sha512-other' } } } },
    { manifest: { ...MANIFEST, name: 'other' } },
    { base: 'sha256:2' },
    { node: '>=20' },
    { root: 'site' },
    { variables: { npm_config_omit: 'optional' } },
    { variables: { NODE_ENV: 'development' } },
    { files: { '.npmrc': 'omit=optional' } },
    { files: { '.npmrc': BY_TOKEN }, variables: { TOKEN: 'one' } },
    { files: { '.npmrc': BY_TOKEN }, variables: { TOKEN: 'two' } },
    { lock: { ...LOCK, lockfileVersion: 2 } },
  ];
  const keys = await Promise.all(others.map(keyOf));
  assert.ok(keys.every((key) => key !== undefined));
  assert.equal(new Set([plain, ...keys]).size, others.length + 1);
});

test('packages that something else of the source may decide are nobody’s to keep', async () => {
  const withOne = (one: object) => ({
    lock: { ...LOCK, packages: { 'node_modules/one': { ...ONE, ...one } } },
  });
  const given: Record<string, Given> = {
    'runs something': withOne({ hasInstallScript: true }),
    'is a folder': withOne({ link: true }),
    'is a file': withOne({ resolved: 'file:../one.tgz' }),
    'is a commit': withOne({ resolved: 'git+ssh://git@example.com/one.git#1' }),
    'says nothing of that': { lock: { ...LOCK, lockfileVersion: 1 } },
    'no lockfile': { lock: null },
    'a script of its own': { manifest: { scripts: { prepare: 'husky' } } },
    'another script': { manifest: { scripts: { postinstall: 'patch-package' } } },
    'a workspace': { manifest: { ...MANIFEST, workspaces: ['packages/*'] } },
    'code to compile': { files: { 'binding.gyp': '{}' } },
    'packages in the source': { links: { node_modules: '/nowhere' } },
    'settings behind a link': { links: { '.npmrc': '../shared' } },
    'a lockfile behind a link': { lock: null, links: { 'package-lock.json': '../shared' } },
    'another command': { command: 'npm ci && node prepare.js' },
    'a file of certificates': { files: { '.npmrc': 'cafile=./ca.pem' } },
    'other settings': { variables: { npm_config_userconfig: './npmrc' } },
    'what npm loads': { variables: { NODE_OPTIONS: '--require ./hook.js' } },
  };
  for (const [name, one] of Object.entries(given)) assert.equal(await keyOf(one), undefined, name);
});
