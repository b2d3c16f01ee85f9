import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Answer } from './support/client.ts';
import { DATABASES, startServer, type TestServer } from './support/server.ts';

// Drives every route of /openapi.json with right, nearly right and absurd requests.
// Another seed or more runs: FUZZ_SEED=1 FUZZ_RUNS=20000 npm test -- test/fuzz.test.ts

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_007);
const RUNS = Number(process.env.FUZZ_RUNS ?? 1500);

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked, not typed
type Schema = any;
interface Route {
  method: string;
  path: string;
  body: Schema | undefined;
  query: { name: string; schema: Schema }[];
  statuses: number[];
}
interface Attempt {
  method: string;
  route: string;
  path: string;
  body: string | undefined;
  headers: Record<string, string>;
}

const absurd = fc.oneof(
  fc.anything({ withBigInt: false, withDate: false }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(
    '\0',
    'a\0b',
    '\ud800',
    'x'.repeat(200_000),
    -1,
    0,
    1.5,
    2 ** 31,
    2 ** 53,
    1e308,
    true,
    false,
    null,
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    "'; drop table events; --",
    '%s%n',
    '‮',
    '2027-02-31T10:00',
    '25:99',
    '١٢',
  ),
  fc.constantFrom([], {}, [[[[[]]]]], { toString: 'x' }, '1e400', 'NaN', 'undefined', '{"a":1}'),
);

/** Values that fit a schema. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const [type] = [schema.type].flat();
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000 });
  if (type === 'number') return fc.integer({ min: 0, max: 1e6 }).map((agorot) => agorot / 100);
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return fc.array(fitting(schema.items ?? {}), { maxLength: 3 });
  if (type === 'object')
    return fc.record(Object.fromEntries(fieldsOf(schema).map(([name, of]) => [name, fitting(of)])), {
      requiredKeys: schema.required ?? [],
    });
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  if (schema.format === 'date-time' || /ISO 8601/.test(schema.description ?? '')) {
    return fc
      .date({ min: new Date('2090-01-01'), max: new Date('2190-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  return fc.string({
    unit: 'grapheme',
    minLength: Math.max(schema.minLength ?? 0, 1),
    maxLength: Math.min(schema.maxLength ?? 20, 20),
  });
}

const fieldsOf = (schema: Schema): [string, Schema][] => Object.entries(schema.properties ?? {});

/** A fitting body with some of its fields, and some it doesn't know, made absurd. */
function nearly(schema: Schema): fc.Arbitrary<unknown> {
  const names = [...fieldsOf(schema).map(([name]) => name), 'id', 'organizer_id', 'deleted_at', 'unknown'];
  return fc
    .tuple(fitting(schema), fc.dictionary(fc.constantFrom(...names), absurd, { maxKeys: 3 }))
    .map(([right, wrong]) => ({ ...(right as object), ...wrong }));
}

const oddBody = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '1',
    '{"__proto__":{"a":1}}',
    '{"a":1,"a":2}',
    '{"title":"\\ud800"}',
    '\0',
    '{"title":"\\u0000"}',
  ),
  fc.constant('['.repeat(50_000)),
  fc.constant(`{"a":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`),
  fc.string({ unit: 'binary', maxLength: 100 }),
);

function attempts(route: Route, knownIds: () => string[]): fc.Arbitrary<Attempt> {
  const id = fc.oneof(
    fc.nat().map((n) => knownIds()[n % Math.max(knownIds().length, 1)] ?? 'none'),
    fc.uuid(),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '',
      '.',
      '..',
      '%',
      '%zz',
      '%00',
      '0',
      '-1',
      'null',
      'undefined',
      'NaN',
      '{}',
      'a'.repeat(5000),
      '../../etc/passwd',
    ),
  );
  const query = fc.tuple(
    ...route.query.map(({ name, schema }) =>
      fc.oneof(fc.constant(''), fitting(schema), absurd).map((value) => {
        try {
          return value === '' ? '' : `${name}=${encodeURIComponent(String(value).slice(0, 2000))}`;
        } catch {
          return `${name}=%ff`;
        }
      }),
    ),
  );
  const body = route.body
    ? fc.oneof(
        { weight: 4, arbitrary: nearly(route.body).map((value) => JSON.stringify(value) ?? 'null') },
        { weight: 2, arbitrary: fitting(route.body).map((value) => JSON.stringify(value)) },
        { weight: 1, arbitrary: oddBody },
      )
    : fc.constant(undefined);
  const contentType = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'application/xml', 'x', 'application/json; charset=utf-16'),
    },
  );
  return fc.record({ id, query, body, contentType }).map(({ id, query, body, contentType }) => ({
    method: route.method,
    route: route.path,
    path:
      route.path.replace(/\{\w+\}/g, () => safely(id)) +
      (query.some(Boolean) ? `?${query.filter(Boolean).join('&')}` : ''),
    body,
    headers: body === undefined ? {} : { 'content-type': contentType },
  }));
}

