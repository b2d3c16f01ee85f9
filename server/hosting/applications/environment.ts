import { FieldProblem, type Fields, fieldsOf, invalidField } from '../../kernel/fields.ts';
import type { Takes } from '../../kernel/takes.ts';
import { messages } from './messages.ts';

export const MOST_VARIABLES = 200;
export const LARGEST_VALUE = 64 * 1024;
const LONGEST_NAME = 255;
const NAME = new RegExp(`^[A-Za-z_][A-Za-z0-9_]{0,${LONGEST_NAME - 1}}$`);

export type Variables = Record<string, string>;
/** null deletes. */
export type VariableChanges = Record<string, string | null>;

/** JSON Schema of the changes a body asks for. They are no table of fields: each application has names of its own. */
export const variableChanges = {
  type: 'object',
  maxProperties: 2 * MOST_VARIABLES,
  propertyNames: { pattern: NAME.source },
  additionalProperties: { type: ['string', 'null'], maxLength: LARGEST_VALUE },
};

/** The changes a body asks for: a flat object of names to texts, or to null. Sizes count in UTF-8 bytes. */
export function readVariableChanges(body: unknown): VariableChanges {
  return readAll('body', fieldsOf(body), 2 * MOST_VARIABLES, readValue);
}

/** The variables that something is made with, as a field of its body. */
export const variables: Takes<Variables> = {
  read: (field, value) => readAll(field, fieldsOf(value, field), MOST_VARIABLES, readText),
  schema: {
    type: 'object',
    maxProperties: MOST_VARIABLES,
    propertyNames: { pattern: NAME.source },
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
  return Object.fromEntries(names.map((name) => [readName(name), read(name, fields[name])]));
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
