import { parameter } from './database/transaction.ts';
import {
  choice,
  DATE_TIME,
  FieldProblem,
  type Fields,
  fieldsOf,
  invalidField,
  isBlank,
  LARGEST_AMOUNT,
  LONGEST_EMAIL,
  amount as readAmount,
  date as readDate,
  dateTime as readDateTime,
  email as readEmail,
  list as readList,
  text as readText,
  timeOfDay as readTimeOfDay,
  yesOrNo as readYesOrNo,
  refuseUnknown,
  TIME_OF_DAY,
} from './fields.ts';
import { isUuid } from './identifiers.ts';
import { LANGUAGE_NAMES, type LanguageName, type Words } from './languages.ts';
import { onOneLine } from './one-line.ts';

/**
 * What a field takes: its reader, which throws a FieldProblem, and the JSON Schema of the same. A resource describes
 * each of its fields once, in a table of these; what bodies take, what the reference says and what is stored follow.
 */
export interface FieldType<T> {
  read(field: string, value: unknown): T;
  schema: Schema;
  /** JSON Schema of the value as it is shown, where that is not what is taken. */
  shows?: Schema;
}

type Schema = Readonly<Record<string, unknown>>;

/** Text, trimmed, of at most `most` UTF-16 units. */
export function text(most: number): FieldType<string> {
  return {
    read: (field, value) => readText(field, value, most),
    schema: { type: 'string', maxLength: most },
  };
}

/** The same of a name or a title. What breaks a line or turns text around, as copied names may, becomes a space. */
export function line(most: number): FieldType<string> {
  const { read, schema } = text(most);
  return {
    read(field, value) {
      const whole = read(field, value);
      const seen = onOneLine(whole);
      if (whole && !seen) throw new FieldProblem(field, { kind: 'unseen' });
      return seen;
    },
    schema,
  };
}

export function wholeNumber(least: number, most: number): FieldType<number> {
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
export function amount(most = LARGEST_AMOUNT): FieldType<number> {
  return {
    read: (field, value) => readAmount(field, value, most),
    schema: { type: 'number', minimum: 0, maximum: most },
  };
}

export function oneOf<const T extends string>(values: readonly T[]): FieldType<T> {
  return {
    read: (field, value) => choice(field, value, values),
    schema: { type: 'string', enum: values },
  };
}

/** Some of `values`, the first ones first; each once. */
export function someOf<const T extends string>(values: readonly T[]): FieldType<T[]> {
  return {
    read(field, value) {
      const list = readList(field, value, values.length);
      if (list.length === 0) throw new FieldProblem(field, { kind: 'choice', choices: values });
      return [...new Set(list.map((one, index) => choice(`${field}[${index}]`, one, values)))];
    },
    schema: {
      type: 'array',
      items: { type: 'string', enum: [...values] },
      minItems: 1,
      maxItems: values.length,
    },
  };
}

export function yesOrNo(): FieldType<boolean> {
  return { read: readYesOrNo, schema: { type: 'boolean' } };
}

/** A mail address, in small letters. */
export function mailAddress(): FieldType<string> {
  return { read: readEmail, schema: { type: 'string', format: 'email', maxLength: LONGEST_EMAIL } };
}

export function timeOfDay(): FieldType<string> {
  return { read: readTimeOfDay, schema: { type: 'string', pattern: TIME_OF_DAY } };
}

/** A date-time, as the API shows it: an instant in UTC. Without an offset it is wall time in `zone`. */
export function dateTime(zone: string): FieldType<string> {
  return {
    read: (field, value) => parameter(readDateTime(field, value, zone)),
    schema: {
      type: 'string',
      pattern: DATE_TIME,
      description: `ISO 8601; without an offset it is wall time in ${zone}.`,
    },
    shows: { type: 'string', format: 'date-time' },
  };
}

export function date(): FieldType<string> {
  return {
    read: (field, value) => readDate(field, value).toString(),
    schema: { type: 'string', format: 'date' },
  };
}

/** Distinct texts of one line, blank ones left out. */
export function texts({ most, longest }: { most: number; longest: number }): FieldType<string[]> {
  return {
    read(field, value) {
      const problem = () => new FieldProblem(field, { kind: 'texts', most, longest });
      if (!Array.isArray(value)) throw problem();
      const lines = value.map((one) => onOneLine(readText(field, one, longest)));
      const distinct = new Set(lines.filter((one) => one !== ''));
      if (distinct.size > most) throw problem();
      return [...distinct];
    },
    schema: { type: 'array', items: { type: 'string', maxLength: longest }, maxItems: most },
  };
}

/** A list of things that are described by a table of their own; `field[2].amount` is what a problem is about. */
export function listOf<T extends FieldTable>(table: T, most: number): FieldType<ValuesOf<T>[]> {
  const required = Object.entries(table).filter(([, field]) => !('empty' in field));
  return {
    read: (field, value) =>
      readList(field, value, most).map((item, index) => {
        const place = `${field}[${index}]`;
        return readWhole(table, fieldsOf(item, place), undefined, `${place}.`);
      }),
    schema: {
      type: 'array',
      maxItems: most,
      items: {
        type: 'object',
        required: required.map(([name]) => name),
        properties: Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, type.schema])),
      },
    },
  };
}

