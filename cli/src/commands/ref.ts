import type { Command } from 'commander';
import { usageError } from '../errors.ts';

/** Options that name what a deployment deploys. */
export interface RefOptions {
  commit?: string;
  branch?: string;
  tag?: string;
}

/** Adds the options that name a commit, a branch or a tag. */
export function withRef(command: Command): Command {
  return command
    .option('--commit <hash>', 'This commit, rather than the newest one.')
    .option('--branch <name>', 'The newest commit of this branch, this once.')
    .option(
      '--tag <name>',
      'The commit of this tag; of an application with an image: the image with this tag.',
    );
}

/**
 * Commit, branch or tag that the options name. `others`: further options of which only one may be given. Throws if an
 * option is empty: an unset variable of a CI system must not lead to a deployment of the newest commit.
 */
export function requestedRef(
  { commit, branch, tag }: RefOptions,
  others: Readonly<Record<string, string | undefined>> = {},
): RefOptions {
  const isGiven = ([, value]: [string, string | undefined]) => value !== undefined;
  const refs = Object.entries({ commit, branch, tag }).filter(isGiven);
  const given = [...refs, ...Object.entries(others).filter(isGiven)];
  for (const [name, value] of given) if (value === '') throw usageError(`--${name} is empty.`);
  if (given.length > 1)
    throw usageError(`Pass only one of ${given.map(([name]) => `--${name}`).join(' and ')}.`);
  return Object.fromEntries(refs);
}
