import { invalidField } from '../../kernel/fields.ts';
import { messages } from './messages.ts';

/** Of one process. */
export const MOST_REPLICAS = 20;
/** How a process may be called. */
export const PROCESS_NAME = '^[a-z][a-z0-9-]{0,30}$';
const MOST_NAMES = 20;

/** How many of each process are asked for; null: as many as by itself, which is one. */
export type Counts = Readonly<Record<string, number | null>>;

/** JSON Schema of the counts a body asks for. They are no table of fields: each application has processes of its own. */
export const counts = {
  type: 'object',
  maxProperties: MOST_NAMES,
  propertyNames: { pattern: PROCESS_NAME },
  additionalProperties: { type: ['integer', 'null'], minimum: 0, maximum: MOST_REPLICAS },
};

/** `known`: the processes there are; undefined before the first release. */
export function readCounts(
  fields: Readonly<Record<string, unknown>>,
  known: readonly string[] | undefined,
): Counts {
  const names = Object.keys(fields);
  if (names.length > MOST_NAMES) throw invalidField('body', messages.tooManyNames(MOST_NAMES));
  const isName = new RegExp(PROCESS_NAME);
  return Object.fromEntries(
    names.map((name) => {
      if (known ? !known.includes(name) : !isName.test(name)) {
        throw invalidField(name.slice(0, 40).toWellFormed(), messages.noSuchProcess(known ?? []));
      }
      return [name, readCount(name, fields[name])];
    }),
  );
}

function readCount(name: string, value: unknown): number | null {
  if (value === null) return null;
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_REPLICAS)
    return value as number;
  throw invalidField(name, messages.count(MOST_REPLICAS));
}
