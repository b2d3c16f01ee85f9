import { type TOptional, type TUnsafe, Type } from 'typebox';
import type { FieldTable, ValuesOf } from '../takes.ts';

/** How a table's fields are shown; `shown` describes one where that is not how it is taken. */
export function shownFields<T extends FieldTable>(table: T): { [K in keyof T]: TUnsafe<ValuesOf<T>[K]> } {
  return mapped(table, ({ takes, shown }) => {
    const { type, items } = takes.schema;
    return Type.Unsafe({ type, ...(items !== undefined && { items }), ...(shown && { description: shown }) });
  });
}

/** What a body takes for a table's fields, none of which has to be there. */
export function takenFields<T extends FieldTable>(
  table: T,
): { [K in keyof T]: TOptional<TUnsafe<ValuesOf<T>[K]>> } {
  return mapped(table, ({ takes }) => Type.Optional(Type.Unsafe({ ...takes.schema })));
}

function mapped(table: FieldTable, make: (field: FieldTable[string] & { shown?: string }) => unknown): never {
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, make(field)])) as never;
}
