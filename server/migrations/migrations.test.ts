import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { migrations } from './migrations.ts';

// Databases hold what a file said when it ran there, so a file stays as it was. A new one gets its line here.

const FROZEN: Readonly<Record<string, string>> = {
  '0001-kernel': '2fdbc108f654bd3ce56191ceab38f4a02cdac2504a62efaf096e0de07e9c72c2',
  '0002-identity': 'a91516c65b292e5a1df0b58369a965180297600a5f94c03331f5e29dee0ef612',
  '0003-events': '7d2a4c10cbbed84139dbfba49aeb3c027b3572f5f4fd8ca79fb1488ead5b1b70',
  '0004-guests': 'a8387977e21eb56891d9bbb9873e6fe45baf2188728f5239c11701db6f07a377',
  '0005-answers': '5d93e728cf0e72ed77cfbabfed02ba0a2bd71604355215793f90d1a25c44cf14',
  '0006-messages': '2436bc66c74b4e819f370137fc11e1ea5d1952a139aa57d06e77f76430dc203b',
  '0007-vendors': 'df21585cfdb1912da5fc75adf1cacb44a85e12dbc82bb10b3a6134135158041e',
  '0008-tallies': '02ca716e792222fc9262eec1f704d98798ee2dccbf35d20be9d7d5e6bfac691e',
  '0009-applications': 'ef372cb9a60a0c67634f89ea3fbee40a1c7e96b27639327d7bed8676059d5289',
  '0010-deployments': '029ba3df3594e9cae26e465e43bff9dab4b3dc541f38d9d96a9c8f1895d05854',
  '0011-controller': '0b7caf5ed59ca8da9f8daf2a55eeaa4914661080137232b41d02bcb1bb4a3a4f',
};

const files = globSync('[0-9]*.ts', { cwd: import.meta.dirname }).sort();
const sourceOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

test('the list names every file, numbered in the order in which they run', () => {
  const names = Object.keys(migrations);
  assert.deepEqual(
    names.map((name) => `${name}.ts`),
    files,
  );
  for (const [index, name] of names.entries()) {
    assert.match(name, new RegExp(`^${String(index + 1).padStart(4, '0')}-[a-z-]+$`));
  }
});

test('a migration stays as it was', () => {
  for (const file of files) {
    const hash = createHash('sha256').update(sourceOf(file)).digest('hex');
    const frozen = FROZEN[file.replace('.ts', '')];
    assert.ok(frozen, `${file} is new: add its line to FROZEN, '${file.replace('.ts', '')}': '${hash}'`);
    assert.equal(
      hash,
      frozen,
      `${file} has changed. A database that ran it never runs it again: put it back, and add a new file for the change. ` +
        `Only while no release has it (CHANGELOG.md has no released version) may it change: then its hash here ` +
        `becomes ${hash}, in the same commit.`,
    );
  }
  assert.deepEqual(Object.keys(FROZEN), Object.keys(migrations));
});

test('a migration stands alone: what it imported could change beneath it', () => {
  for (const file of files) {
    const imports = [...sourceOf(file).matchAll(/from '([^']+)'/g)].map(([, target]) => target);
    assert.deepEqual(imports, ['kysely'], file);
  }
});
