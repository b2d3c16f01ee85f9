import { CommandError } from '../errors.ts';

/** Names that the server sets itself, and refuses as variables. */
export const SERVER_VARIABLES: readonly string[] = ['HOME', 'HOST', 'PATH', 'PORT'];
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

export interface Dotenv {
  variables: Record<string, string>;
  /** Variables that the server sets itself, each with its line: `PORT (line 3)`. */
  leftOut: string[];
}

/**
 * Reads the text of a `.env` file, without the variables that the server sets itself. Throws with the line of a name
 * that no variable can have.
 */
export async function readDotenv(text: string, file: string): Promise<Dotenv> {
  const { parse } = await import('dotenv');
  const assignments = Object.entries(parse(text));
  const wrong = assignments.find(([name]) => !VARIABLE_NAME.test(name));
  if (wrong)
    throw new CommandError(
      `${file}, line ${lineOf(wrong[0], text)}: ${wrong[0]} can’t be the name of a variable.`,
      { hint: 'A name has letters, digits and _, and does not start with a digit.' },
    );
  return {
    variables: Object.fromEntries(assignments.filter(([name]) => !SERVER_VARIABLES.includes(name))),
    leftOut: assignments.flatMap(([name]) =>
      SERVER_VARIABLES.includes(name) ? [`${name} (line ${lineOf(name, text)})`] : [],
    ),
  };
}

/** Number of the line that assigns a variable, from 1. */
function lineOf(name: string, text: string): number {
  const lines = text.split(/\r\n?|\n/);
  return lines.findIndex((line) => /^\s*(?:export\s+)?([\w.-]+)\s*[=:]/.exec(line)?.[1] === name) + 1;
}

/**
 * Makes the text of a `.env` file from variables, so that the server and other programs read the same values from it.
 */
export function dotenvOf(variables: Readonly<Record<string, string>>): {
  text: string;
  unwritable: string[];
} {
  const names = Object.keys(variables).sort();
  const lines = names.map((name) => [name, quoted(variables[name] ?? '')] as const);
  return {
    text: lines.flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}\n`)).join(''),
    unwritable: lines.flatMap(([name, value]) => (value === undefined ? [name] : [])),
  };
}

/** Value of a variable, in quotes if it needs them; undefined if it contains every kind of quote. */
function quoted(value: string): string | undefined {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  // Within double quotes, programs that read `.env` files replace \n and \r, and some also other characters after a
  // backslash.
  if (!value.includes('"') && !value.includes('\\')) return `"${value}"`;
  return value.includes('`') ? undefined : `\`${value}\``;
}
