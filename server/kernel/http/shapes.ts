import { type Static, type TObject, Type } from 'typebox';
import { nullable } from '../field-types.ts';

/** Pieces of all areas' schemas: they serialize, document and type. */

interface Options {
  description?: string;
  [keyword: string]: unknown;
}

/** Reference to a shared schema by its `$id`; a response requires a description. */
export function ref<T extends TObject>(schema: T, description?: string) {
  return Type.Unsafe<Static<T>>({
    $ref: `${(schema as { $id?: string }).$id}#`,
    ...(description && { description }),
  });
}

export function oneOf<const T extends readonly string[]>(values: T, options: Options = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

/** Schema that also allows null; for an enum, null becomes one of its values. */
export function orNull<T>(schema: { type: string; enum?: readonly unknown[] } & Options) {
  return Type.Unsafe<T | null>(nullable(schema));
}

export function oneOfOrNull<const T extends readonly string[]>(values: T, options: Options = {}) {
  return orNull<T[number]>({ type: 'string', enum: values, ...options });
}

export function textOrNull(options: Options = {}) {
  return orNull<string>({ type: 'string', ...options });
}

export function uuid(description?: string) {
  return Type.String({ format: 'uuid', ...(description && { description }) });
}

export function dateTime(description = 'UTC') {
  return Type.String({ format: 'date-time', description });
}

export function dateTimeOrNull(description = 'UTC') {
  return textOrNull({ format: 'date-time', description });
}

/** Times of a row's creation and last change, and an example of them. */
export const times = { created_at: dateTime(), updated_at: dateTime() };
export const exampleTimes = {
  created_at: '2026-11-21T08:00:00.000Z',
  updated_at: '2026-11-21T08:00:00.000Z',
};

/** Calendar date. */
export function date(description = '`YYYY-MM-DD`') {
  return Type.String({ format: 'date', description });
}

export function dateOrNull(description = '`YYYY-MM-DD`') {
  return textOrNull({ format: 'date', description });
}
