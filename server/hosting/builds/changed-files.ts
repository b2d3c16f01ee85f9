import { type Commit, commitIn } from './commit.ts';

/** Newest commit of a branch, compared with an earlier commit. */
export interface Comparison {
  commit: Commit;
  /**
   * Paths that changed since the earlier commit; undefined if they are too many, or if the earlier commit is none of the
   * branch's last commits, for example after a forced push.
   */
  paths: string[] | undefined;
}

/** Line of git's output before the changed paths: no path has this character unquoted. */
const SEPARATOR = '\x1e';
export const SEPARATOR_FORMAT = 'tformat:%x1e';

/** Reads git's output: the commit, the separator, and a changed path on each line. */
export function comparisonIn(output: string): Comparison {
  const lines = output.split('\n');
  const at = lines.lastIndexOf(SEPARATOR);
  // An output without the separator is not whole: of a long one only the end is kept.
  if (at < 0) return { commit: commitIn(output), paths: undefined };
  const commit = commitIn(lines.slice(0, at).join('\n'));
  const paths = lines.slice(at + 1).filter((line) => line !== '');
  return { commit, paths: paths.map(unquoted) };
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

/** Path without the quotes that git puts around paths with special characters (core.quotePath). */
function unquoted(line: string): string {
  const quoted = /^"(.*)"$/s.exec(line)?.[1];
  if (quoted === undefined) return line;
  return quoted.replaceAll(/\\(?:([0-7]{3})|(.))/g, (_, octal?: string, letter = '') =>
    octal === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
