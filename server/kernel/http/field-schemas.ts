import { type TObjectOptions, type TOptional, type TUnsafe, Type } from 'typebox';
import type { FieldTable, ValuesOf } from '../field-types.ts';

/** How a table's fields are shown; `shown` describes one where that is not how it is taken. */
export function outputFields<T extends FieldTable>(table: T): { [K in keyof T]: TUnsafe<ValuesOf<T>[K]> } {
  return mapped(table, ({ type, shown }) => {
    const kept = Object.entries(type.shows ?? type.schema).filter(([word]) => !LIMITS.has(word));
    return Type.Unsafe({ ...Object.fromEntries(kept), ...(shown && { description: shown }) });
  });
}

/** What a body takes for a table's fields, none of which has to be there. */
export function inputFields<T extends FieldTable>(
  table: T,
): { [K in keyof T]: TOptional<TUnsafe<ValuesOf<T>[K]>> } {
  return mapped(table, ({ type }) => Type.Optional(Type.Unsafe({ ...type.schema })));
}

/** The body of something new: what has to be given is required. */
export function bodyOf<T extends FieldTable>(table: T, options: TObjectOptions) {
  const taken = Object.entries(inputFields(table)).map(([name, schema]) => [
    name,
    'empty' in (table[name] ?? {}) ? schema : Type.Unsafe({ ...table[name]?.type.schema }),
  ]);
  return Type.Object(Object.fromEntries(taken), options);
}

/** What is said of what comes in alone. */
const LIMITS = new Set(['minLength', 'maxLength', 'maxItems', 'minimum', 'maximum', 'pattern', 'default']);

function mapped(table: FieldTable, make: (field: FieldTable[string]) => unknown): never {
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, make(field)])) as never;
}
