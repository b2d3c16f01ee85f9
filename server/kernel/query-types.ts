import type { FieldType } from './field-types.ts';
import { FieldProblem, type Fields, isBlank, readChoice, readDate, readText } from './fields.ts';
import { isUuid } from './identifiers.ts';

/**
 * Parameters of a query by name, each with its reader and JSON Schema, like the fields of a body (field-types.ts). A
 * reader throws a FieldProblem for an invalid value, and returns the default if nothing was given (undefined).
 */
export type QueryTable = Readonly<Record<string, FieldType<unknown>>>;

export type QueryValues<T extends QueryTable> = {
  [K in keyof T]: T[K] extends FieldType<infer V> ? V : never;
};

/** Reads the parameters of a query. Error messages put `place` in front of a parameter's name. */
export function readQuery<T extends QueryTable>(table: T, query: Fields, place = ''): QueryValues<T> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { read }]) => [name, read(place + name, query[name])]),
  ) as never;
}

/**
 * Refuses a query parameter whose name differs from a known name only in capitals and in characters that are no
 * letters, because the client meant the known name. Used for queries in which other unknown names are ignored. `names`:
 * names of `table` that the query may have.
 */
export function refuseMisspelt(
  table: QueryTable,
  query: Fields,
  names: readonly string[] = Object.keys(table),
): void {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  for (const name of Object.keys(query)) {
    if (!names.includes(name) && Object.keys(table).some((ours) => plain(ours) === plain(name)))
      throw new FieldProblem(name, { kind: 'unknown', names });
  }
}

/** Reads the parameters of a query that never gets an error as the response: an invalid value counts as not given. */
export function readQueryLeniently<T extends QueryTable>(table: T, query: Fields): QueryValues<T> {
  const fitting = Object.entries(table).map(([name, { read }]) => {
    try {
      return [name, read(name, query[name])];
    } catch (error) {
      if (error instanceof FieldProblem) return [name, read(name, undefined)];
      throw error;
    }
  });
  return Object.fromEntries(fitting) as never;
}

export function oneOf<const T extends string>(values: readonly T[]): FieldType<T | undefined> {
  return {
    read: (name, value) => (value === undefined ? undefined : readChoice(name, value, values)),
    schema: { type: 'string', enum: values },
  };
}

export function oneOfOr<const T extends string>(
  values: readonly T[],
  otherwise: NoInfer<T>,
  description?: string,
): FieldType<T> {
  return {
    read: (name, value) => (value === undefined ? otherwise : readChoice(name, value, values)),
    schema: { type: 'string', enum: values, default: otherwise, ...(description && { description }) },
  };
}

/**
 * Type of a query parameter with one or several of the words in `values`. They may be given as repeated parameters, as
 * a list, or in one text with commas.
 */
export function someOf<const T extends string>(values: readonly T[]): FieldType<readonly T[] | undefined> {
  return {
    read(name, value) {
      if (value === undefined) return undefined;
      const given = typeof value === 'string' ? value.split(',') : value;
      if (!Array.isArray(given) || given.length === 0)
        throw new FieldProblem(name, { kind: 'choice', choices: values });
      return [...new Set(given.map((one) => readChoice(name, one, values)))];
    },
    schema: {
      anyOf: [
        { type: 'string', pattern: `^(${values.join('|')})(,(${values.join('|')}))*$` },
        { type: 'array', items: { type: 'string', enum: values }, minItems: 1 },
      ],
      description: `One or several of ${values.join(', ')}: matches any of them.`,
    },
  };
}

/** Type of a query parameter with one or several texts, given as repeated parameters or as a list. */
export function someTexts(limits: {
  most: number;
  longest: number;
}): FieldType<readonly string[] | undefined> {
  const one = filledSchema(limits.longest);
  return {
    read(name, value) {
      if (value === undefined) return undefined;
      const given = [value].flat();
      const texts = given.map((one) => filledText(name, one, limits.longest));
      if (texts.length === 0 || texts.length > limits.most)
        throw new FieldProblem(name, { kind: 'texts', ...limits });
      return texts;
    },
    schema: {
      anyOf: [one, { type: 'array', items: one, minItems: 1, maxItems: limits.most }],
      description: 'One or several: matches any of them.',
    },
  };
}

export function text(longest: number): FieldType<string | undefined> {
  return {
    read: (name, value) => (value === undefined ? undefined : filledText(name, value, longest)),
    schema: filledSchema(longest),
  };
}

function filledSchema(longest: number) {
  return { type: 'string', pattern: '\\S', maxLength: longest };
}

function filledText(name: string, value: unknown, longest: number): string {
  if (isBlank(value)) throw new FieldProblem(name, { kind: 'missing' });
  return readText(name, value, longest);
}

/** Type of a query parameter with a calendar date, which the query must have. */
export function date(description: string): FieldType<Temporal.PlainDate> {
  return {
    read(name, value) {
      if (value === undefined) throw new FieldProblem(name, { kind: 'missing' });
      return readDate(name, value);
    },
    schema: { type: 'string', format: 'date', description },
  };
}

/** Type of an optional query parameter with an id. */
export function id(): FieldType<string | undefined> {
  return {
    read(name, value) {
      if (value === undefined || (typeof value === 'string' && isUuid(value))) return value;
      throw new FieldProblem(name, { kind: 'id' });
    },
    schema: { type: 'string', format: 'uuid' },
  };
}

/**
 * Type of a query parameter that selects resources by a property: true selects those with the property, false those
 * without.
 */
export function booleanFilter(description: string): FieldType<boolean | undefined> {
  return { read: yesOrNo, schema: { type: 'boolean', description } };
}

export function flag(description?: string): FieldType<boolean> {
  return {
    read: (name, value) => yesOrNo(name, value) ?? false,
    schema: { type: 'boolean', default: false, ...(description && { description }) },
  };
}

function yesOrNo(name: string, value: unknown): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new FieldProblem(name, { kind: 'yes_or_no' });
}

/** Type of a query parameter with a positive integer; values above `most` count as `most`. */
export function wholeNumber(otherwise: number, most = Number.MAX_SAFE_INTEGER): FieldType<number> {
  return {
    read(name, value) {
      if (value === undefined) return otherwise;
      const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : 0;
      if (!Number.isSafeInteger(number) || number < 1) {
        throw new FieldProblem(name, { kind: 'integer', least: 1, most });
      }
      return Math.min(number, most);
    },
    schema: {
      type: 'integer',
      minimum: 1,
      default: otherwise,
      ...(most < Number.MAX_SAFE_INTEGER && {
        maximum: most,
        description: `Larger values count as ${most}.`,
      }),
    },
  };
}
