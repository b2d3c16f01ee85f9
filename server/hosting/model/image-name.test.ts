import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LONGEST_IMAGE_NAME, parseImageName, pinnedName, registryHost, withTag } from './image-name.ts';

const HEX = 'a1'.repeat(32);
const DIGEST = `sha256:${HEX}`;

test('a name gets its registry, its path and its tag', () => {
  for (const [text, name, registry, repository, tag, digest] of [
    ['nginx', 'docker.io/library/nginx:latest', 'docker.io', 'library/nginx', 'latest'],
    ['nginx:1.27', 'docker.io/library/nginx:1.27', 'docker.io', 'library/nginx', '1.27'],
    ['who/app', 'docker.io/who/app:latest', 'docker.io', 'who/app', 'latest'],
    ['docker.io/nginx', 'docker.io/library/nginx:latest', 'docker.io', 'library/nginx', 'latest'],
    ['index.docker.io/who/app:2', 'docker.io/who/app:2', 'docker.io', 'who/app', '2'],
    ['ghcr.io/who/app:1.4', 'ghcr.io/who/app:1.4', 'ghcr.io', 'who/app', '1.4'],
    ['GHCR.io/who/app:V1', 'ghcr.io/who/app:V1', 'ghcr.io', 'who/app', 'V1'],
    ['quay.io/app', 'quay.io/app:latest', 'quay.io', 'app', 'latest'],
    ['localhost/app', 'localhost/app:latest', 'localhost', 'app', 'latest'],
    ['r.example:5000/a/b/c', 'r.example:5000/a/b/c:latest', 'r.example:5000', 'a/b/c', 'latest'],
    ['[2001:db8::1]:5000/app:1', '[2001:db8::1]:5000/app:1', '[2001:db8::1]:5000', 'app', '1'],
    ['a__b/c-d.e', 'docker.io/a__b/c-d.e:latest', 'docker.io', 'a__b/c-d.e', 'latest'],
    [`ghcr.io/w/a@${DIGEST}`, `ghcr.io/w/a@${DIGEST}`, 'ghcr.io', 'w/a', undefined, DIGEST],
    [`ghcr.io/w/a:1@${DIGEST}`, `ghcr.io/w/a:1@${DIGEST}`, 'ghcr.io', 'w/a', '1', DIGEST],
  ] as const) {
    assert.deepEqual(parseImageName(text), { name, registry, repository, tag, digest }, text);
  }
});

test('what is no name of an image is refused', () => {
  for (const text of [
    '',
    ' ',
    'nginx ',
    '-nginx',
    '--help',
    'ghcr.io/-who/app',
    '-ghcr.io/who/app',
    'nginx:',
    'nginx:-1',
    'nginx:a b',
    `nginx:${'a'.repeat(129)}`,
    'Nginx',
    'ghcr.io/Who/app',
    'a//b',
    '/nginx',
    'nginx/',
    'a/../b',
    '../a',
    'https://ghcr.io/who/app',
    'docker://nginx',
    'user:password@ghcr.io/who/app',
    'ghcr.io:99999/who/app',
    'ghcr.io:/who/app',
    'nginx@sha256:12',
    `nginx@sha512:${'a1'.repeat(64)}`,
    `nginx@${DIGEST.toUpperCase()}`,
    `nginx@${DIGEST}@${DIGEST}`,
    'nginx;id',
    'nginx$(id)',
    'nginx\n',
    'nginx\0',
    'ghcr.io/who/àpp',
    'a'.repeat(256),
    'a'.repeat(LONGEST_IMAGE_NAME + 1),
  ]) {
    assert.equal(parseImageName(text), undefined, JSON.stringify(text));
  }
});

test('a parsed name names the same image again, and has no character that a shell knows', () => {
  const word = fc.stringMatching(/^[a-z0-9:@./_-]{1,40}$/);
  fc.assert(
    fc.property(fc.oneof(word, fc.string()), (text) => {
      const parsed = parseImageName(text);
      if (!parsed) return;
      assert.deepEqual(parseImageName(parsed.name), parsed);
      assert.match(parsed.name, /^[a-z0-9[][\w.:@/[\]-]*$/);
    }),
  );
});

test('the registry’s host and other names of the image follow from its name', () => {
  const one = parseImageName('[2001:db8::1]:5000/app:1');
  assert.ok(one);
  assert.equal(registryHost(one), '2001:db8::1');
  assert.equal(pinnedName(one, DIGEST), `[2001:db8::1]:5000/app@${DIGEST}`);
  assert.equal(withTag(one, '1.5'), '[2001:db8::1]:5000/app:1.5');
  for (const tag of ['', '-1', 'a/b', 'a@b', 'a b']) assert.equal(withTag(one, tag), undefined);
  assert.equal(registryHost({ registry: 'ghcr.io' }), 'ghcr.io');
});
