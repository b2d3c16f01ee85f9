import { FieldProblem, fieldsOf, invalidField } from '../../kernel/fields.ts';
import { messages } from './messages.ts';

export const MOST_VARIABLES = 200;
export const LARGEST_VALUE = 64 * 1024;
const LONGEST_NAME = 255;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export type Variables = Record<string, string>;
/** null deletes. */
export type VariableChanges = Record<string, string | null>;

/** The changes a body asks for: a flat object of names to texts, or to null. Sizes count in UTF-8 bytes. */
export function readVariableChanges(body: unknown): VariableChanges {
  const fields = fieldsOf(body);
  const names = Object.keys(fields);
  // Even one that only deletes: nothing that large was ever stored.
  if (names.length > 2 * MOST_VARIABLES)
    throw invalidField('body', messages.tooManyVariables(MOST_VARIABLES));
  return Object.fromEntries(names.map((name) => [readName(name), readValue(name, fields[name])]));
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
  if (name.length <= LONGEST_NAME && NAME.test(name)) return name;
  throw invalidField(JSON.stringify(name.slice(0, 40)), messages.variableName);
}

function readValue(name: string, value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string' || Buffer.byteLength(value) > LARGEST_VALUE) {
    throw invalidField(name, messages.variableValue(LARGEST_VALUE));
  }
  if (value.includes('\0')) throw invalidField(name, messages.variableCharacters);
  if (!value.isWellFormed()) throw new FieldProblem(name, { kind: 'characters' });
  return value;
}
