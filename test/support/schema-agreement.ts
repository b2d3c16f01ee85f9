import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { FieldProblem, type Fields } from '../../server/kernel/fields.ts';
import { toSingleLine } from '../../server/kernel/one-line.ts';
import { Refusal } from '../../server/kernel/refusal.ts';

/**
 * Rule that a schema can't express: true if the function that reads request bodies may refuse this value although the
 * value fits the schema.
 */
export type Rule = (field: string, value: unknown, body: Fields) => boolean;

export interface Description {
  /** JSON Schema of the request body, from the API reference. */
  schema: object;
  read(body: Fields): unknown;
  /**
   * Rules by which `read` may refuse a body that fits the schema. The key is the kind of the FieldProblem that `read`
   * throws, or the code of the Refusal.
   */
  rules: Readonly<Record<string, Rule>>;
  /**
   * Normalizes a body before it is compared with the schema, where `read` accepts more than the schema does, such as
   * spaces around a text.
   */
  meant?(body: Fields): Fields;
  /** Values that are valid or special for some field, since random values alone would rarely be valid. */
  telling: readonly unknown[];
  /** True if `read` does not treat an empty text as null in fields that may be null. */
  blankCounts?: boolean;
  /** Fields that are part of every generated body. */
  always?: Fields;
}

/**
 * Rules for texts. PostgreSQL can't store the character NUL or half of a surrogate pair. Lengths differ as well: JSON
 * Schema counts characters, the server counts UTF-16 units.
 */
export const TEXT_RULES = {
  characters: () => true,
  unseen: (_field, value) => textsIn(value).some((text) => toSingleLine(text) === ''),
  too_long: (_field, value) => /[\ud800-\udfff]/.test(JSON.stringify(value)),
} as const satisfies Description['rules'];

/** Rule that refuses numbers with more than two decimals, as in amounts of money. */
export const decimalsRule: Rule = (_field, value) =>
  typeof value === 'number' && Number(value.toFixed(2)) !== value;

/**
 * Rule that lets values be refused only in the named fields, such as instants, email addresses and days, which the JSON
 * Schema describes only as text.
 */
export function ruleForFields(...fields: string[]): Rule {
  return (field) => fields.includes(field);
}

interface ObjectSchema {
  required?: string[];
  properties: Record<string, { type?: string | string[] }>;
}

/**
 * Checks that the schema of a body is right in both directions: a body that fits the schema is refused only by a named
 * rule, and a body that does not fit is always refused.
 */
export function assertSchemaAgrees(description: Description): void {
  const { read, rules, telling, always = {}, meant = same, blankCounts = false } = description;
  const { required = [], properties } = description.schema as ObjectSchema;
  const checks = new Map(Object.entries(properties).map(([field, one]) => [field, Compile(one)]));
  const fits = (body: Fields) =>
    required.every((field) => field in body) &&
    Object.entries(body).every(([field, value]) => checks.get(field)?.Check(value));
  const trimmed = (body: Fields) =>
    Object.fromEntries(
      Object.entries(body).map(([field, value]) => {
        const types = [properties[field]?.type].flat();
        if (typeof value !== 'string' || !types.includes('string')) return [field, value];
        const isNull = value.trim() === '' && types.includes('null') && !blankCounts;
        return [field, isNull ? null : value.trim()];
      }),
    );
  const bodies = fc.dictionary(fc.constantFrom(...Object.keys(properties)), valueAmong(telling), {
    maxKeys: 4,
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(bodies, (given) => {
      const body: Fields = { ...always, ...given };
      const fitting = fits(trimmed(meant(body)));
      try {
        read(body);
      } catch (error) {
        if (!fitting) return assert.ok(error instanceof FieldProblem || error instanceof Refusal, `${error}`);
        const [kind, field] = told(error);
        const isNamed = rules[kind]?.(field, body[field], body);
        return assert.ok(isNamed, `it fits, and is refused by no rule: ${field}, ${kind}`);
      }
      assert.ok(fitting, 'it does not fit, and was taken');
    }),
    { numRuns: 3_000 },
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [];
}

function same(body: Fields): Fields {
  return body;
}

function told(error: unknown): [kind: string, field: string] {
  if (error instanceof FieldProblem) return [error.complaint.kind, error.field];
  if (error instanceof Refusal) return [error.code, error.more.field ?? ''];
  throw error;
}

function valueAmong(telling: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 600 }) },
    { weight: 2, arbitrary: fc.integer({ min: -2, max: 102 }) },
    { weight: 2, arbitrary: fc.boolean() },
    { weight: 2, arbitrary: fc.array(fc.string({ maxLength: 60 }), { maxLength: 25 }) },
    { weight: 6, arbitrary: fc.constantFrom(null, '', ' ', ...telling) },
  );
}
