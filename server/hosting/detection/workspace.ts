import { matchesGlob } from 'node:path';
import type { Source, Workspace } from '../model/plan.ts';
import { LOCKFILES } from './managers.ts';
import { isObject } from './manifest.ts';

const PNPM = 'pnpm-workspace.yaml';

/** Parent folders of `root`, the nearest first, relative to the repository. */
export function foldersAround(root: string): string[] {
  const parts = root.split('/').filter((part) => part !== '');
  return parts.map((_, index) => parts.slice(0, parts.length - 1 - index).join('/'));
}

export function isLocked({ files }: Pick<Source, 'files'>): boolean {
  return LOCKFILES.some((name) => files.has(name));
}

/** True if the workspace has the lockfile for the package in `root`. */
export function isLockedBy(workspace: Workspace, root: string): boolean {
  const below = workspace.at === '' ? root : root.slice(workspace.at.length + 1);
  return isLocked(workspace) && holds(packagesOf(workspace), below);
}

/** Limit for braces in a workspace's pattern, because each one may double the number of expansions. */
const MOST_BRACES = 5;
const LONGEST_PATTERN = 200;
const MOST_PATTERNS = 1_000;

function holds(given: readonly string[], folder: string): boolean {
  const patterns = given
    .filter((one) => one.length <= LONGEST_PATTERN && one.split('{').length - 1 <= MOST_BRACES)
    .slice(0, MOST_PATTERNS);
  const fits = (pattern: string) => matchesGlob(folder, pattern.replace(/^\.\//, '').replace(/\/$/, ''));
  const [but, those] = [
    patterns.filter((one) => one.startsWith('!')),
    patterns.filter((one) => !one.startsWith('!')),
  ];
  return those.some(fits) && !but.some((one) => fits(one.slice(1)));
}

/**
 * Package patterns of a workspace: https://docs.npmjs.com/cli/using-npm/workspaces,
 * https://yarnpkg.com/features/workspaces, https://pnpm.io/pnpm-workspace_yaml
 */
function packagesOf({ texts }: Workspace): string[] {
  const { [PNPM]: yaml, 'package.json': json } = texts;
  return [...(yaml === undefined ? [] : listed(yaml)), ...(json === undefined ? [] : named(json))];
}

/**
 * Reads the list `packages` of a pnpm workspace file, one item a line; the file is written by programs, so no full YAML
 * parser is needed.
 */
function listed(yaml: string): string[] {
  const lines = yaml.split(/\r?\n/);
  const begin = lines.findIndex((line) => /^packages:\s*(#.*)?$/.test(line));
  if (begin < 0) return [];
  const rest = lines.slice(begin + 1);
  const end = rest.findIndex((line) => /^[^\s#-]/.test(line));
  return (end < 0 ? rest : rest.slice(0, end)).flatMap(
    (line) => /^\s*-\s+(?:'([^']+)'|"([^"]+)"|([^'"#\s]+))/.exec(line)?.slice(1).find(Boolean) ?? [],
  );
}

function named(json: string): string[] {
  try {
    const parsed: unknown = JSON.parse(json);
    const given = isObject(parsed) ? parsed.workspaces : undefined;
    const packages: unknown = isObject(given) ? given.packages : given;
    return Array.isArray(packages) ? packages.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
