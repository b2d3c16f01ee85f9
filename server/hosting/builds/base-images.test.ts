import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseImageOf } from './base-images.ts';

const IMAGES = {
  node: 'node:{version}-slim',
  python: 'python:{version}-slim',
  php: 'composer:2',
  ruby: 'ruby:{version}-slim',
  go: 'registry.example/go:{version}',
  rust: 'rust:{version}-slim',
};
const own = process.versions.node.split('.')[0];

const program = (name: string, version?: string, isBound = false) => ({
  name,
  check: '',
  package: '',
  ...(version !== undefined && { asked: [{ version, by: '', isBound }] }),
});

test('an image is of the language and the version that a source asks for', () => {
  const image = (plan: Parameters<typeof baseImageOf>[0]) => baseImageOf(plan, IMAGES).image;
  assert.equal(image({}), `node:${own}-slim`);
  assert.equal(image({ node: '>=20' }), `node:${own}-slim`);
  assert.equal(image({ node: '^18.0.0' }), 'node:18-slim');
  assert.equal(image({ node: '18.20.1' }), 'node:18.20.1-slim');
  assert.equal(image({ node: '>=18 <24' }), 'node:22-slim', 'a line that is supported for long');
  assert.equal(image({ node: '>=23.1.0 <24.0.0-0' }), 'node:23-slim');
  assert.equal(image({ node: '>=900' }), `node:${own}-slim`, 'which is said to be none');
  assert.match(image({ programs: [program('Python')] }), /^python:3\.\d+-slim$/);
  assert.equal(image({ programs: [program('Python', '3.11.4')] }), 'python:3.11-slim');
  assert.match(image({ programs: [program('Python', '>=3.9', true)] }), /^python:3\.1\d-slim$/);
  assert.equal(image({ programs: [program('Python', '>=3.99', true)] }), 'python:3.99-slim');
  assert.match(image({ programs: [program('Go', '>=1.19', true)] }), /go:1\.2\d$/);
  assert.equal(image({ programs: [program('Go', '>=1.99.2', true)] }), 'registry.example/go:1.99');
  assert.equal(image({ programs: [program('Rust', '>=1.70', true)] }), 'rust:1-slim');
  assert.equal(image({ programs: [program('Rust', '1.84.1')] }), 'rust:1.84-slim');
  assert.equal(image({ programs: [program('PHP'), program('Composer')] }), 'composer:2');
  assert.equal(image({ programs: [program('Ruby', '3.2.2')], node: '20.0.0' }), 'ruby:3.2-slim');
  assert.match(image({ programs: [program('Go')] }), /^registry\.example\/go:1\.\d+$/);
  assert.equal(baseImageOf({ programs: [program('Go')] }, IMAGES).setting, 'APPS_IMAGE_GO');
});
