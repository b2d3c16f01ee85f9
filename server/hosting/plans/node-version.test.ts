import assert from 'node:assert/strict';
import { test } from 'node:test';
import semver from 'semver';
import { nodeRange } from './node-version.ts';

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