/** The same, of which only what fits is taken; the rest is refused in these words. */
export function only<T>(type: FieldType<T>, fits: (value: T) => boolean, words: Words): FieldType<T> {
  return {
    ...type,
    read(field, value) {
      const read = type.read(field, value);
      if (!fits(read)) throw invalidField(field, words);
      return read;
    },
  };
}

/** The same, of which only what has a form is taken. `pattern` is of ECMAScript, and says so in the reference. */
export function matching(type: FieldType<string>, pattern: string, words: Words): FieldType<string> {
  const form = new RegExp(pattern);
  const { read } = only(type, (value) => form.test(value), words);
  return { ...type, read, schema: { ...type.schema, pattern } };
}

/** An id of ours; `words` say whose. */
export function uuid(words: Words): FieldType<string> {
  const { read } = only(text(100), isUuid, words);
  return { read, schema: { type: 'string', format: 'uuid' } };
}

/** The same, said more of in the reference. */
export function described<T>(type: FieldType<T>, description: string): FieldType<T> {
  const { shows } = type;
  return {
    ...type,
    schema: { ...type.schema, description },
    ...(shows && { shows: { ...shows, description } }),
  };
}

/** The same, which null sets back to what it is when nobody said anything. */
export function orEmpty<T>(type: FieldType<T>, empty: T): FieldType<T> {
  return {
    read: (field, value) => (value === null ? empty : type.read(field, value)),
    schema: { ...nullable(type.schema), default: empty },
    shows: type.shows ?? type.schema,
  };
}

/** The same, which null and, of texts, a blank one set back. */
export function orDefault<T>(type: FieldType<T>, otherwise: T): FieldType<T> {
  return {
    ...orEmpty(type, otherwise),
    read: (field, value) => (isCleared(value, type) ? otherwise : type.read(field, value)),
  };
}

/** The same, which null and, of texts, a blank one empty. */
export function orNull<T>(type: FieldType<T>): FieldType<T | null> {
  const { schema, shows } = type;
  return {
    read: (field, value) => (isCleared(value, type) ? null : type.read(field, value)),
    schema: nullable(schema),
    ...(shows && { shows: nullable(shows) }),
  };
}

/** The same, which can't be cleared. */
export function filled<T>(type: FieldType<T>): FieldType<T> {
  return {
    ...type,
    read(field, value) {
      if (isCleared(value, type)) throw new FieldProblem(field, { kind: 'missing' });
      return type.read(field, value);
    },
    schema: {
      ...type.schema,
      ...(type.schema.type === 'string' && !type.schema.enum && { minLength: 1 }),
    },
    shows: type.shows ?? type.schema,
  };
}

/** The same fields, for a change: null keeps what is stored. What else does is for the area to say. */
export function orKept<T extends FieldTable>(table: T): { [K in keyof T]: { type: T[K]['type'] } } {
  return Object.fromEntries(
    Object.entries(table).map(([name, { type }]) => {
      const { default: _, ...schema } = type.schema;
      return [name, { type: { ...type, schema: nullable(schema) } }];
    }),
  ) as never;
}

/** By null, and by blank text where text may stand. */
function isCleared(value: unknown, { schema }: FieldType<unknown>): boolean {
  if (typeof value !== 'string') return value === null;
  return isBlank(value) && [schema.type].flat().includes('string');
}

