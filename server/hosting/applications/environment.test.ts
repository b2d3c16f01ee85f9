import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LARGEST_VALUE, MOST_VARIABLES, readVariableChanges, withChanges } from './environment.ts';

const refused = (body: unknown, said: RegExp) => assert.throws(() => readVariableChanges(body), said);

test('names and values as an environment can carry them, null to delete', () => {
  const changes = { A: 'x', _b: '', c_3: 'שורה\nועוד', D: null };
  assert.deepEqual(readVariableChanges(changes), changes);
});

test('anything else is refused, and the sentence names the variable but never its value', () => {
  for (const name of ['', '1A', 'A-B', 'A B', 'A=B', 'ש', 'A.B', `A${'x'.repeat(255)}`]) {
    refused({ [name]: 'secret' }, /^Refusal|Error: (?!.*secret)/);
  }
  assert.throws(() => readVariableChanges({ '': 'x' }), { field: '""' });
  for (const value of [
    1,
    true,
    {},
    ['x'],
    'a\0b',
    'x'.repeat(LARGEST_VALUE + 1),
    'ש'.repeat(LARGEST_VALUE / 2 + 1),
  ]) {
    refused({ NAME: value }, /NAME/);
  }
  for (const body of [undefined, null, [], 'A=1', 7]) refused(body, /body/);
});

test('changes apply like assignments, and the set has its limit', () => {
  const names = fc.constantFrom('A', 'B', 'C', 'D');
  const stored = fc.dictionary(names, fc.string());
  const changes = fc.dictionary(names, fc.option(fc.string()));
  fc.assert(
    fc.property(stored, changes, (before, change) => {
      const after = withChanges(before, change);
      for (const name of ['A', 'B', 'C', 'D']) {
        const wanted = name in change ? change[name] : before[name];
        assert.equal(after[name], wanted ?? undefined);
      }
    }),
  );
  const full = Object.fromEntries(Array.from({ length: MOST_VARIABLES }, (_, i) => [`V${i}`, 'x']));
  assert.equal(Object.keys(withChanges(full, { V0: 'y' })).length, MOST_VARIABLES);
  assert.throws(() => withChanges(full, { ONE_MORE: 'x' }), /200/);
  assert.ok(withChanges(full, { ONE_MORE: 'x', V0: null }));
});
