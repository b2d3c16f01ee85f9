import assert from 'node:assert/strict';
import { test } from 'node:test';
import semver from 'semver';
import { readManifest } from './manifest.ts';
import { defaultNode, nodeIn, nodeRange } from './node-version.ts';

test('what people write for a version of Node.js is a range', () => {
  const fits = (text: string, version: string) => semver.satisfies(version, nodeRange(text) ?? '<0.0.0-0');
  for (const [text, yes, no] of [
    ['22', '22.21.1', '23.0.0'],
    ['v22', '22.0.0', '21.9.0'],
    ['v20.11.1', '20.11.1', '20.11.2'],
    ['20.x', '20.19.5', '22.0.0'],
    ['>=18 <23', '22.1.0', '23.1.0'],
    ['>= 18.0.0', '26.10.0', '17.9.1'],
    ['^18.17 || >=20.5', '20.6.0', '19.0.0'],
    ['~22.4', '22.4.9', '22.5.0'],
    ['lts/jod', '22.3.0', '24.0.0'],
    ['LTS/Hydrogen', '18.20.8', '20.0.0'],
    ['lts/*', '26.10.0', '22.21.0'],
    ['node', '26.10.0', undefined],
    ['*', '16.0.0', undefined],
  ] as const) {
    assert.ok(fits(text, yes), `${text} is ${yes}`);
    if (no !== undefined) assert.ok(!fits(text, no), `${text} is not ${no}`);
  }
  for (const text of [
    '',
    'iojs',
    'system',
    'lts/lead',
    'please 18',
    `>=${'9'.repeat(200)}`,
    '18; id',
    '$(id)',
  ])
    assert.equal(nodeRange(text), undefined, text);
});

test('each file that developers name a version of Node.js in is read, the first that does', () => {
  const asked = (texts: Record<string, string>, manifest: object = {}) =>
    nodeIn(
      { files: new Set(), folders: new Set(), texts },
      readManifest(JSON.stringify(manifest)),
      undefined,
    );
  const tools = '# ours\npython 3.12.1\nnodejs 20.11.1 18.0.0 # both\n';
  const both = { volta: { node: '22.1.0' }, engines: { node: '>=18' } };
  assert.deepEqual(asked({ '.tool-versions': tools }, both), { by: '.tool-versions', value: '20.11.1' });
  assert.deepEqual(asked({ '.tool-versions': 'node lts' })?.value, 'lts/*');
  assert.deepEqual(asked({ '.nvmrc': '18', '.tool-versions': tools })?.value, '18');
  assert.deepEqual(asked({}, both), { by: 'package.json', value: '22.1.0' });
  for (const none of ['nodejs system', 'nodejs path:~/node', 'deno 2', 'nodejs', '']) {
    assert.equal(asked({ '.tool-versions': none }), undefined, none);
  }
  assert.throws(() => asked({ '.tool-versions': 'nodejs iojs' }), /\.tool-versions/);
});

test('where nobody asks for a version it is the newest that is supported for long', () => {
  for (const [day, own, range] of [
    ['2026-11-28', '26.10.0', undefined],
    ['2026-10-27', '26.10.0', '24'],
    ['2025-11-01', '25.1.0', '24'],
    ['2027-05-01', '27.0.0', '26'],
    ['2027-11-01', '27.8.0', undefined],
    ['2028-05-01', '28.0.0', '27'],
  ] as const) {
    assert.equal(defaultNode(new Date(day), own), range, `${own} on ${day}`);
  }
});
