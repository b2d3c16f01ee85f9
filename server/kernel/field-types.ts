import { toTimestamp } from './clock.ts';
import {
  DATE_TIME,
  FieldProblem,
  type Fields,
  fieldsOf,
  invalidField,
  isBlank,
  LARGEST_AMOUNT,
  LONGEST_EMAIL,
  readAmount,
  readChoice,
  readDate,
  readDateTime,
  readEmail,
  readList,
  readText,
  readTimeOfDay,
  readYesOrNo,
  refuseUnknown,
  TIME_OF_DAY,
} from './fields.ts';
import { isUuid } from './identifiers.ts';
import { LANGUAGE_NAMES, type LanguageName, type Words } from './languages.ts';
import { toSingleLine } from './one-line.ts';

/**
 * Type of a field: its reader, which throws a FieldProblem, and the JSON Schema of the same values. A resource
 * describes each of its fields once, in a table of field types; accepted bodies, the API reference and stored values
 * follow from it.
 */
export interface FieldType<T> {
  read(field: string, value: unknown): T;
  schema: Schema;
  /** JSON Schema of the field's value in responses, if it differs from the schema of accepted values. */
  shows?: Schema;
}

type Schema = Readonly<Record<string, unknown>>;

/** Type of a field with a text of at most `most` UTF-16 code units. The text is trimmed. */
export function text(most: number): FieldType<string> {
  return {
    read: (field, value) => readText(field, value, most),
    schema: { type: 'string', maxLength: most },
  };
}

/**
 * Type of a field with a single-line text, for a name or a title. Line breaks and characters that reverse the direction
 * of text, as copied names may have, become a space.
 */
export function line(most: number): FieldType<string> {
  const { read, schema } = text(most);
  return {
    read(field, value) {
      const whole = read(field, value);
      const seen = toSingleLine(whole);
      if (whole && !seen) throw new FieldProblem(field, { kind: 'unseen' });
      return seen;
    },
    schema,
  };
}

export function wholeNumber(least: number, most: number): FieldType<number> {
  return {
    read(field, value) {
      // JavaScript's -0 is read as 0, because some outputs would show it as "-0".
      if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most)
        return Number(value) + 0;
      throw new FieldProblem(field, { kind: 'integer', least, most });
    },
    schema: { type: 'integer', minimum: least, maximum: most },
  };
}

/** Type of a field with an amount of money: a JSON number with at most two decimals. */
export function amount(most = LARGEST_AMOUNT): FieldType<number> {
  return {
    read: (field, value) => readAmount(field, value, most),
    schema: { type: 'number', minimum: 0, maximum: most },
  };
}

export function oneOf<const T extends string>(values: readonly T[]): FieldType<T> {
  return {
    read: (field, value) => readChoice(field, value, values),
    schema: { type: 'string', enum: values },
  };
}

