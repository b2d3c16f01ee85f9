import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

// main → compose → areas → identity → kernel. Lower never imports higher, and events and applications
// never import each other (ARCHITECTURE.md).

const ROOT = new URL('..', import.meta.url).pathname;
const LEVELS: Record<string, number> = {
  kernel: 0,
  migrations: 1,
  identity: 2,
  compose: 8,
  'compose.ts': 9,
  'main.ts': 10,
};
const EVENTS_SIDE = [
  'events',
  'guests',
  'vendors',
  'compliance',
  'retention',
  'history',
  'sharing',
  'rsvp',
  'invitations',
];
const APPLICATIONS_SIDE = ['applications', 'deployments', 'runtimes', 'gateway', 'domains'];

const partOf = (path: string) => path.split('/')[1] ?? '';
const levelOf = (part: string) => LEVELS[part] ?? 5;

const imports = globSync('server/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => ({
      file,
      from: partOf(file),
      to: partOf(normalize(join(dirname(file), target))),
      target,
    })),
  );

test('imports run downward only', () => {
  assert.ok(imports.length > 50);
  const upward = imports.filter(({ from, to }) => levelOf(to) > levelOf(from));
  assert.deepEqual(upward, []);
});

test('the two areas know nothing of each other', () => {
  const crossing = imports.filter(
    ({ from, to }) =>
      (EVENTS_SIDE.includes(from) && APPLICATIONS_SIDE.includes(to)) ||
      (APPLICATIONS_SIDE.includes(from) && EVENTS_SIDE.includes(to)),
  );
  assert.deepEqual(crossing, []);
});

test('only main ends the process, and nothing is exported by default', () => {
  for (const file of globSync('{server,commands}/**/*.ts', { cwd: ROOT })) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    assert.ok(!/^export default/m.test(source), `${file} exports by default`);
    if (file.startsWith('server/') && file !== 'server/main.ts') {
      assert.ok(!/process\.exit\(/.test(source), `${file} ends the process`);
    }
  }
});
