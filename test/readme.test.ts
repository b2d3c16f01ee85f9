import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingNames } from '../server/kernel/config.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

test('the README’s table has every setting, and none that does not exist', () => {
  const rows = readme.split('\n').filter((line) => /^\| `[A-Z]/.test(line));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
  );
  assert.deepEqual(named.toSorted(), settingNames.toSorted());
});

test('every npm script the README names exists', () => {
  const used = [
    ...readme.matchAll(
      /npm (?:run )?(?:--silent )?(start|test|token|invite|demo|bench|lint|types|format)\b/g,
    ),
  ];
  assert.ok(used.length >= 4);
  for (const [, name = ''] of used) assert.ok(scripts[name], name);
});
