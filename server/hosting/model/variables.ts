export type Variables = Readonly<Record<string, string>>;

/** Scopes of a variable: builds and the running site get it, or only one of them. */
export const VARIABLE_SCOPES = ['all', 'build', 'run'] as const;
export type VariableScope = (typeof VARIABLE_SCOPES)[number];

/** Variables of a site with their scopes, by name. */
export type ScopedVariables = Readonly<Record<string, { value: string; scope: VariableScope }>>;

/** Variables that builds get, or those that the running site and commands beside it get. */
export function variablesFor(use: 'build' | 'run', variables: ScopedVariables): Variables {
  const visible = Object.entries(variables).filter(([, { scope }]) => scope === 'all' || scope === use);
  return Object.fromEntries(visible.map(([name, { value }]) => [name, value]));
}

/** Names of the variables for builds alone that two sites have with different values, or only one of them has. */
export function differingBuildVariables(one: ScopedVariables, other: ScopedVariables): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const isForBuilds = (name: string) =>
    [one[name], other[name]].some((variable) => variable?.scope === 'build');
  return [...names].filter((name) => isForBuilds(name) && one[name]?.value !== other[name]?.value).sort();
}

/** Values of all variables, which logs hide whatever their scope: a build may write its values into the site. */
export function valuesOf(variables: ScopedVariables): string[] {
  return Object.values(variables).map(({ value }) => value);
}