/** Percent-encoded unless it is meant to arrive as it is. */
function safely(id: string): string {
  if (/^[%./\w{}-]*$/.test(id)) return id;
  return Buffer.from(id, 'utf8').reduce((text, byte) => `${text}%${byte.toString(16).padStart(2, '0')}`, '');
}

/** The one 500 the contract asks for: an unknown kashrut or language on PUT. */
function isContracts500({ method, route, body }: Attempt): boolean {
  if (method !== 'put' || route !== '/api/events/{id}') return false;
  const fields = JSON.parse(body ?? '{}');
  const outside = (value: unknown, known: string[]) => {
    const trimmed = typeof value === 'string' ? value.trim() : value;
    return Boolean(trimmed) && !known.includes(trimmed as string);
  };
  return (
    outside(fields.kashrut_level, ['none', 'regular', 'mehadrin', 'chalav_yisrael']) ||
    outside(fields.language_pref, ['hebrew', 'arabic', 'english'])
  );
}

for (const kind of DATABASES) {
  describe(`fuzzing every route on ${kind}, FUZZ_SEED=${SEED}`, () => {
    let server: TestServer;
    let token: string;
    let routes: Route[];
    const ids: string[] = [];
    before(async () => {
      server = await startServer(kind);
      token = await server.token('fuzzer');
      routes = routesOf((await server.call('GET', '/openapi.json')).body);
    });
    after(() => server.close());

    const fingerprint = async () => {
      const { rows } = await sql<{ print: string }>`
        select md5(coalesce(string_agg(events::text, ',' order by id), '')) as print from events`.execute(
        server.simcha.database.sql,
      );
      return rows[0]?.print;
    };

    const judge = async (attempt: Attempt, answer: Answer, before: string | undefined) => {
      const { method, route, path, body } = attempt;
      const told = `${method} ${path.slice(0, 200)} ${body?.slice(0, 300)} → ${answer.status} ${answer.text.slice(0, 300)}`;
      // fetch resolves dots in a path: such an attempt may have arrived at another address, or at none.
      const arrived = new URL(path, 'http://x').pathname;
      const aside = /\/\.|%2e/i.test(path) && [404, 405].includes(answer.status);
      const statuses = routes.find((one) => one.method === method && one.path === route)?.statuses ?? [];
      assert.ok(aside || statuses.includes(answer.status), `not a status of this route: ${told}`);
      if (answer.status === 500)
        assert.ok(isContracts500(attempt), `a 500 that is not the contract’s: ${told}`);
      if (answer.status >= 400 && answer.status !== 503) {
        assert.equal(typeof answer.body?.error, 'string', `not the shape of an error: ${told}`);
        if (/^\/api\/events(\/|$)/.test(arrived)) {
          assert.deepEqual(Object.keys(answer.body), ['error'], told);
          assert.match(answer.body.error, /[֐-׿]/, told);
        }
        assert.ok(
          !/node_modules|\bat .*:\d+|select |insert |constraint/i.test(answer.body.error),
          `leaks its insides: ${told}`,
        );
        assert.equal(await fingerprint(), before, `changed the database: ${told}`);
      }
      const id = answer.body?.event?.id;
      if (answer.status === 201 && id) ids.push(id);
    };

    test(`${RUNS} requests: no 500 but the contract’s own, right shapes, nothing stored on a refusal`, async (t) => {
      const seen = new Map<number, number>();
      const any = fc.nat().chain((n) => attempts(routes[n % routes.length] as Route, () => ids));
      await fc.assert(
        fc.asyncProperty(any, async (attempt) => {
          const before = await fingerprint();
          const { method, path, body, headers } = attempt;
          const answer = await server.call(method.toUpperCase(), path, {
            token,
            headers,
            ...(body !== undefined && { body }),
          });
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          await judge(attempt, answer, before);
        }),
        { seed: SEED, numRuns: RUNS, endOnFailure: true },
      );
      t.diagnostic(
        `answers by status: ${JSON.stringify(Object.fromEntries([...seen].sort(([a], [b]) => a - b)))}`,
      );
      for (const status of [200, 201, 400, 404])
        assert.ok(seen.get(status), `never saw a ${status}: the fuzz is not reaching in`);
    });
  });
}

function routesOf(document: Schema): Route[] {
  return Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, operation]) => ({
      method,
      path,
      body: operation.requestBody?.content['application/json'].schema,
      query: (operation.parameters ?? []).filter((one: Schema) => one.in === 'query'),
      statuses: Object.keys(operation.responses).map(Number),
    })),
  );
}
