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
  return READERS[language]?.(texts, minded) ?? [];
}

const READERS: Readonly<Record<string, (texts: Texts, minded: boolean) => VersionRequest[]>> = {
  Ruby: (texts) => first(pinned(texts, '.ruby-version', 'ruby-'), toolVersion(texts, 'ruby')),
  Python: pythonRequests,
  Go: goRequests,
  Rust: rustRequests,
};

function first(...candidates: readonly VersionRequest[][]): VersionRequest[] {
  return candidates.find((one) => one.length > 0) ?? [];
}

function pythonRequests(texts: Texts, minded: boolean): VersionRequest[] {
  const { project } = minded ? {} : parseToml(texts['pyproject.toml']);
  const { requires } = parseToml(texts.Pipfile);
  return [
    ...first(
      pinned(texts, '.python-version', 'cpython-'),
      pinned(texts, 'runtime.txt', 'python-'),
      toolVersion(texts, 'python'),
      valueIn(requires, 'python_version', 'Pipfile', false),
    ),
    ...valueIn(project, 'requires-python', 'pyproject.toml', true),
  ];
}

/** https://go.dev/ref/mod#go-mod-file-go: the version is the least one; Go itself gets a newer one since 1.21. */
function goRequests(texts: Texts): VersionRequest[] {
  const [, version] = /^go[ \t]+(\d+(?:\.\d+){1,2})\b/m.exec(texts['go.mod'] ?? '') ?? [];
  return version === undefined
    ? []
    : [{ version: `>=${version}`, by: 'go.mod', isBound: true, obtainedSince: '1.21' }];
}

/** https://rust-lang.github.io/rustup/overrides.html, https://doc.rust-lang.org/cargo/reference/rust-version.html */
function rustRequests(texts: Texts): VersionRequest[] {
  const { toolchain } = parseToml(texts['rust-toolchain.toml'] ?? texts['rust-toolchain']);
  const { package: described, workspace } = parseToml(texts['Cargo.toml']);
  const shared = isObject(workspace) ? workspace.package : undefined;
  const [least] = first(
    valueIn(described, 'rust-version', 'Cargo.toml', true),
    valueIn(shared, 'rust-version', 'Cargo.toml', true),
  );
  return [
    ...first(
      valueIn(toolchain, 'channel', 'rust-toolchain.toml', false),
      toolchain === undefined ? pinned(texts, 'rust-toolchain', '') : [],
      toolVersion(texts, 'rust'),
    ).filter(({ version }) => version !== 'stable'),
    ...(least ? [{ ...least, version: `>=${least.version}` }] : []),
  ];
}

/** Version as the value of a setting in TOML. */
function valueIn(table: unknown, name: string, by: string, isBound: boolean): VersionRequest[] {
  const version = isObject(table) ? table[name] : undefined;
  return typeof version === 'string' && version !== '' && version.length <= LONGEST
    ? [{ version, by, isBound }]
    : [];
}

/** https://asdf-vm.com/manage/configuration.html#tool-versions */
function toolVersion(texts: Texts, tool: string): VersionRequest[] {
  const [, version] =
    new RegExp(`^${tool}[ \\t]+([\\w.-]{1,${LONGEST}})`, 'm').exec(texts['.tool-versions'] ?? '') ?? [];
  return version === undefined ? [] : [{ version, by: '.tool-versions', isBound: false }];
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

/** Lowest version that a bound admits, by its first two numbers; undefined if it has no lower limit. */
export function lowestMinor(bound: string): string | undefined {
  const [, minor] = /(?:^|,)\s*(?:>=|~=|==)\s*(\d+\.\d+)/.exec(bound) ?? [];
  return minor;
}

/** First two numbers of a version; undefined if it does not begin with two numbers. */
export function minorOf(version: string): string | undefined {
  return /^\d+\.\d+(?=$|\.\d)/.exec(version)?.[0];
}

/**
 * True if an available version satisfies the request. `output`: what the program prints about its version. Patch
 * versions are not compared.
 */
export function satisfiesVersion(
  output: string,
  { version, isBound, obtainedSince }: VersionRequest,
): boolean {
  const has = /\d+(?:\.\d+)*/.exec(output)?.[0] ?? output;
  if (obtainedSince !== undefined && compare(numbers(has), numbers(obtainedSince)) >= 0) return true;
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
