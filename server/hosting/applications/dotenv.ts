import { invalidField } from '../../kernel/fields.ts';
import { messages } from './messages.ts';

export interface Assignment {
  /** Line of the `.env` file where the assignment begins, as error messages name it: `line 3`. */
  line: string;
  name: string;
  value: string;
}

const EMPTY_LINE = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
const NAME = /[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]{0,254})[ \t]*=[ \t]*/y;
const DOUBLE_QUOTED = /"([^"\\]*(?:\\.[^"\\]*)*)"/sy;
const SINGLE_QUOTED = /'([^']*)'/y;
/** Unquoted value: ends at the end of its line, or where a space and `#` begin a comment. */
const PLAIN = /(?:[^\s#]|(?<=\S)#|[^\S\n]+(?![\s#]|$))*/y;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/**
 * Parses a `.env` file into its assignments, in order, with the syntax of dotenv libraries: comments, `export`, single
 * quotes (literal), double quotes (escapes `\n`, `\r`, `\t`, `\"`, `\\`). Quoted values may span lines; `$NAME` is not
 * replaced. Throws FieldProblem with the line number, and never with the line's content.
 */
export function readDotenv(file: string): Assignment[] {
  const text = file.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const assignments: Assignment[] = [];
  let at = 0;
  let line = 1;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text) ?? undefined;
    if (found) {
      at += found[0].length;
      line += found[0].split('\n').length - 1;
    }
    return found;
  };
  while (at < text.length) {
    if (take(EMPTY_LINE)) continue;
    const place = `line ${line}`;
    const name = take(NAME)?.[1];
    if (name === undefined) throw invalidField(place, messages.dotenv.assignment);
    const quote = /["']/.test(text[at] ?? '');
    const value =
      take(DOUBLE_QUOTED)?.[1]?.replace(/\\(.)/gs, (whole, one) => ESCAPES[one] ?? whole) ??
      take(SINGLE_QUOTED)?.[1] ??
      (quote ? undefined : take(PLAIN)?.[0]);
    if (value === undefined) throw invalidField(place, messages.dotenv.openQuote);
    if (!take(EMPTY_LINE)) throw invalidField(`line ${line}`, messages.dotenv.afterQuote);
    assignments.push({ line: place, name, value });
  }
  return assignments;
}
