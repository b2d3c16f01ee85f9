import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import {
  areasOf,
  concernedFiles,
  LANES,
  type Selection,
  shortSelection,
  sizeOf,
  takeBatch,
} from './lanes.ts';

test('a change of a part concerns files of the lanes that exist', () => {
  const features = readdirSync('web/src/features').map((name) => `web/src/features/${name}/words.ts`);
  const parts = [
    'builds',
    'controller',
    'engine',
    'gateway',
    'logs',
    'previews',
    'runs',
    'runtimes',
    'sandbox',
    'volumes',
  ];
  for (const path of [...features, ...parts.map((name) => `server/hosting/${name}/file.ts`)]) {
    const concerned = concernedFiles([path]);
    assert.notEqual(concerned.length, 0, path);
    for (const { files, onRuntime } of concerned)
      for (const file of [...files, ...Object.values(onRuntime).flat()]) assert.ok(existsSync(file), file);
  }
});

test('a change of guest pages concerns the test of their accessibility', () => {
  assert.deepEqual(concernedFiles(['server/planning/answers/page.ts']), [
    { files: ['test/planning/answers/accessibility.test.ts'], onRuntime: {} },
  ]);
});

test('what is changed most often is run first, and other changes concern no lane', () => {
  const [guests, vendors] = ['web/src/features/guests/a.ts', 'test/web/vendors.test.ts'];
  const [first, ...others] = concernedFiles([guests, vendors, vendors, 'server/planning/guests/fields.ts']);
  assert.deepEqual(first, { files: ['test/web/vendors.test.ts'], onRuntime: {} });
  assert.deepEqual(
    others.flatMap(({ files }) => files),
    ['test/web/guests.test.ts', 'test/web/imports.test.ts'],
  );
});

test('each file is in one process of a run', () => {
  for (const selection of [shortSelection(), LANES.web, LANES.engines]) {
    const members = [...areasOf(selection).values()].flatMap((area) => area.members);
    assert.equal(members.length, sizeOf(selection));
  }
});

test('a batch ends in time: files of one engine follow one another', () => {
  const on = (runtime: 'docker' | 'swarm', file: string): Selection => ({
    files: [],
    onRuntime: { [runtime]: [file] },
  });
  const [first, second, cluster] = [on('docker', 'a'), on('docker', 'b'), on('swarm', 'c')];
  const web = { files: ['d'], onRuntime: {} };
  const waiting = [first, second, cluster, web, web];
  assert.deepEqual(takeBatch(waiting, 50, 3), []);
  assert.deepEqual(takeBatch(waiting, 120, 3), [web, web]);
  assert.deepEqual(takeBatch(waiting, 200, 3), [first, web, web]);
  assert.deepEqual(takeBatch(waiting, 299, 3), [first, web, web]);
  assert.deepEqual(takeBatch(waiting, 300, 3), [first, second, cluster]);
});
