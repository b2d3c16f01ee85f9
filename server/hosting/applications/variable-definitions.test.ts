import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LARGEST_VALUE } from './environment.ts';
import { definitionChanges, withChanges } from './variable-definitions.ts';

const read = (body: unknown) => definitionChanges(2).read('body', body);

test('changes of variables are read by name, with the given fields alone', () => {
  const changes = {
    A: { value: '', scope: 'build' },
    B: { preview_value: ' two ', in_previews: false },
    C: { value: null, scope: null },
    D: null,
  };
  assert.deepEqual(read(changes), changes);
  for (const [body, field] of [
    ['A=1', 'body'],
    [{ '1A': null }, '1A'],
    [{ PATH: { value: 'x' } }, 'PATH'],
    [{ A: 'text' }, 'A'],
    [{ A: { value: 1 } }, 'A.value'],
    [{ A: { preview_value: 'x'.repeat(LARGEST_VALUE + 1) } }, 'A.preview_value'],
    [{ A: { scope: 'deploy' } }, 'A.scope'],
    [{ A: { in_previews: null } }, 'A.in_previews'],
    [{ A: { vlaue: 'x' } }, 'A.vlaue'],
    [{ A: null, B: null, C: null, D: null, E: null }, 'body'],
  ] as const)
    assert.throws(() => read(body), { field }, JSON.stringify(body).slice(0, 60));
});

test('absent fields of a definition stay, and each definition must have an effect', () => {
  const stored = withChanges([], { B: { value: '1', scope: 'build' }, A: { value: '2' } }, 2);
  assert.deepEqual(
    stored.map(({ name }) => name),
    ['A', 'B'],
  );
  const [a, b] = withChanges(stored, { B: { preview_value: '3' } }, 2);
  assert.deepEqual(b, { name: 'B', value: '1', preview_value: '3', scope: 'build', in_previews: true });
  assert.deepEqual(withChanges(stored, { B: null }, 2), [a]);
  assert.throws(() => withChanges(stored, { C: { value: '3' } }, 2), { field: 'body' });
  assert.ok(withChanges(stored, { C: { value: '3' }, A: null }, 2));
  for (const change of [{}, { scope: 'run' }, { value: null, preview_value: null }] as const)
    assert.throws(() => withChanges([], { A: change }, 2), { field: 'A.value' });
  assert.throws(() => withChanges(stored, { A: { value: null } }, 2), { field: 'A.value' });
  assert.ok(withChanges(stored, { A: { value: null, in_previews: false } }, 2));
});
