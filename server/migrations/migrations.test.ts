import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { migrations } from './migrations.ts';

// Databases hold what a file said when it ran there, so a file stays as it was. A new one gets its line here.

const FROZEN: Readonly<Record<string, string>> = {
  '0001-kernel': '1fa82b21c1e9b8fe47334ba5c2e48adb1e8011f04e4f148fb0c72263fd79ec00',
  '0002-identity': '5145d1d60fe34c5fdf491130afdb16f92350c3fbcb2601cd6c4602bb2cdc4a1c',
  '0003-events': 'bb5a4cd45fcf9e641250e75ea1cabe074968866776b7e7d97e1c607f378b9d61',
  '0004-guests': '9ee3c0b6291924cef74665299f55524ab52780e33e5a7d30dfa9717b7e02cd33',
  '0005-answers': '4fdf1fda15c1ddc730271748ce4edad55ba5a05f67da3a7008357a0c11683cab',
  '0006-messages': 'b3e088f788c5a62197d35bb29e10286b14139d3582ccaae45d587dfc83f9fdcf',
  '0007-vendors': '169e45ae6f59cd97f81846c6920eec9dcf9452aac15bdaf13caa3919931e61ed',
  '0008-tallies': 'f2ff32b24939e8a4383a0ac3afc49e87cdc74418d7a79a684dec5f7a9877a63c',
  '0009-applications': '6498e96b7e4af73e5282a18c75153d42256c88db19ffa60653c1eeb5dffe6edf',
  '0010-deployments': 'ea3ab90ac4626dec0ac6a799c22f1849132626d8d580eed9934689dd889b4c49',
  '0011-controller': 'b4943e134f5691672c505530d80c0ca06f1b4a84c56c55c414eb4ab806842f9c',
  '0012-access-tokens': '8ca1a70d2d62fe3dac4290e4b98b9be00cd9ebc8e893ebf9d1b7166ff506074c',
  '0013-figures': '7b75bce6d43ecd676e4b595c5c9678d4da4380d6231416ffd3b324f70df471f3',
  '0014-webhooks': '4ef8883cb65157a870150f3027affc2d7b0d2466e8ad765e93b3d53fe3e7f33a',
  '0015-people': 'c155ef0e467316f53b7c8477a66f61587909e423c4b7f0966877f7da2aa57d30',
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
