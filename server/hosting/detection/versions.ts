import type { VersionRequest } from '../model/plan.ts';
import { parseToml } from './dependencies.ts';
import { isObject } from './manifest.ts';

type Texts = Readonly<Record<string, string>>;

const LONGEST = 100;

/**
 * Versions of a language that a source requests. `minded`: true if the language's installer checks the bounds in
 * pyproject.toml itself, so that they are left out here.
 */
export function versionRequests(language: string, texts: Texts, minded: boolean): VersionRequest[] {
  if (language === 'Ruby') return pinned(texts, '.ruby-version', 'ruby-');
  if (language !== 'Python') return [];
  const { project } = minded ? {} : parseToml(texts['pyproject.toml']);
  const bound = isObject(project) ? project['requires-python'] : undefined;
  return [
    ...(texts['.python-version'] === undefined
      ? pinned(texts, 'runtime.txt', 'python-')
      : pinned(texts, '.python-version', 'cpython-')),
    ...(typeof bound === 'string' && bound.length <= LONGEST
      ? [{ version: bound, by: 'pyproject.toml', isBound: true }]
      : []),
  ];
}

function pinned(texts: Texts, file: string, before: string): VersionRequest[] {
  const lines = (texts[file] ?? '').split(/\r?\n/).filter((line) => /^\s*[^\s#]/.test(line));
  const [, version] = /^\s*([\w.-]{1,100})/.exec(lines[0] ?? '') ?? [];
  return version === undefined
    ? []
    : [
        {
          version: version.startsWith(before) ? version.slice(before.length) : version,
          by: file,
          isBound: false,
        },
      ];
}

/** First two numbers of a version; undefined if it does not begin with two numbers. */
export function minorOf(version: string): string | undefined {
  return /^\d+\.\d+(?=$|\.\d)/.exec(version)?.[0];
}

/** True if an available version satisfies the request. Patch versions are not compared. */
export function satisfiesVersion(has: string, { version, isBound }: VersionRequest): boolean {
  if (isBound) return version.split(',').every((one) => within(numbers(has), one.trim()));
  const requested = version.split('.').slice(0, 2).join('.');
  return has === requested || has.startsWith(`${requested}.`);
}

const SPECIFIER = /^(~=|===?|!=|<=|>=|<|>)\s*v?(\d+(?:\.\d+)*)(\.\*)?$/;

/**
 * True if a version matches a version specifier:
 * https://packaging.python.org/en/latest/specifications/version-specifiers/; unknown specifiers count as matched.
 */
function within(has: readonly number[], specifier: string): boolean {
  const [, operator = '', digits = '', any] = SPECIFIER.exec(specifier) ?? [];
  const bound = numbers(digits);
  const begins = (count: number) => compare(has.slice(0, count), bound.slice(0, count)) === 0;
  const order = compare(has, bound);
  const isIt = any === undefined ? order === 0 : begins(bound.length);
  switch (operator) {
    case '~=':
      return order >= 0 && begins(bound.length - 1);
    case '==':
    case '===':
      return isIt;
    case '!=':
      return !isIt;
    case '<=':
      return order <= 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '>':
      return order > 0;
    default:
      return true;
  }
}

function numbers(version: string): number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
