import { invalidField } from '../../kernel/fields.ts';
import { messages } from './messages.ts';

/** Maximum number of replicas of one process. */
export const MOST_REPLICAS = 20;
export const PROCESS_NAME_PATTERN = '^[a-z][a-z0-9-]{0,30}$';
const MOST_NAMES = 20;

/** Requested number of replicas by process; null: the default, which is one. */
export type Counts = Readonly<Record<string, number | null>>;

/**
 * JSON Schema for numbers of replicas in a request body. A fixed list of fields does not fit, because each application
 * has its own processes.
 */
export const countsSchema = {
  type: 'object',
  maxProperties: MOST_NAMES,
  propertyNames: { pattern: PROCESS_NAME_PATTERN },
  additionalProperties: { type: ['integer', 'null'], minimum: 0, maximum: MOST_REPLICAS },
};

/**
 * Reads the requested numbers of replicas. `known`: names of the existing processes; undefined before the first
 * release.
 */
export function readCounts(
  fields: Readonly<Record<string, unknown>>,
  known: readonly string[] | undefined,
): Counts {
  const names = Object.keys(fields);
  if (names.length > MOST_NAMES) throw invalidField('body', messages.tooManyNames(MOST_NAMES));
  const isName = new RegExp(PROCESS_NAME_PATTERN);
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