/** Type of a list of some of the words in `values`. The list is read in their order, without duplicates. */
export function someOf<const T extends string>(values: readonly T[]): FieldType<T[]> {
  return {
    read(field, value) {
      const list = readList(field, value, values.length);
      if (list.length === 0) throw new FieldProblem(field, { kind: 'choice', choices: values });
      return [...new Set(list.map((one, index) => readChoice(`${field}[${index}]`, one, values)))];
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

/** Type of a field with a mail address, which is read in lower case. */
export function mailAddress(): FieldType<string> {
  return { read: readEmail, schema: { type: 'string', format: 'email', maxLength: LONGEST_EMAIL } };
}

export function timeOfDay(): FieldType<string> {
  return { read: readTimeOfDay, schema: { type: 'string', pattern: TIME_OF_DAY } };
}

/**
 * Type of a field with a date and time. It is stored and shown as an instant in UTC. Without an offset the input is
 * wall time in `zone`.
 */
export function dateTime(zone: string): FieldType<string> {
  return {
    read: (field, value) => toTimestamp(readDateTime(field, value, zone)),
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

/** Type of a list of single-line texts. It is read without blank texts and duplicates. */
export function texts({ most, longest }: { most: number; longest: number }): FieldType<string[]> {
  return {
    read(field, value) {
      const problem = () => new FieldProblem(field, { kind: 'texts', most, longest });
      if (!Array.isArray(value)) throw problem();
      const lines = value.map((one) => toSingleLine(readText(field, one, longest)));
      const distinct = new Set(lines.filter((one) => one !== ''));
      if (distinct.size > most) throw problem();
      return [...distinct];
    },
    schema: { type: 'array', items: { type: 'string', maxLength: longest }, maxItems: most },
  };
}

function withoutDescription({ description: _, ...schema }: Schema): Schema {
  return schema;
}

/** Type of a list of at most `most` texts of a type, read without duplicates. */
export function several(type: FieldType<string>, most: number): FieldType<string[]> {
  const listSchema = (items: Schema): Schema => ({ type: 'array', items, maxItems: most });
  return {
    read: (field, value) => [
      ...new Set(readList(field, value, most).map((one, index) => type.read(`${field}[${index}]`, one))),
    ],
    schema: listSchema(withoutDescription(type.schema)),
    ...(type.shows && { shows: listSchema(withoutDescription(type.shows)) }),
  };
}

/**
 * Type of a list of objects that have fields of their own (`table`). Errors name a field in the form `field[2].amount`.
 * The API reference describes the objects once, under their `title`.
 */
export function listOf<T extends FieldTable>(
  table: T,
  most: number,
  title?: string,
): FieldType<ValuesOf<T>[]> {
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
        ...(title && { title }),
        type: 'object',
        required: required.map(([name]) => name),
        properties: Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, type.schema])),
      },
    },
  };
}

/** Restricts a field type to values for which `fits` is true; `words` is the error message for other values. */
export function restricted<T>(type: FieldType<T>, fits: (value: T) => boolean, words: Words): FieldType<T> {
  return {
    ...type,
    read(field, value) {
      const read = type.read(field, value);
      if (!fits(read)) throw invalidField(field, words);
      return read;
    },
  };
}

/** Restricts a text field to a regular expression. `pattern` is ECMAScript, and part of the API reference. */
export function matching(type: FieldType<string>, pattern: string, words: Words): FieldType<string> {
  const form = new RegExp(pattern);
  const { read } = restricted(type, (value) => form.test(value), words);
  return { ...type, read, schema: { ...type.schema, pattern } };
}

/** Type of a field with the id of a resource; `words` is the error message for a text that is no id. */
export function uuid(words: Words): FieldType<string> {
  const { read } = restricted(text(100), isUuid, words);
  return { read, schema: { type: 'string', format: 'uuid' } };
}

/** Adds a description for the API reference to a field's type. */
export function withDescription<T>(type: FieldType<T>, description: string): FieldType<T> {
  const { shows } = type;
  return {
    ...type,
    schema: { ...type.schema, description },
    ...(shows && { shows: { ...shows, description } }),
  };
}

/** Makes a field's type also accept null, which resets the field to `empty`, its value when nothing was given. */
export function orEmpty<T>(type: FieldType<T>, empty: T): FieldType<T> {
  return {
    read: (field, value) => (value === null ? empty : type.read(field, value)),
    schema: { ...nullable(type.schema), default: empty },
    shows: type.shows ?? type.schema,
  };
}

/** Makes a field's type also accept null and blank text, which reset the field to `otherwise`. */
export function orDefault<T>(type: FieldType<T>, otherwise: T): FieldType<T> {
  return {
    ...orEmpty(type, otherwise),
    read: (field, value) => (isCleared(value, type) ? otherwise : type.read(field, value)),
  };
}

/** Makes a field's type also accept null and blank text, which clear the field. */
export function orNull<T>(type: FieldType<T>): FieldType<T | null> {
  const { schema, shows } = type;
  return {
    read: (field, value) => (isCleared(value, type) ? null : type.read(field, value)),
    schema: nullable(schema),
    ...(shows && { shows: nullable(shows) }),
  };
}

