import { type Fields, isBlank } from './fields.ts';
import { isUuid } from './identifiers.ts';
import type { Takes } from './takes.ts';

/**
 * What a query asks, name by name: reader and JSON Schema in one, as with the fields of a body (takes.ts). A reader is
 * asked about what was not given as well, and gives what holds then; what does not fit is as if it were not given.
 */
export type QueryTable = Readonly<Record<string, Takes<unknown>>>;

export type Answered<T extends QueryTable> = {
  [K in keyof T]: T[K] extends Takes<infer V> ? V : never;
};

export function readQuery<T extends QueryTable>(table: T, query: Fields): Answered<T> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { read }]) => [name, read(name, query[name])]),
  ) as never;
}

export function oneOf<const T extends string>(values: readonly T[]): Takes<T | undefined> {
  return {
    read: (_name, value) => values.find((one) => one === value),
    schema: { type: 'string', enum: values, description: 'Another value is ignored.' },
  };
}

export function oneOfOr<const T extends string>(
  values: readonly T[],
  otherwise: NoInfer<T>,
  description?: string,
): Takes<T> {
  return {
    read: (_name, value) => values.find((one) => one === value) ?? otherwise,
    schema: { type: 'string', enum: values, default: otherwise, ...(description && { description }) },
  };
}

export function text(): Takes<string | undefined> {
  return {
    read(_name, value) {
      if (typeof value !== 'string' || value.includes('\0') || isBlank(value)) return undefined;
      return value.trim().toWellFormed();
    },
    schema: { type: 'string' },
  };
}

export function uuid(): Takes<string | undefined> {
  return {
    read: (_name, value) => (typeof value === 'string' && isUuid(value) ? value : undefined),
    schema: { type: 'string' },
  };
}

/** Asked for by `true`. */
export function flag(description?: string): Takes<boolean> {
  return {
    read: (_name, value) => String(value) === 'true',
    schema: { type: 'boolean', default: false, ...(description && { description }) },
  };
}

/** A positive integer, cut at `most`. */
export function wholeNumber(otherwise: number, most?: number): Takes<number> {
  return {
    read(_name, value) {
      const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : 0;
      const fits = Number.isSafeInteger(number) && number > 0;
      return Math.min(fits ? number : otherwise, most ?? Number.POSITIVE_INFINITY);
    },
    schema: {
      type: 'integer',
      minimum: 1,
      default: otherwise,
      ...(most && { maximum: most, description: `Cut at ${most}.` }),
    },
  };
}
