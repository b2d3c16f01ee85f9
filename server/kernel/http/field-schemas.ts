import { type TObjectOptions, type TOptional, type TUnsafe, Type } from 'typebox';
import type { FieldTable, ValuesOf } from '../field-types.ts';

/**
 * Schemas of a resource's fields in responses; `shown` describes a field whose value in responses differs from that in
 * requests.
 */
export function outputFields<T extends FieldTable>(table: T): { [K in keyof T]: TUnsafe<ValuesOf<T>[K]> } {
  return mapped(table, ({ type, shown }) => {
    const shownKeywords = Object.entries(type.shows ?? type.schema).filter(([word]) => !LIMITS.has(word));
    return Type.Unsafe({ ...Object.fromEntries(shownKeywords), ...(shown && { description: shown }) });
  });
}

/** Schemas of a resource's fields in a request body, all optional. */
export function inputFields<T extends FieldTable>(
  table: T,
): { [K in keyof T]: TOptional<TUnsafe<ValuesOf<T>[K]>> } {
  return mapped(table, ({ type }) => Type.Optional(Type.Unsafe({ ...type.schema })));
}

/** Schema of the request body for a new resource: fields without a default are required. */
export function bodyOf<T extends FieldTable>(table: T, options: TObjectOptions) {
  const properties = Object.entries(inputFields(table)).map(([name, schema]) => [
    name,
    'empty' in (table[name] ?? {}) ? schema : Type.Unsafe({ ...table[name]?.type.schema }),
  ]);
  return Type.Object(Object.fromEntries(properties), options);
}

/** Keywords of JSON Schema that limit only the values in requests, not those in responses. */
const LIMITS = new Set(['minLength', 'maxLength', 'maxItems', 'minimum', 'maximum', 'pattern', 'default']);

function mapped(table: FieldTable, make: (field: FieldTable[string]) => unknown): never {
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, make(field)])) as never;
}
