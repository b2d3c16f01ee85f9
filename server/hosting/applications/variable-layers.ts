import type { ScopedVariables, VariableScope } from '../model/variables.ts';
import type { VariableDefinition } from './variable-definitions.ts';

/** Everything that sets variables of a site. */
export interface VariableLayers {
  /** Linked groups; the first one overrides the others. */
  groups: readonly { name: string; variables: readonly VariableDefinition[] }[];
  application: readonly VariableDefinition[];
  /** Own variables of the preview that the layers are for. */
  preview: readonly VariableDefinition[];
}

/** Places where the value of a variable can be set; `…_previews`: as the value for previews. */
export const VALUE_ORIGINS = [
  'application',
  'application_previews',
  'group',
  'group_previews',
  'preview',
] as const;
export type ValueOrigin = (typeof VALUE_ORIGINS)[number];

export interface GivenValue {
  value: string;
  from: ValueOrigin;
  /** Name of the group that set the value. */
  group: string | null;
}

/** Variable of an application with the values that its sites get. */
export interface ResolvedVariable {
  name: string;
  scope: VariableScope;
  /** Value in production; null if production does not get the variable. */
  production: GivenValue | null;
  /** Value in previews, or in the preview that the layers are for; null if they do not get the variable. */
  previews: GivenValue | null;
  /** The application's own definition. */
  own: VariableDefinition | null;
}

/** Definition of a variable, and the group that has it; null: the application itself. */
interface Found {
  group: string | null;
  definition: VariableDefinition;
}

/**
 * Resolves the variables of an application, ordered by name. A preview's own value overrides the application's, and
 * the application's overrides those of groups.
 */
export function resolveVariables({ groups, application, preview }: VariableLayers): ResolvedVariable[] {
  const layers = [
    { group: null, variables: byName(application) },
    ...groups.map(({ name, variables }) => ({ group: name, variables: byName(variables) })),
  ];
  const ofPreview = byName(preview);
  const names = new Set([...layers.flatMap(({ variables }) => [...variables.keys()]), ...ofPreview.keys()]);
  return [...names].sort().map((name) => {
    const found = layers.flatMap(({ group, variables }): Found[] => {
      const definition = variables.get(name);
      return definition ? [{ group, definition }] : [];
    });
    const [first] = found;
    return {
      name,
      scope: found.find(({ definition }) => definition.scope !== null)?.definition.scope ?? 'all',
      production: productionValue(found),
      previews: ownValue(ofPreview.get(name)) ?? previewValue(found),
      own: first?.group === null ? first.definition : null,
    };
  });
}

/** Variables of one site with their scopes, by name. */
export function siteVariables(layers: VariableLayers, site: 'production' | 'previews'): ScopedVariables {
  return Object.fromEntries(
    resolveVariables(layers).flatMap(({ name, scope, [site]: given }) =>
      given ? [[name, { value: given.value, scope }] as const] : [],
    ),
  );
}

function productionValue(found: readonly Found[]): GivenValue | null {
  for (const { group, definition } of found) {
    if (definition.value !== null)
      return { value: definition.value, from: group === null ? 'application' : 'group', group };
  }
  return null;
}

function previewValue(found: readonly Found[]): GivenValue | null {
  for (const { group, definition } of found) {
    const { value, preview_value: forPreviews, in_previews: inPreviews } = definition;
    if (!inPreviews) return null;
    const from = group === null ? 'application' : 'group';
    if (forPreviews !== null) return { value: forPreviews, from: `${from}_previews`, group };
    if (value !== null) return { value, from, group };
  }
  return null;
}

function ownValue(definition: VariableDefinition | undefined): GivenValue | null {
  return typeof definition?.value === 'string'
    ? { value: definition.value, from: 'preview', group: null }
    : null;
}

function byName(definitions: readonly VariableDefinition[]): ReadonlyMap<string, VariableDefinition> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}
