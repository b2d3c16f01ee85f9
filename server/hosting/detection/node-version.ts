import semver from 'semver';
import type { By } from '../model/finding.ts';
import type { BuildPlan, Source } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { Manifest } from './manifest.ts';

/** Names of lines that are supported for long: https://github.com/nodejs/Release/blob/main/CODENAMES.md */
const LINES = 'argon boron carbon dubnium erbium fermium gallium hydrogen iron jod krypton lithium'.split(
  ' ',
);
/** Each second major is such a line, from this one on. */
const FIRST_LINE = 4;
const NEWEST_LINE = FIRST_LINE + 2 * (LINES.length - 1);
const ANY = ['node', 'stable', 'latest', 'current'];

/** Files of one line that name a version, as nvm and others read them. */
export const VERSION_FILES = ['.node-version', '.nvmrc'] as const;
/** asdf's and mise's, a line for each program: https://asdf-vm.com/manage/configuration.html#tool-versions */
export const TOOL_VERSIONS = '.tool-versions';
export const LONGEST_VERSION = 100;

/** Whether a server runs by a version of Node.js that nobody asked for. */
export function runsByDefaultNode({ kind, node, programs, dockerfile }: BuildPlan): boolean {
  return kind === 'server' && node === undefined && !programs && !dockerfile;
}

/** Since when a line is supported for long: https://github.com/nodejs/Release#release-schedule */
const LTS_SINCE: readonly (readonly [major: number, day: string])[] = [
  [20, '2023-10-24'],
  [22, '2024-10-29'],
  [24, '2025-10-28'],
  [26, '2026-10-28'],
];
/** From this line on each is supported for long from the October of its year on. */
const FIRST_OF_YEARS = 27;

/** The range of the newest line that is supported for long on a day, none newer than the server's own; undefined where it is that. */
export function defaultNode(day: Date, own: string): string | undefined {
  const major = semver.major(own);
  const known = new Map(LTS_SINCE);
  const isLts = (one: number) => {
    const since = known.get(one) ?? (one >= FIRST_OF_YEARS ? `${2_000 + one}-10-31` : undefined);
    return since !== undefined && Date.parse(since) <= day.getTime();
  };
  if (isLts(major)) return undefined;
  for (let one = major - 1; one > 0; one -= 1) if (isLts(one)) return String(one);
  return undefined;
}

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
  return semver.validRange(word) ?? undefined;
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
    { by: TOOL_VERSIONS, value: toolVersion(texts[TOOL_VERSIONS]) },
    ...VERSION_FILES.map((by) => ({ by, value: lineOf(workspace?.texts[by]) })),
    { by: TOOL_VERSIONS, value: toolVersion(workspace?.texts[TOOL_VERSIONS]) },
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

/** The first that it names for Node.js, `lts` in nvm's words. What names the machine's own, or a path, asks for none. */
function toolVersion(text: string | undefined): string | undefined {
  const [, version] = /^[ \t]*node(?:js)?[ \t]+([^\s#]+)/m.exec(text ?? '') ?? [];
  if (version === undefined || /^(?:system$|ref:|path:)/.test(version)) return undefined;
  return version === 'lts' ? 'lts/*' : version;
}

/** The first line that says something. */
function lineOf(text: string | undefined): string | undefined {
  return text
    ?.split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .find((line) => line !== '');
}
