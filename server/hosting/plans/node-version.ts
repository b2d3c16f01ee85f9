import semver from 'semver';
import { RuntimeFailure } from '../reasons/failure.ts';
import { reason } from '../reasons/reason.ts';
import type { By } from './findings.ts';
import type { Manifest } from './manifest.ts';
import type { Source } from './plan.ts';

/** Names of lines that are supported for long: https://github.com/nodejs/Release/blob/main/CODENAMES.md */
const LINES = 'argon boron carbon dubnium erbium fermium gallium hydrogen iron jod krypton'.split(' ');
/** Each second major is such a line, from this one on. */
const FIRST_LINE = 4;
const NEWEST_LINE = FIRST_LINE + 2 * (LINES.length - 1);
const ANY = ['node', 'stable', 'latest', 'current'];

/** Files of one line that name a version, as nvm and others read them. */
export const VERSION_FILES = ['.node-version', '.nvmrc'] as const;
export const LONGEST_VERSION = 100;

/**
 * The versions that a text asks for as a range of npm's: `22`, `v20.1.0`, `>=18 <23`, `lts/jod`, `lts/*`, `node`.
 * undefined where it is none. https://github.com/nvm-sh/nvm#nvmrc, https://docs.npmjs.com/cli/configuring-npm/package-json#engines
 */
export function nodeRange(text: string): string | undefined {
  const word = text.trim().toLowerCase();
  if (word === '' || word.length > LONGEST_VERSION) return undefined;
  if (ANY.includes(word)) return '*';
  const [, line] = /^lts\/(.+)$/.exec(word) ?? [];
  if (line === '*') return `>=${NEWEST_LINE}`;
  if (line !== undefined) {
    const place = LINES.indexOf(line);
    return place < 0 ? undefined : (semver.validRange(String(FIRST_LINE + 2 * place)) ?? undefined);
  }
  return semver.validRange(word, { loose: true }) ?? undefined;
}

/**
 * The version that a source asks for, and by what: a file that names one, first in the root and then where its workspace's
 * lockfile is, else `engines`. Throws a RuntimeFailure where what is said is no version.
 */
export function nodeIn(
  { texts, workspace }: Source,
  manifest: Manifest | undefined,
  ofWorkspace: Manifest | undefined,
): { value: string; by: By } | undefined {
  const said = [
    ...VERSION_FILES.map((by) => ({ by, value: lineOf(texts[by]) })),
    ...VERSION_FILES.map((by) => ({ by, value: lineOf(workspace?.texts[by]) })),
    { by: 'package.json' as const, value: manifest?.node },
    { by: 'package.json' as const, value: ofWorkspace?.node },
  ].find(({ value }) => value !== undefined && value !== '');
  if (said?.value === undefined) return undefined;
  const { by, value } = said;
  if (nodeRange(value) === undefined) {
    throw new RuntimeFailure(reason('node_unreadable', { by, value: value.slice(0, LONGEST_VERSION) }));
  }
  return { by, value };
}

/** The first line that says something. */
function lineOf(text: string | undefined): string | undefined {
  return text
    ?.split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .find((line) => line !== '');
}
