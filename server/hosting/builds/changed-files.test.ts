import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonIn } from './changed-files.ts';

const HASH = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const COMMIT = `${HASH} Noa\x1fShow the map`;

test('changed paths are read from git’s output, quoted ones too', () => {
  const { commit, paths } = comparisonIn(
    `warning: from the host\n${COMMIT}\n\x1e\napps/web/a.ts\nתמונה.png\n"a\\"b\\\\c\\td\\001"\n`,
  );
  assert.deepEqual(commit, { hash: HASH, message: 'Show the map', author: 'Noa' });
  assert.deepEqual(paths, ['apps/web/a.ts', 'תמונה.png', 'a"b\\c\td\x01']);
});

test('without changes there is no path, and of an output that was cut none is known', () => {
  assert.deepEqual(comparisonIn(`${COMMIT}\n\x1e\n`).paths, []);
  assert.equal(comparisonIn('b.ts\nc.ts\n').paths, undefined);
});