/** Makes a field's type refuse null and blank text, which would clear the field. */
export function nonEmpty<T>(type: FieldType<T>): FieldType<T> {
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

/**
 * Makes the field types for a request that changes a resource: null keeps the stored value. Each area of the API
 * decides which values besides null keep it.
 */
export function toChangeTable<T extends FieldTable>(table: T): { [K in keyof T]: { type: T[K]['type'] } } {
  return Object.fromEntries(
    Object.entries(table).map(([name, { type }]) => {
      const { default: _, ...schema } = type.schema;
      return [name, { type: { ...type, schema: nullable(schema) } }];
    }),
  ) as never;
}

/** True if a field's value clears the field: null, or blank text if the field's type accepts text. */
function isCleared(value: unknown, { schema }: FieldType<unknown>): boolean {
  if (typeof value !== 'string') return value === null;
  return isBlank(value) && [schema.type].flat().includes('string');
}

/** JSON Schema for null and for all values that fit `schema`. */
export function nullable(schema: Schema): Schema {
  const { type, enum: values } = schema;
  return {
    ...schema,
    type: [...new Set([type, 'null'].flat())],
    ...(Array.isArray(values) && { enum: [...new Set([...values, null])] }),
  };
}

/** Type of a text in several languages. A plain string sets all languages; null and blank texts set none. */
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

/** Text in a language or, if there is none, in the language `otherwise` or else in any language. */
export function textInLanguage(
  texts: ByLanguage | null,
  language: LanguageName,
  otherwise: LanguageName,
): string {
  return texts?.[language] ?? texts?.[otherwise] ?? Object.values(texts ?? {})[0] ?? '';
}

/** Types of the fields of a resource, by name. A field without `empty` is required. */
export type FieldTable = Readonly<
  Record<
    string,
    {
      type: FieldType<unknown>;
      empty?: unknown;
      /** Description of the field in responses, for the API reference, if it differs from the description in bodies. */
      shown?: string;
      /** Value of the field in the example of the API reference, if `empty` is not a good example. */
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

/** Default values of a resource's fields, for fields that a request leaves out. */
export function emptyOf<T extends FieldTable>(table: T): Pick<ValuesOf<T>, EmptyField<T>> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(table)) {
    if ('empty' in field) values[name] = field.empty;
  }
  return values as never;
}

/** Example of a resource for the API reference, made from the resource's fields. */
export function exampleOf(table: FieldTable): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { empty, example = empty }]) => [name, example]),
  );
}

/**
 * Reads the fields that a request body has, in the table's order. Error messages put `place` in front of a field's
 * name.
 */
export function readGiven<T extends FieldTable>(table: T, body: Fields, place = ''): Partial<ValuesOf<T>> {
  const given: Record<string, unknown> = {};
  for (const [field, { type }] of Object.entries(table)) {
    if (body[field] !== undefined) given[field] = type.read(place + field, body[field]);
  }
  return given as never;
}

/**
 * Reads a whole resource: the body's fields, and for other fields the values of the current resource or else the
 * default values. It has only the table's fields, in their order. Throws if a required field is missing.
 */
export function readWhole<T extends FieldTable>(
  table: T,
  body: Fields,
  current?: { readonly [K in keyof T]: unknown },
  place = '',
): ValuesOf<T> {
  const read: Fields = { ...(current ?? emptyOf(table)), ...readGiven(table, body, place) };
  const whole: Record<string, unknown> = {};
  for (const field of Object.keys(table)) {
    if (!(field in read)) throw new FieldProblem(place + field, { kind: 'missing' });
    whole[field] = read[field];
  }
  return whole as never;
}

/** Labels of a resource's fields, with which error messages name the fields. */
export function labelsOf(
  table: Readonly<Record<string, { type?: FieldType<unknown>; label?: Words }>>,
): Readonly<Record<string, Words>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([field, { label }]) => (label ? [[field, label]] : [])),
  );
}
