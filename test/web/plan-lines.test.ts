import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameFromImage } from '../../web/src/features/new-site/api/image-names.ts';
import {
  changesFrom,
  linesFor,
  linesOf,
  valueInImage,
} from '../../web/src/features/new-site/api/plan-lines.ts';

const finding = (line: string, value: string) => ({
  kind: 'line' as const,
  line,
  value,
  by: 'lockfile',
  said: '',
});
const PLAN = {
  type: 'server' as const,
  node: null,
  steps: [
    { name: 'install' as const, command: 'npm install --prefix .package-manager pnpm', folder: '' },
    { name: 'install' as const, command: 'pnpm install --frozen-lockfile', folder: '' },
    { name: 'install' as const, command: 'python3 -m venv .venv', folder: '' },
    { name: 'build' as const, command: 'pnpm run build', folder: '' },
  ],
  publish: [],
  caches: [],
  processes: { web: 'gunicorn app:app' },
  release: null,
  cron: [],
  port: null,
  health_path: '/',
  spa: null,
  dockerfile: null,
  image: null,
  programs: [],
  variables: {},
};

test('a line of a plan has all commands that a change of it replaces, and no others', () => {
  const findings = [
    finding('install', 'pnpm install --frozen-lockfile'),
    finding('install', 'python3 -m venv .venv'),
    finding('build', 'pnpm run build'),
  ];
  const before = linesOf(PLAN, { node: null }, { findings });
  assert.equal(before.install, 'pnpm install --frozen-lockfile && python3 -m venv .venv');
  assert.equal(before.build, 'pnpm run build');
  assert.deepEqual(changesFrom(before, { ...before, install: 'make install' }), { install: 'make install' });
});

test('an image has lines for its start alone, with its own values where they are empty', () => {
  const image = { name: 'ghcr.io/noa/menu:1.4', digest: `sha256:${'a'.repeat(64)}` };
  const findings = [
    { ...finding('start', '/app serve'), by: 'image' },
    { ...finding('port', '3000'), by: 'settings' },
  ];
  assert.deepEqual(linesFor({ ...PLAN, image }), ['start', 'port', 'health_path']);
  assert.equal(valueInImage({ findings }, 'start'), '/app serve');
  assert.equal(valueInImage({ findings }, 'port'), undefined);
});

test('a site is named after its image', () => {
  for (const [image, name] of [
    ['ghcr.io/noa/menu:1.4', 'menu'],
    ['nginx', 'nginx'],
    [`localhost:5000/a/b@sha256:${'a'.repeat(64)}`, 'b'],
    ['', ''],
  ] as const)
    assert.equal(nameFromImage(image), name);
});
