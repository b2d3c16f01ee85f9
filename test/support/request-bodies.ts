import fc from 'fast-check';
import { Check } from 'typebox/schema';
import { operationsOf, statusesOf } from './reference.ts';

// Generators of request bodies and queries from the schemas of /openapi.json.

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked, not typed
export type Schema = any;

export interface DescribedOperation {
  method: string;
  path: string;
  operationId: string;
  body: Schema | undefined;
  query: { name: string; schema: Schema }[];
  statuses: number[];
  /** True if the operation accepts a file with a table of guests as its body. */
  table: boolean;
  /** Credential that the API's description requires for the operation. */
  credential: 'organizer' | 'apiKey' | 'session' | undefined;
}

/** Operations of an OpenAPI document, with all references resolved. */
export function describedOperations(document: Schema): DescribedOperation[] {
  const found = (part: Schema): Schema => {
    if (Array.isArray(part)) return part.map(found);
    if (typeof part !== 'object' || part === null) return part;
    if (typeof part.$ref === 'string') {
      const keys = part.$ref.slice(2).split('/');
      return found(keys.reduce((at: Schema, key: string) => at[key], document));
    }
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, found(value)]));
  };
  return operationsOf(document).map(({ method, path, operation }) => {
    const content = operation.requestBody?.content ?? {};
    return {
      method,
      path,
      operationId: operation.operationId,
      body: found(content['application/json']?.schema),
      table: content['text/csv'] !== undefined,
      query: found(operation.parameters ?? []).filter((one: Schema) => one.in === 'query'),
      statuses: statusesOf(operation),
      credential: credentialOf(operation.security),
    };
  });
}

function credentialOf(security: Schema[] = []): DescribedOperation['credential'] {
  const [first] = security.flatMap((one) => Object.keys(one));
  return first as DescribedOperation['credential'];
}

/** Generators of values that must exist in the database, such as ids and addresses, which a schema can't describe. */
export type KnownValues = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Generates random values that fit a JSON schema. */
export function fittingValues(schema: Schema, known: KnownValues = {}): fc.Arbitrary<unknown> {
  const types = [schema.type].flat();
  const value = fittingOne(schema, types.find((one) => one !== 'null') ?? types[0], known);
  if (!types.includes('null') || schema.enum) return value;
  return fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) });
}

function fittingOne(schema: Schema, type: string | undefined, known: KnownValues): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one: Schema) => fittingValues(one, known)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { minimum = 0, maximum = 1000 } = schema;
  if (type === 'integer')
    return fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, minimum + 1000) }) },
      { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
    );
  if (type === 'number') return fc.integer({ min: 0, max: 1e6 }).map((agorot) => agorot / 100);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array')
    return fc.array(fittingValues(schema.items ?? {}, known), {
      minLength: schema.minItems ?? 0,
      maxLength: 3,
    });
  if (type === 'object') return fittingObject(schema, known);
  return fittingText(schema);
}

function fittingObject(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  if (!schema.properties) {
    const name = fittingText({ type: 'string', ...schema.propertyNames });
    // The key `__proto__` is left out, because the server refuses all JSON that contains it.
    const key = name.filter((one) => one !== '__proto__');
    return fc.dictionary(key, fittingValues(schema.additionalProperties ?? {}, known), { maxKeys: 4 });
  }
  const fields = fieldsOf(schema).map(
    ([name, of]) => [name, known[name] ?? fittingValues(of, known)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
}

export const fieldsOf = (schema: Schema): [string, Schema][] => Object.entries(schema.properties ?? {});

const DATES = { min: new Date('2090-01-01'), max: new Date('2190-01-01'), noInvalidDate: true } as const;

function fittingText(schema: Schema): fc.Arbitrary<string> {
  const { pattern, format, minLength = 0, maxLength = 20, description = '' } = schema;
  if (format === 'date-time' || /ISO 8601/.test(description))
    return fc.date(DATES).map((date) => date.toISOString());
  if (format === 'date') return fc.date(DATES).map((date) => date.toISOString().slice(0, 10));
  if (format === 'uuid') return fc.uuid();
  if (format === 'email')
    return fc.oneof(
      { weight: 8, arbitrary: fc.stringMatching(/^[a-z0-9]{1,20}@[a-z]{1,20}\.example$/) },
      { weight: 1, arbitrary: fc.emailAddress() },
    );
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter((text) => Check(schema, text));
  const length = { minLength: Math.max(minLength, 1), maxLength: Math.min(maxLength, 20) };
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc.string({ unit: 'grapheme', ...length }).filter((text) => Check(schema, text)),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', ...length }) },
    { weight: 1, arbitrary: fc.constant('x'.repeat(schema.maxLength ?? 20)) },
  );
}

export interface Misfit {
  body: unknown;
  /** Name of the field that is wrong or missing in the generated body. */
  field: string;
  value: unknown;
}

/** Generates request bodies in which exactly one field is wrong or missing. */
export function misfittingBodies(schema: Schema, known: KnownValues = {}): fc.Arbitrary<Misfit> {
  const whole = fittingValues(schema, known);
  const wrong = fieldsOf(schema).flatMap(([field, of]) =>
    wrongValues(of).map((value) =>
      whole.map((body) => ({ body: { ...(body as object), [field]: value }, field, value })),
    ),
  );
  const missing = ((schema.required ?? []) as string[]).map((field) =>
    whole.map((body) => {
      const { [field]: _, ...rest } = body as Record<string, unknown>;
      return { body: rest, field, value: undefined };
    }),
  );
  const strange = { field: 'a_name', value: 'x' };
  const strangers =
    schema.additionalProperties === false
      ? [whole.map((body) => ({ body: { ...(body as object), a_name: 'x' }, ...strange }))]
      : [];
  const others = schema.properties
    ? strangers
    : wrongValues(schema.additionalProperties).map((value) =>
        whole.map((body) => ({ body: { ...(body as object), A_NAME: value }, field: 'A_NAME', value })),
      );
  return fc.oneof(...wrong, ...missing, ...others);
}

/** Values that do not fit the schema of a field. */
export function wrongValues(schema: Schema): unknown[] {
  const { maximum, minimum, maxLength, maxItems, minLength } = schema;
  return [
    true,
    false,
    0,
    7,
    -1,
    1.5,
    1e300,
    'x',
    '۷',
    [],
    [7],
    {},
    { a: 1 },
    null,
    ...(minLength ? [''] : []),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, (_, n) => `item ${n}`)]),
  ].filter((value) => !Check(schema, value));
}
