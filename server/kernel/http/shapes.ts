import { type Static, type TObject, Type } from 'typebox';
import { nullable } from '../field-types.ts';

/**
 * Pieces from which the schemas of all areas of the API are made. A schema serializes responses, documents the API and
 * gives TypeScript its types.
 */

interface Options {
  description?: string;
  [keyword: string]: unknown;
}

/** Reference to a shared schema by its `$id`; a response requires a description. */
export function schemaRef<T extends TObject>(schema: T, description?: string) {
  return Type.Unsafe<Static<T>>({
    $ref: `${(schema as { $id?: string }).$id}#`,
    ...(description && { description }),
  });
}

export function enumSchema<const T extends readonly string[]>(values: T, options: Options = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

/** Schema that also allows null in addition to the values of `schema`; an enum gets null as a value. */
export function orNullSchema<T>(schema: { type: string; enum?: readonly unknown[] } & Options) {
  return Type.Unsafe<T | null>(nullable(schema));
}

export function enumOrNullSchema<const T extends readonly string[]>(values: T, options: Options = {}) {
  return orNullSchema<T[number]>({ type: 'string', enum: values, ...options });
}

export function textOrNullSchema(options: Options = {}) {
  return orNullSchema<string>({ type: 'string', ...options });
}

export function uuidSchema(description?: string) {
  return Type.String({ format: 'uuid', ...(description && { description }) });
}

export function dateTimeSchema(description = 'UTC') {
  return Type.String({ format: 'date-time', description });
}

export function dateTimeOrNullSchema(description = 'UTC') {
  return textOrNullSchema({ format: 'date-time', description });
}

/** Schemas of the times when a row was created and last changed, and an example of both times. */
export const timestampSchemas = { created_at: dateTimeSchema(), updated_at: dateTimeSchema() };
export const exampleTimes = {
  created_at: '2026-11-21T08:00:00.000Z',
  updated_at: '2026-11-21T08:00:00.000Z',
};

/** Schema of a calendar date, written `YYYY-MM-DD`. */
export function dateSchema(description = '`YYYY-MM-DD`') {
  return Type.String({ format: 'date', description });
}

export function dateOrNullSchema(description = '`YYYY-MM-DD`') {
  return textOrNullSchema({ format: 'date', description });
}
