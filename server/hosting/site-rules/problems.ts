/** A line of a site's rules that is passed over, and why. */
export interface RuleProblem {
  line: number;
  why: RuleProblemKind;
  /** The name of a header, where that is the reason. */
  name?: string;
}

export type RuleProblemKind =
  | 'address'
  | 'path'
  | 'query'
  | 'target'
  | 'status'
  | 'condition'
  | 'proxy'
  | 'hidden'
  | 'too_long'
  | 'too_many'
  | 'too_many_patterns'
  | 'header'
  | 'no_path'
  | 'value'
  | 'owned';

/** Lines of a file of rules that say something, with their numbers; those longer than `most` are problems. */
export function* linesOf(
  text: string,
  most: number,
  problems: RuleProblem[],
): Generator<{ line: number; words: string }> {
  for (const [index, whole] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .entries()) {
    const words = whole.trim();
    const line = index + 1;
    if (words === '' || words.startsWith('#')) continue;
    if (words.length > most) problems.push({ line, why: 'too_long' });
    else yield { line, words };
  }
}
