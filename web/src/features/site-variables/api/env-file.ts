/**
 * Reads a `.env` file with the syntax of the server (server/hosting/applications/dotenv.ts), but goes on after a line
 * that it refuses, so that a preview can name all of them.
 */

/** Reason why a line is refused; the sentences are in words.ts. */
export type LineProblem = 'notAssignment' | 'openQuote' | 'afterQuote' | 'serverSets' | 'tooLong';

export interface RefusedLine {
  line: number;
  problem: LineProblem;
}

export interface EnvFile {
  variables: ReadonlyMap<string, string>;
  refused: readonly RefusedLine[];
}

/** Names that the server sets itself. */
export const SERVER_VARIABLES: readonly string[] = ['HOME', 'HOST', 'PATH', 'PORT'];
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;
const LARGEST_BYTES = 64 * 1024;

const EMPTY_LINE = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
const NAME = /[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]{0,254})[ \t]*=[ \t]*/y;
const DOUBLE_QUOTED = /"([^"\\]*(?:\\.[^"\\]*)*)"/sy;
const SINGLE_QUOTED = /'([^']*)'/y;
/** Unquoted value: ends at the end of its line, or where a space and `#` begin a comment. */
const PLAIN = /(?:[^\s#]|(?<=\S)#|[^\S\n]+(?![\s#]|$))*/y;
const REST_OF_LINE = /[^\n]*(?:\n|$)/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

export const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Reads the assignments of a `.env` file. The last assignment of a name applies, as in shells. */
export function readEnvFile(file: string): EnvFile {
  const reader = new Reader(file.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'));
  const variables = new Map<string, string>();
  const refused: RefusedLine[] = [];
  while (!reader.isAtEnd) {
    if (reader.take(EMPTY_LINE)) continue;
    const { line, at } = reader;
    const assignment = readAssignment(reader);
    if (typeof assignment === 'object') variables.set(...assignment);
    else {
      refused.push({ line: assignment === 'afterQuote' ? reader.line : line, problem: assignment });
      // A quote that never closes would otherwise make all further lines part of the refused one.
      if (assignment === 'openQuote') reader.returnTo(at, line);
      if (!PASSED.has(assignment)) reader.take(REST_OF_LINE);
    }
  }
  return { variables, refused };
}

/** Problems of assignments that were read to the end of their line. */
const PASSED: ReadonlySet<LineProblem> = new Set(['serverSets', 'tooLong']);

/** Reads an assignment and the end of its line; returns the problem if the assignment is refused. */
function readAssignment(reader: Reader): [name: string, value: string] | LineProblem {
  const name = reader.take(NAME)?.[1];
  if (name === undefined) return 'notAssignment';
  const value = readValue(reader);
  if (value === undefined) return 'openQuote';
  if (!reader.take(EMPTY_LINE)) return 'afterQuote';
  if (SERVER_VARIABLES.includes(name)) return 'serverSets';
  return byteLength(value) > LARGEST_BYTES ? 'tooLong' : [name, value];
}

/** Value of an assignment; undefined if its quote never closes. */
function readValue(reader: Reader): string | undefined {
  const isQuoted = reader.isAt('"') || reader.isAt("'");
  return (
    reader.take(DOUBLE_QUOTED)?.[1]?.replace(/\\(.)/gs, (whole, one) => ESCAPES[one] ?? whole) ??
    reader.take(SINGLE_QUOTED)?.[1] ??
    (isQuoted ? undefined : reader.take(PLAIN)?.[0])
  );
}

class Reader {
  readonly #text: string;
  at = 0;
  /** Number of the current line, counted from 1. */
  line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#text.length;
  }

  isAt(character: string): boolean {
    return this.#text[this.at] === character;
  }

  /** Takes what a sticky pattern matches at the current place. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found) {
      this.at += found[0].length;
      this.line += found[0].split('\n').length - 1;
    }
    return found;
  }

  returnTo(at: number, line: number): void {
    this.at = at;
    this.line = line;
  }
}

export type Variables = Readonly<Record<string, string>>;
/** Effect of an import on a variable. */
export type Effect = 'added' | 'changed' | 'equal' | 'deleted';

export interface Change {
  name: string;
  effect: Effect;
}

/** Effects of an import on all variables that it concerns, by name. `isWhole`: the file replaces all variables. */
export function compareVariables(
  before: Variables,
  file: ReadonlyMap<string, string>,
  isWhole: boolean,
): Change[] {
  const inFile = [...file].map(([name, value]): Change => {
    const stored = Object.hasOwn(before, name) ? before[name] : undefined;
    return { name, effect: stored === undefined ? 'added' : stored === value ? 'equal' : 'changed' };
  });
  const missing = isWhole ? Object.keys(before).filter((name) => !file.has(name)) : [];
  const deleted = missing.map((name): Change => ({ name, effect: 'deleted' }));
  return [...inFile, ...deleted].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Variables as a `.env` file that `readEnvFile` reads back. */
export function writeEnvFile(variables: Variables): string {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}\n`);
  return lines.join('');
}

const PLAIN_VALUE = /^[A-Za-z0-9_./:@%+,=?&-]*$/;

function quoted(value: string): string {
  if (PLAIN_VALUE.test(value)) return value;
  if (!value.includes("'") && !value.includes('\r')) return `'${value}'`;
  const escaped = value.replace(/[\\"\r]/g, (one) => (one === '\r' ? '\\r' : `\\${one}`));
  return `"${escaped}"`;
}
