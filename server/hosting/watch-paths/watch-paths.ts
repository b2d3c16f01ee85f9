import picomatch from 'picomatch';

/** Maximum number of an application's watch paths. */
export const MOST_PATTERNS = 50;
/** Maximum length of a watch path, in UTF-16 code units. */
export const LONGEST_PATTERN = 200;
/**
 * Maximum numbers of `*` in one part of a path, of `**`, and of `{…}`. The time of a comparison grows with the path's
 * length to the power of these numbers.
 */
const MOST_STARS = 3;
const MOST_GLOBSTARS = 3;
const MOST_CHOICES = 5;

/**
 * True for a pattern that can be a watch path: parts separated by slashes, with `*`, `**`, `?` and `{a,b}`; a leading
 * `!` excludes what it matches.
 */
export function isWatchPath(pattern: string): boolean {
  const glob = globOf(pattern);
  const parts = glob.split('/');
  return (
    glob !== '' &&
    pattern.length <= LONGEST_PATTERN &&
    !/[\p{Cc}\\]/u.test(pattern) &&
    !parts.some((part) => part === '' || part === '.' || part === '..') &&
    parts.every((part) => countOf(part, /\*+/g) <= MOST_STARS) &&
    parts.filter((part) => part.includes('**')).length <= MOST_GLOBSTARS &&
    countOf(glob, /\{/g) <= MOST_CHOICES
  );
}

/** Watch paths in force: an application's own, or its root folder. Undefined: every push counts. */
export function watchPathsOf({
  watch_paths: own,
  root,
}: {
  watch_paths: readonly string[] | null;
  root: string | null;
}): readonly string[] | undefined {
  if (own !== null && own.length > 0) return own;
  return root === null ? undefined : [`/${root}/**`];
}

/**
 * The first of the changed `paths` that the patterns watch; undefined if there is none. The last pattern that matches a
 * path decides. Patterns that begin with an exclusion watch everything else.
 */
export function findWatched(patterns: readonly string[], paths: readonly string[]): string | undefined {
  const rules = patterns.map((pattern) => ({ watches: !isExclusion(pattern), matches: matcherOf(pattern) }));
  const otherwise = rules[0]?.watches === false;
  return paths.find((path) => rules.findLast(({ matches }) => matches(path))?.watches ?? otherwise);
}

/** Matcher of a pattern, which matches a folder's content together with the folder. */
function matcherOf(pattern: string): (path: string) => boolean {
  const glob = literal(globOf(pattern));
  const options = { dot: true, nobracket: true, noextglob: true, nonegate: true };
  return picomatch(glob.endsWith('**') ? glob : [glob, `${glob}/**`], options);
}

/** Escapes what patterns have no meaning for, although the library has: names such as `(shop)` and `[id]` are common. */
function literal(glob: string): string {
  return glob.replaceAll(/[()|+@^$[\]!]/g, String.raw`\$&`);
}

function isExclusion(pattern: string): boolean {
  return pattern.startsWith('!');
}

/** Pattern without its exclusion mark, and without the slashes around it. */
function globOf(pattern: string): string {
  return pattern.replace(/^!/, '').replace(/^\//, '').replace(/\/$/, '');
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
