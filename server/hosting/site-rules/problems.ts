/** Line of a site's rules that is ignored, with the reason. */
export interface RuleProblem {
  line: number;
  why: RuleProblemKind;
  /** Name of the header because of which the line is ignored. */
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

/** Lines of a rule file that are not empty, with their numbers; lines longer than `most` become problems. */
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
