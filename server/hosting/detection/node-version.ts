import semver from 'semver';
import type { FindingSource } from '../model/finding.ts';
import type { BuildPlan, Source } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { Manifest } from './manifest.ts';

/** Code names of the LTS lines of Node.js: https://github.com/nodejs/Release/blob/main/CODENAMES.md */
const LINES = 'argon boron carbon dubnium erbium fermium gallium hydrogen iron jod krypton lithium'.split(
  ' ',
);
/** First LTS line of Node.js; every second major version since then is one. */
const FIRST_LINE = 4;
const NEWEST_LINE = FIRST_LINE + 2 * (LINES.length - 1);
const ANY = ['node', 'stable', 'latest', 'current'];

/** Files with a version of Node.js on one line, as nvm and others read them. */
export const VERSION_FILES = ['.node-version', '.nvmrc'] as const;
/** File of asdf and mise, with a line for each program: https://asdf-vm.com/manage/configuration.html#tool-versions */
export const TOOL_VERSIONS = '.tool-versions';
export const LONGEST_VERSION = 100;

/** True if the plan is for a Node.js server that requests no version of Node.js, so that it gets the default. */
export function runsByDefaultNode({ kind, node, programs, dockerfile }: BuildPlan): boolean {
  return kind === 'server' && node === undefined && !programs && !dockerfile;
}

/** Start of LTS support of Node.js, by major version: https://github.com/nodejs/Release#release-schedule */
const LTS_SINCE: readonly (readonly [major: number, day: string])[] = [
  [20, '2023-10-24'],
  [22, '2024-10-29'],
  [24, '2025-10-28'],
  [26, '2026-10-28'],
];
/** First major version of the new schedule: every major version becomes LTS in October of its year. */
const FIRST_OF_YEARS = 27;

/**
 * Range of npm for the newest LTS version of Node.js on `day` that is older than the server's own version; undefined if
 * the server's own version is an LTS version.
 */
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
 * Converts a version text to an npm range: `22`, `v20.1.0`, `>=18 <23`, `lts/jod`, `lts/*`, `node`. Undefined for
 * invalid texts. https://github.com/nvm-sh/nvm#nvmrc, https://docs.npmjs.com/cli/configuring-npm/package-json#engines
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
 * Version of Node.js requested by a source, and the file that requests it: a version file in the root, then one beside
 * the workspace's lockfile, then `engines`. Throws RuntimeFailure if the text is no version.
 */
export function nodeIn(
  { texts, workspace }: Source,
  manifest: Manifest | undefined,
  ofWorkspace: Manifest | undefined,
): { value: string; by: FindingSource } | undefined {
  const request = [
    ...VERSION_FILES.map((by) => ({ by, value: lineOf(texts[by]) })),
    { by: TOOL_VERSIONS, value: toolVersion(texts[TOOL_VERSIONS]) },
    ...VERSION_FILES.map((by) => ({ by, value: lineOf(workspace?.texts[by]) })),
    { by: TOOL_VERSIONS, value: toolVersion(workspace?.texts[TOOL_VERSIONS]) },
    { by: 'package.json' as const, value: manifest?.node },
    { by: 'package.json' as const, value: ofWorkspace?.node },
  ].find(({ value }) => value !== undefined && value !== '');
  if (request?.value === undefined) return undefined;
  const { by, value } = request;
  if (nodeRange(value) === undefined) {
    throw new RuntimeFailure(reason('node_unreadable', { by, value: value.slice(0, LONGEST_VERSION) }));
  }
  return { by, value };
}

/**
 * Version of Node.js in the text of a `.tool-versions` file, with `lts` in nvm's notation; undefined if the file names
 * the system's own version or a path.
 */
function toolVersion(text: string | undefined): string | undefined {
  const [, version] = /^[ \t]*node(?:js)?[ \t]+([^\s#]+)/m.exec(text ?? '') ?? [];
  if (version === undefined || /^(?:system$|ref:|path:)/.test(version)) return undefined;
  return version === 'lts' ? 'lts/*' : version;
}

/** First line of a text that is neither empty nor a comment. */
function lineOf(text: string | undefined): string | undefined {
  return text
    ?.split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .find((line) => line !== '');
}
