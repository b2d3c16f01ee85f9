import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valuesOf, variablesFor } from '../model/variables.ts';
import type { VariableDefinition } from './variable-definitions.ts';
import {
  type ResolvedVariable,
  resolveVariables,
  siteVariables,
  type VariableLayers,
} from './variable-layers.ts';

type Definition = Partial<Omit<VariableDefinition, 'name'>>;

const define = (name: string, definition: Definition): VariableDefinition => ({
  name,
  value: null,
  preview_value: null,
  scope: null,
  in_previews: true,
  ...definition,
});

/** Layers in which each of the given parts defines the variable `A`. */
function layersOf(parts: {
  own?: Definition;
  first?: Definition;
  second?: Definition;
  preview?: string;
}): VariableLayers {
  const defined = (definition: Definition | undefined) => (definition ? [define('A', definition)] : []);
  return {
    application: defined(parts.own),
    groups: [
      { name: 'first', variables: defined(parts.first) },
      { name: 'second', variables: defined(parts.second) },
    ],
    preview: defined(parts.preview === undefined ? undefined : { value: parts.preview }),
  };
}

/** Scope of a variable, and its values with their origins, in production and in previews. */
function resolved(layers: VariableLayers) {
  const [variable] = resolveVariables(layers);
  const told = (given: ResolvedVariable['production'] | undefined) =>
    given ? [given.value, given.from, ...(given.group === null ? [] : [given.group])].join(' ') : null;
  return [variable?.scope, told(variable?.production), told(variable?.previews)];
}

test('the value and the scope of a variable come from the first layer that sets them', () => {
  for (const [what, parts, expected] of [
    ['an own value', { own: { value: '1' } }, ['all', '1 application', '1 application']],
    ['an empty one', { own: { value: '' } }, ['all', ' application', ' application']],
    ['a group’s', { second: { value: '2' } }, ['all', '2 group second', '2 group second']],
    [
      'the group linked last',
      { first: { value: '1' }, second: { value: '2' } },
      ['all', '1 group first', '1 group first'],
    ],
    [
      'own over a group’s, which still has the scope',
      { own: { value: '1' }, first: { value: '2', scope: 'build' } },
      ['build', '1 application', '1 application'],
    ],
    [
      'an own scope',
      { own: { value: '1', scope: 'all' }, first: { value: '2', scope: 'build' } },
      ['all', '1 application', '1 application'],
    ],
    [
      'another value for previews',
      { own: { value: '1', preview_value: '2', scope: 'run' } },
      ['run', '1 application', '2 application_previews'],
    ],
    ['only in previews', { own: { preview_value: '' } }, ['all', null, ' application_previews']],
    ['not in previews', { own: { value: '1', in_previews: false } }, ['all', '1 application', null]],
    [
      'not in previews, though there is a value for them',
      { own: { value: '1', preview_value: '2', in_previews: false } },
      ['all', '1 application', null],
    ],
    [
      'own value, which a group’s for previews does not override',
      { own: { value: '1' }, first: { value: '2', preview_value: '3' } },
      ['all', '1 application', '1 application'],
    ],
    [
      'own value for previews over a group’s variable',
      { own: { preview_value: '1' }, first: { value: '2', preview_value: '3' } },
      ['all', '2 group first', '1 application_previews'],
    ],
    [
      'a group’s variable that the application keeps from previews',
      { own: { in_previews: false }, first: { value: '2' } },
      ['all', '2 group first', null],
    ],
    [
      'a group that keeps its variable from previews',
      { first: { value: '1', in_previews: false }, second: { value: '2' } },
      ['all', '1 group first', null],
    ],
    [
      'a group’s value for previews',
      { second: { value: '1', preview_value: '2' } },
      ['all', '1 group second', '2 group_previews second'],
    ],
    [
      'a preview’s own over all, with the scope of what it overrides',
      { own: { value: '1', preview_value: '2', scope: 'build', in_previews: false }, preview: '' },
      ['build', '1 application', ' preview'],
    ],
    ['a preview’s alone', { preview: '1' }, ['all', null, '1 preview']],
  ] as const)
    assert.deepEqual(resolved(layersOf(parts)), expected, what);
});

test('a site gets the variables of production or of previews, ordered by name', () => {
  const layers: VariableLayers = {
    application: [define('B', { value: '1', in_previews: false }), define('_', { preview_value: '2' })],
    groups: [{ name: 'shared', variables: [define('a', { value: '3', scope: 'run' })] }],
    preview: [define('A', { value: '4' })],
  };
  assert.deepEqual(Object.entries(siteVariables(layers, 'production')), [
    ['B', { value: '1', scope: 'all' }],
    ['a', { value: '3', scope: 'run' }],
  ]);
  assert.deepEqual(Object.keys(siteVariables(layers, 'previews')), ['A', '_', 'a']);
  assert.deepEqual(
    resolveVariables(layers).map(({ name, own }) => [name, own?.name]),
    [
      ['A', undefined],
      ['B', 'B'],
      ['_', '_'],
      ['a', undefined],
    ],
  );
});

test('builds and running sites get the variables of their scope, and logs hide all values', () => {
  const variables = {
    ALL: { value: '1', scope: 'all' },
    BUILD: { value: '2', scope: 'build' },
    RUN: { value: '3', scope: 'run' },
  } as const;
  assert.deepEqual(variablesFor('build', variables), { ALL: '1', BUILD: '2' });
  assert.deepEqual(variablesFor('run', variables), { ALL: '1', RUN: '3' });
  assert.deepEqual(valuesOf(variables), ['1', '2', '3']);
});