/** JSON Schema of what fits `schema`, or null. */
export function nullable(schema: Schema): Schema {
  const { type, enum: values } = schema;
  return {
    ...schema,
    type: [...new Set([type, 'null'].flat())],
    ...(Array.isArray(values) && { enum: [...new Set([...values, null])] }),
  };
}

/** Texts by the names of their languages; one alone is for all of them, null and blank ones are none. */
export function byLanguage(one: FieldType<string>): FieldType<ByLanguage | null> {
  const names: readonly string[] = LANGUAGE_NAMES;
  const none = { type: 'null' };
  const objectOf = (schema: Schema) => ({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(names.map((name) => [name, schema])),
  });
  return {
    read(field, value) {
      if (value === null) return null;
      const alone = typeof value === 'string' ? one.read(field, value) : undefined;
      if (alone !== undefined) return alone ? Object.fromEntries(names.map((name) => [name, alone])) : null;
      if (typeof value !== 'object' || Array.isArray(value)) throw new FieldProblem(field, { kind: 'text' });
      refuseUnknown(names, value as Fields, `${field}.`);
      const texts = Object.entries(value)
        .map(([name, text]) => [name, text === null ? '' : one.read(`${field}.${name}`, text)] as const)
        .filter(([, text]) => text);
      return texts.length > 0 ? Object.fromEntries(texts) : null;
    },
    schema: { anyOf: [one.schema, objectOf(nullable(one.schema)), none] },
    shows: { anyOf: [objectOf(one.schema), none] },
  };
}
export type ByLanguage = Readonly<Partial<Record<LanguageName, string>>>;

/** What there is for a language: its own text, else that of `otherwise`, else any. */
export function inLanguage(
  texts: ByLanguage | null,
  language: LanguageName,
  otherwise: LanguageName,
): string {
  return texts?.[language] ?? texts?.[otherwise] ?? Object.values(texts ?? {})[0] ?? '';
}

/** A resource's fields by name; one without `empty` has to be given. */
export type FieldTable = Readonly<
  Record<
    string,
    {
      type: FieldType<unknown>;
      empty?: unknown;
      /** How the API shows it, where that is not how it takes it. */
      shown?: string;
      /** What the reference shows it with, where `empty` would not do. */
      example?: unknown;
    }
  >
>;

export type ValuesOf<T extends FieldTable> = {
  -readonly [K in keyof T]: T[K]['type'] extends FieldType<infer V> ? V : never;
};

type EmptyField<T extends FieldTable> = {
  [K in keyof T]: T[K] extends { empty: unknown } ? K : never;
}[keyof T];

/** What stands in the fields of which nothing was said. */
export function emptyOf<T extends FieldTable>(table: T): Pick<ValuesOf<T>, EmptyField<T>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, field]) => ('empty' in field ? [[name, field.empty]] : [])),
  ) as never;
}

/** How such a resource may look, for the reference. */
export function exampleOf(table: FieldTable): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { empty, example = empty }]) => [name, example]),
  );
}

/** Reads those fields of a body that it gives, in the table's order; `place` stands before their names in problems. */
export function readGiven<T extends FieldTable>(table: T, body: Fields, place = ''): Partial<ValuesOf<T>> {
  const given = Object.entries(table).filter(([field]) => body[field] !== undefined);
  return Object.fromEntries(
    given.map(([field, { type }]) => [field, type.read(place + field, body[field])]),
  ) as never;
}

/**
 * Reads a whole resource: what a body gives over what is there, or over what is empty; its own fields, in their order.
 * Throws where one is missing.
 */
export function readWhole<T extends FieldTable>(
  table: T,
  body: Fields,
  current?: { readonly [K in keyof T]: unknown },
  place = '',
): ValuesOf<T> {
  const read: Fields = { ...(current ?? emptyOf(table)), ...readGiven(table, body, place) };
  const whole = Object.keys(table).map((field) => {
    if (!(field in read)) throw new FieldProblem(place + field, { kind: 'missing' });
    return [field, read[field]];
  });
  return Object.fromEntries(whole);
}

/** The names of a table's fields for people, as error sentences use them. */
export function labelsOf(
  table: Readonly<Record<string, { type?: FieldType<unknown>; label?: Words }>>,
): Readonly<Record<string, Words>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([field, { label }]) => (label ? [[field, label]] : [])),
  );
}
