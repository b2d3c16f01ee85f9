import type { FieldType } from '../../kernel/field-types.ts';
import { FieldProblem, type Fields, fieldsOf, invalidField } from '../../kernel/fields.ts';
import { OURS } from '../sandbox/confined.ts';
import { type Assignment, readDotenv } from './dotenv.ts';
import { messages } from './messages.ts';

export const MOST_VARIABLES = 200;
export const LARGEST_VALUE = 64 * 1024;
const LONGEST_NAME = 255;
const NAME = new RegExp(`^[A-Za-z_][A-Za-z0-9_]{0,${LONGEST_NAME - 1}}$`);

export type Variables = Record<string, string>;
/** null deletes. */
export type VariableChanges = Record<string, string | null>;

const propertyNames = { pattern: NAME.source, not: { enum: OURS } };

/** JSON Schema of the changes a body asks for. They are no table of fields: each application has names of its own. */
export const variableChanges = {
  type: 'object',
  maxProperties: 2 * MOST_VARIABLES,
  propertyNames,
  additionalProperties: { type: ['string', 'null'], maxLength: LARGEST_VALUE },
};

/**
 * The changes a body asks for: a flat object of names to texts, or to null; or the text of a `.env` file, which deletes none.
 * Sizes count in UTF-8 bytes.
 */
export function readVariableChanges(body: unknown): VariableChanges {
  if (body instanceof DotenvText) return readAssignments(readDotenv(body.text));
  return readAll('body', fieldsOf(body), 2 * MOST_VARIABLES, readValue);
}

/** A body that was sent as text, where a JSON body may be text as well. */
export class DotenvText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** As shells do, the last assignment of a name counts. A problem is said by its line. */
function readAssignments(assignments: readonly Assignment[]): VariableChanges {
  if (assignments.length > 2 * MOST_VARIABLES)
    throw invalidField('body', messages.tooManyVariables(MOST_VARIABLES));
  return Object.fromEntries(
    assignments.map(({ line, name, value }) => {
      refuseOurs(name, line);
      return [name, readText(line, value)];
    }),
  );
}

/** The variables that something is made with, as a field of its body. */
export const variables: FieldType<Variables> = {
  read: (field, value) => readAll(field, fieldsOf(value, field), MOST_VARIABLES, readText),
  schema: {
    type: 'object',
    maxProperties: MOST_VARIABLES,
    propertyNames,
    additionalProperties: { type: 'string', maxLength: LARGEST_VALUE },
  },
};

/** `most`: even of what only deletes, for nothing that large was ever stored. */
function readAll<T>(
  place: string,
  fields: Fields,
  most: number,
  read: (name: string, value: unknown) => T,
): Record<string, T> {
  const names = Object.keys(fields);
  if (names.length > most) throw invalidField(place, messages.tooManyVariables(MOST_VARIABLES));
  return Object.fromEntries(
    names.map((name) => {
      const field = readName(name);
      const value = read(field, fields[name]);
      // A variable that was stored before its name was refused can still be deleted.
      if (value !== null) refuseOurs(name, field);
      return [name, value];
    }),
  );
}

/** What there is after the changes. Throws when that is too much. */
export function withChanges(stored: Variables, changes: VariableChanges): Variables {
  const all = Object.entries({ ...stored, ...changes }).filter((entry): entry is [string, string] => {
    return entry[1] !== null;
  });
  if (all.length > MOST_VARIABLES) throw invalidField('body', messages.tooManyVariables(MOST_VARIABLES));
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function readName(name: string): string {
  if (NAME.test(name)) return name;
  const shown = name.slice(0, 40).toWellFormed();
  throw invalidField(shown.trim() === '' ? `"${shown}"` : shown, messages.variableName);
}

/** The server sets these variables itself, after the application's own. */
function refuseOurs(name: string, field: string): void {
  if (OURS.includes(name)) throw invalidField(field, messages.variableIsOurs(name));
}

function readValue(name: string, value: unknown): string | null {
  return value === null ? null : readText(name, value);
}

function readText(name: string, value: unknown): string {
  if (typeof value !== 'string' || Buffer.byteLength(value) > LARGEST_VALUE) {
    throw invalidField(name, messages.variableValue(LARGEST_VALUE));
  }
  if (value.includes('\0')) throw invalidField(name, messages.variableCharacters);
  if (!value.isWellFormed()) throw new FieldProblem(name, { kind: 'characters' });
  return value;
}
