import type { Command } from 'commander';
import type { SiteVariablesChanges } from 'simcha-client';
import { usageError } from '../errors.ts';
import { canAsk } from '../output/terminal.ts';
import { askSecret, readStdin } from '../prompts.ts';

export type Variables = Record<string, string>;
/** Change of a variable with its scope and its value for previews. */
type DefinitionChange = NonNullable<SiteVariablesChanges[string]>;

/** Options that say who gets the variables that a command sets. */
export interface ScopeOptions {
  build?: boolean;
  run?: boolean;
  everywhere?: boolean;
  previews?: boolean;
  productionOnly?: boolean;
}

export function withScopeOptions(command: Command): Command {
  return command
    .option('--build', 'Only builds get them, not the running site.')
    .option('--run', 'Only the running site gets them, not builds.')
    .option('--everywhere', 'Builds and the running site get them, in production and previews (the default).')
    .option('--previews', 'Set the value that previews get instead.')
    .option('--production-only', 'Previews don’t get them.');
}

/**
 * Fields besides values that the options change; undefined if the options only say which values are set. Throws if two
 * options contradict each other.
 */
export function scopeChangeOf(options: ScopeOptions): DefinitionChange | undefined {
  const { build, run, everywhere, previews, productionOnly } = options;
  const chosen = [build && '--build', run && '--run', everywhere && '--everywhere'].filter(Boolean);
  const sites = [
    everywhere && '--everywhere',
    previews && '--previews',
    productionOnly && '--production-only',
  ];
  for (const names of [chosen, sites.filter(Boolean)])
    if (names.length > 1) throw usageError(`${names.join(' and ')} exclude each other.`, 'Pass one of them.');
  if (chosen.length === 0 && !previews && !productionOnly) return undefined;
  return {
    ...(build && { scope: 'build' as const }),
    ...(run && { scope: 'run' as const }),
    ...(everywhere && { scope: 'all' as const }),
    ...((everywhere || previews) && { in_previews: true }),
    ...(everywhere && { preview_value: null }),
    ...(productionOnly && { in_previews: false }),
  };
}

/** Changes of variables with values from the command line, as the options say. */
export function definitionChangesOf(values: Variables, options: ScopeOptions): SiteVariablesChanges {
  const change = scopeChangeOf(options);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      options.previews ? { ...change, preview_value: value } : { ...change, value },
    ]),
  );
}

/**
 * Reads variables from the command line's words: `NAME=value`; `NAME -`, with the value from stdin; `NAME`, with a
 * typed value.
 */
export async function assignmentsOf(words: readonly string[]): Promise<Variables> {
  const variables: Variables = {};
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) variables[name] = value ?? '';
    else if (words[i + 1] === '-') {
      variables[word] = await readStdin();
      i += 1;
    } else if (canAsk()) variables[word] = await askSecret(`${word}:`, `${word}=<value>`);
    else
      throw usageError(`${word} has no value.`, `Pass ${word}=<value>, or ${word} - to read it from stdin.`);
  }
  return variables;
}
