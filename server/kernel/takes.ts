import {
  choice,
  FieldProblem,
  type Fields,
  isBlank,
  LARGEST_AMOUNT,
  amount as readAmount,
  date as readDate,
  dateTime as readDateTime,
  email as readEmail,
  text as readText,
  timeOfDay as readTimeOfDay,
  yesOrNo as readYesOrNo,
} from './fields.ts';

/**
 * What a field takes: its reader, which throws a FieldProblem, and the JSON Schema of the same. A resource describes
 * each of its fields once, in a table of these; what bodies take, what the reference says and what is stored follow.
 */
export interface Takes<T> {
  read(field: string, value: unknown): T;
  schema: Readonly<Record<string, unknown>>;
}

/** Text, trimmed, of at most `most` UTF-16 units. */
export function text(most: number): Takes<string> {
  return {
    read: (field, value) => readText(field, value, most),
    schema: { type: 'string', maxLength: most },
  };
}

export function wholeNumber(least: number, most: number): Takes<number> {
  return {
    read(field, value) {
      // -0 is an integer too, and would go out as "-0" in places.
      if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most)
        return Number(value) + 0;
      throw new FieldProblem(field, { kind: 'integer', least, most });
    },
    schema: { type: 'integer', minimum: least, maximum: most },
  };
}

/** Money: a JSON number with at most two decimals. */
export function amount(): Takes<number> {
  return {
    read: readAmount,
    schema: { type: 'number', minimum: 0, maximum: LARGEST_AMOUNT },
  };
}

export function oneOf<const T extends string>(values: readonly T[]): Takes<T> {
  return {
    read: (field, value) => choice(field, value, values),
    schema: { type: 'string', enum: values },
  };
}

export function yesOrNo(): Takes<boolean> {
  return { read: readYesOrNo, schema: { type: 'boolean' } };
}

/** A mail address, in small letters. */
export function mailAddress(): Takes<string> {
  return { read: readEmail, schema: { type: 'string', maxLength: 254 } };
}

export function timeOfDay(): Takes<string> {
  return { read: readTimeOfDay, schema: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' } };
}

/** A date-time; without an offset it is wall time in `zone`. */
export function dateTime(zone: string): Takes<Temporal.Instant> {
  return {
    read: (field, value) => readDateTime(field, value, zone),
    schema: { type: 'string', description: `ISO 8601; without an offset it is wall time in ${zone}.` },
  };
}

export function date(): Takes<Temporal.PlainDate> {
  return { read: readDate, schema: { type: 'string', format: 'date' } };
}

/** Distinct texts, blank ones left out. */
export function texts({ most, longest }: { most: number; longest: number }): Takes<string[]> {
  return {
    read(field, value) {
      const problem = new FieldProblem(field, { kind: 'texts', most, longest });
      if (!Array.isArray(value)) throw problem;
      const distinct = new Set(value.map((one) => readText(field, one, longest)).filter((one) => one !== ''));
      if (distinct.size > most) throw problem;
      return [...distinct];
    },
    schema: { type: 'array', items: { type: 'string', maxLength: longest }, maxItems: most },
  };
}

/** The same, which null sets back to what it is when nobody said anything. */
export function orEmpty<T>(takes: Takes<T>, empty: T): Takes<T> {
  return {
    read: (field, value) => (value === null ? empty : takes.read(field, value)),
    schema: { ...nullable(takes.schema), default: empty },
  };
}

/** The same, which null and blank text empty. */
export function orNull<T>(takes: Takes<T>): Takes<T | null> {
  return {
    read: (field, value) =>
      value === null || (typeof value === 'string' && isBlank(value)) ? null : takes.read(field, value),
    schema: nullable(takes.schema),
  };
}

function nullable(schema: Takes<unknown>['schema']): Takes<unknown>['schema'] {
  const { type, enum: values } = schema;
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

/** A resource's fields by name. */
export type FieldTable = Readonly<Record<string, { takes: Takes<unknown> }>>;

export type ValuesOf<T extends FieldTable> = {
  -readonly [K in keyof T]: T[K]['takes'] extends Takes<infer V> ? V : never;
};

/** Reads those fields of a body that it gives, in the table's order. */
export function readGiven<T extends FieldTable>(table: T, body: Fields): Partial<ValuesOf<T>> {
  const given = Object.entries(table).filter(([field]) => body[field] !== undefined);
  return Object.fromEntries(
    given.map(([field, { takes }]) => [field, takes.read(field, body[field])]),
  ) as never;
}
