import type { FieldType } from '../../kernel/field-types.ts';
import { FieldProblem, type Fields, fieldsOf, invalidField } from '../../kernel/fields.ts';
import { RESERVED_VARIABLES } from '../sandbox/confined.ts';
import { type Assignment, readDotenv } from './dotenv.ts';
import { messages } from './messages.ts';

export const MOST_VARIABLES = 200;
export const LARGEST_VALUE = 64 * 1024;
const LONGEST_NAME = 255;
const NAME = new RegExp(`^[A-Za-z_][A-Za-z0-9_]{0,${LONGEST_NAME - 1}}$`);

export type EnvironmentVariables = Record<string, string>;
/** New values of environment variables, by name; null deletes a variable. */
export type VariableChanges = Record<string, string | null>;

export const propertyNames = { pattern: NAME.source, not: { enum: RESERVED_VARIABLES } };

/**
 * JSON Schema for changes in a request body. A table of fields does not fit, because each application has its own
 * names.
 */
export const variableChanges = {
  type: 'object',
  maxProperties: 2 * MOST_VARIABLES,
  propertyNames,
  additionalProperties: { type: ['string', 'null'], maxLength: LARGEST_VALUE },
};

/**
 * Reads changes of environment variables from a request body: a flat object of names to texts or null, or the text of a
 * `.env` file, which deletes nothing. Sizes count in UTF-8 bytes.
 */
export function readVariableChanges(body: unknown): VariableChanges {
  if (body instanceof DotenvText) return readAssignments(readDotenv(body.text));
  return readByName('body', fieldsOf(body), { stored: MOST_VARIABLES }, readValue);
}

/**
 * Text of a `.env` file, sent as the body of a request. The class distinguishes it from a JSON body that is a string.
 */
export class DotenvText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Reads changes of variables from a `.env` file's assignments: the last assignment of a name applies, as in shells.
 * Errors name the line.
 */
function readAssignments(assignments: readonly Assignment[]): VariableChanges {
  if (assignments.length > 2 * MOST_VARIABLES)
    throw invalidField('body', messages.tooManyVariables(MOST_VARIABLES));
  return Object.fromEntries(
    assignments.map(({ line, name, value }) => {
      refuseOurs(name, line);
      return [name, readVariableValue(line, value)];
    }),
  );
}

/** Field type for an application's initial environment variables in a request body. */
export const variablesField: FieldType<EnvironmentVariables> = {
  read: (field, value) => {
    const limits = { stored: MOST_VARIABLES, most: MOST_VARIABLES };
    return readByName(field, fieldsOf(value, field), limits, readVariableValue);
  },
  schema: {
    type: 'object',
    maxProperties: MOST_VARIABLES,
    propertyNames,
    additionalProperties: { type: 'string', maxLength: LARGEST_VALUE },
  },
};

/**
 * Reads all variables in a request that may name `most` of them. `stored`: how many variables may be stored; a request
 * for changes can't need to delete more than that.
 */
export function readByName<T>(
  place: string,
  fields: Fields,
  { stored, most = 2 * stored }: { stored: number; most?: number },
  read: (name: string, value: unknown) => T,
): Record<string, T> {
  const names = Object.keys(fields);
  if (names.length > most) throw invalidField(place, messages.tooManyVariables(stored));
  return Object.fromEntries(
    names.map((name) => {
      const field = readName(name);
      const value = read(field, fields[name]);
      // Environment variables stored before their name was reserved can still be deleted.
      if (value !== null) refuseOurs(name, field);
      return [name, value];
    }),
  );
}

function readName(name: string): string {
  if (NAME.test(name)) return name;
  const shown = name.slice(0, 40).toWellFormed();
  throw invalidField(shown.trim() === '' ? `"${shown}"` : shown, messages.variableName);
}

/** Refuses names of variables that the server sets itself: it sets them last, over the application's own variables. */
function refuseOurs(name: string, field: string): void {
  if (RESERVED_VARIABLES.includes(name)) throw invalidField(field, messages.variableIsOurs(name));
}

function readValue(name: string, value: unknown): string | null {
  return value === null ? null : readVariableValue(name, value);
}

/** Reads the value of a variable. Sizes count in UTF-8 bytes. */
export function readVariableValue(name: string, value: unknown): string {
  if (typeof value !== 'string' || Buffer.byteLength(value) > LARGEST_VALUE) {
    throw invalidField(name, messages.variableValue(LARGEST_VALUE));
  }
  if (value.includes('\0')) throw invalidField(name, messages.variableCharacters);
  if (!value.isWellFormed()) throw new FieldProblem(name, { kind: 'characters' });
  return value;
}
