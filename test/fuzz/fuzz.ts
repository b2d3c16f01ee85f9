import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { campaign } from '../support/campaign.ts';
import type { Answer, CallOptions } from '../support/client.ts';
import {
  type DescribedOperation,
  describedOperations,
  fieldsOf,
  fittingValues,
  type Schema,
} from '../support/request-bodies.ts';
import { makeResources, type ResourceIds } from '../support/resources.ts';
import { type DatabaseKind, startServer, type TestServer } from '../support/server.ts';

// Drives every route of /openapi.json with right, nearly right and absurd requests.
// Another seed or more runs: FUZZ_SEED=1 FUZZ_RUNS=20000 npm test -- test/fuzz

/** `npm test` says of the same code the same twice; the long campaign tries what nobody has tried. */
const SEED = Number(process.env.FUZZ_SEED ?? campaign(1, Date.now() % 1_000_000_007));
/** Both databases are asked the same; most of it goes to the quicker one. */
const RUNS: Record<DatabaseKind, number> = {
  postgres: Number(process.env.FUZZ_RUNS ?? campaign(300, 20_000)),
  embedded: Number(process.env.FUZZ_RUNS ?? campaign(100, 20_000)),
};
/** So many on one server: what is asked for and made piles up, and what is stored is looked at after each refusal. */
const RUNS_OF_A_SERVER = 2_000;
/** How many of everything there are to begin with. */
const THINGS = campaign(6, 30);

interface Attempt extends Pick<DescribedOperation, 'credential'> {
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

/** A fitting body with some of its fields, and some it doesn't know, made absurd. */
function nearly(schema: Schema): fc.Arbitrary<unknown> {
  const names = [...fieldsOf(schema).map(([name]) => name), 'id', 'organizer_id', 'deleted_at', 'unknown'];
  return fc
    .tuple(fittingValues(schema), fc.dictionary(fc.constantFrom(...names), absurd, { maxKeys: 3 }))
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

/** A guest list as somebody's program writes it, or nothing of the kind. */
const table = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.subarray(
          ['שם', 'טלפון', 'דוא״ל', 'תגיות', 'תשובה', 'כמה מגיעים', 'vegan', 'כשרות', '__proto__', ''],
          {
            minLength: 1,
          },
        ),
        fc.array(
          fc.array(
            fc.oneof(
              fc.string({ unit: 'binary', maxLength: 30 }),
              fc.constantFrom('נועה', '050-123-4567', 'noa@example.com', 'מגיעים', '2', 'כן', '=1+1', '"'),
            ),
            { maxLength: 10 },
          ),
          { maxLength: 8 },
        ),
      )
      .map(([headings, rows]) =>
        [['name', ...headings], ...rows]
          .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
          .join('\n'),
      ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 1, arbitrary: fc.constantFrom('', 'PK\u0003\u0004', 'name\n"', 'name;phone\n\0;\0', ',,,\n,,,') },
);

/** `known` may change while they are made. */
function attempts(route: DescribedOperation, known: readonly ResourceIds[]): fc.Arbitrary<Attempt> {
  const absurdId = fc.oneof(
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
  const seldom = fc.oneof(
    { weight: 7, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: absurdId },
  );
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = fc
    .tuple(fc.nat(known.length - 1), fc.record(Object.fromEntries(names.map((name) => [name, seldom]))))
    .map(([nth, absurd]) =>
      route.path.replace(/\{(\w+)\}/g, (_, name) => safely(absurd[name] ?? known[nth]?.[name] ?? 'none')),
    );
  const query = fc.tuple(
    ...route.query.map(({ name, schema }) =>
      fc.oneof(fc.constant(''), fittingValues(schema), absurd).map((value) => {
        try {
          return value === '' ? '' : `${name}=${encodeURIComponent(String(value).slice(0, 2000))}`;
        } catch {
          return `${name}=%ff`;
        }
      }),
    ),
  );
  const body = route.table
    ? table
    : route.body
      ? fc.oneof(
          { weight: 4, arbitrary: nearly(route.body).map((value) => JSON.stringify(value) ?? 'null') },
          { weight: 2, arbitrary: fittingValues(route.body).map((value) => JSON.stringify(value)) },
          { weight: 1, arbitrary: oddBody },
        )
      : fc.constant(undefined);
  const contentType = fc.oneof(
    { weight: 12, arbitrary: fc.constant(route.table ? 'text/csv' : 'application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'application/xml', 'x', 'application/json; charset=utf-16'),
    },
  );
  return fc.record({ path, query, body, contentType }).map(({ path, query, body, contentType }) => ({
    method: route.method,
    route: route.path,
    credential: route.credential,
    path: path + (query.some(Boolean) ? `?${query.filter(Boolean).join('&')}` : ''),
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

/**
 * Tables that change while nobody asks: wrong tries are counted, mail and deployments go their way, servers show that
 * they live.
 */
const ASIDE =
  /^(simcha_migrations.*|one_time_codes|code_counts|mails|builds|releases|sites|instances.*|replicas|runs|schedules|logs|log_chunks|hosting_lease|gateways|rounds|round_.*)$/;
/** What of a table changes by itself while a deployment or a check goes its way. */
const PASSING: Readonly<Record<string, readonly string[]>> = {
  environments: ['status', 'deployed_at'],
  previews: ['visited_at'],
  deployments: [
    'status',
    'history',
    'release_id',
    'commit_hash',
    'commit_message',
    'reason',
    'worked_by',
    'attempts',
    'released',
    'is_current',
    'started_at',
    'ended_at',
  ],
  domains: ['checked_at', 'problem', 'proved_at'],
};
const HEBREW_AREAS = /^\/api\/(events|vendors|shared-events|rsvp)(\/|$)/;

/** The tests of one database. */
export function fuzz(kind: DatabaseKind): void {
  for (let done = 0; done < RUNS[kind]; done += RUNS_OF_A_SERVER) {
    fuzzOnce(kind, Math.min(RUNS[kind] - done, RUNS_OF_A_SERVER), SEED + done);
  }
}

function fuzzOnce(kind: DatabaseKind, runs: number, seed: number): void {
  describe(`fuzzing every route on ${kind}, FUZZ_SEED=${seed}`, () => {
    let server: TestServer;
    let routes: DescribedOperation[];
    let credentials: Record<string, CallOptions>;
    let tables: string[];
    const known: ResourceIds[] = [];
    let made = THINGS;
    const run = <T>(statement: RawBuilder<T>) => statement.execute(server.simcha.database.sql);

    before(async () => {
      server = await startServer(kind, { env: { STRICT_RATE_LIMIT: '1000000' } });
      routes = describedOperations((await server.call('GET', '/openapi.json')).body).filter(
        // The credential of all later requests would be gone.
        ({ method, path }) => !(method === 'delete' && path === '/api/v1/users/me/tokens/current'),
      );
      const { body } = await server.call('POST', '/api/v1/users/register', {
        body: { email: 'fuzz@example.com' },
      });
      await run(sql`update users set verified = true`);
      credentials = {
        organizer: { token: await server.token('fuzzer') },
        apiKey: { headers: { 'x-api-key': body.api_key } },
      };
      for (let n = 0; n < THINGS; n++) known.push(await makeResources(server, credentials, n));
      const { rows } = await run(sql<{ name: string }>`
        select table_name as name from information_schema.tables where table_schema = 'public'`);
      tables = rows.map(({ name }) => name).filter((name) => !ASIDE.test(name));
    });
    after(() => server.close());

    /** A hash of everything that is stored, by table. */
    const fingerprint = async (): Promise<Record<string, string>> => {
      const hashes = tables.map((name) => {
        const lasting = sql`(to_jsonb(one) - ${PASSING[name] ?? []}::text[])::text`;
        return sql`(select coalesce(sum(hashtextextended(${lasting}, 0)), 0)::text from ${sql.table(name)} one) as ${sql.ref(name)}`;
      });
      const { rows } = await run(sql<Record<string, string>>`select ${sql.join(hashes)}`);
      return rows[0] ?? {};
    };

    const judge = (attempt: Attempt, answer: Answer, changed: string[]) => {
      const { method, route, path, body } = attempt;
      const told = `${method} ${path.slice(0, 200)} ${body?.slice(0, 300)} → ${answer.status} ${answer.text.slice(0, 300)}`;
      // fetch resolves dots in a path: such an attempt may have arrived at another address, or at none.
      const arrived = new URL(path, 'http://x').pathname;
      const aside = /\/\.|%2e/i.test(path) && [404, 405].includes(answer.status);
      const statuses = routes.find((one) => one.method === method && one.path === route)?.statuses ?? [];
      assert.ok(aside || statuses.includes(answer.status), `not a status of this route: ${told}`);
      if (answer.status === 500) {
        assert.ok(isContracts500(attempt), `a 500 that is not the contract’s: ${told}`);
      }
      if (answer.status >= 400 && answer.status !== 503) {
        assert.equal(typeof answer.body?.error, 'string', `not the shape of an error: ${told}`);
        if (HEBREW_AREAS.test(arrived)) {
          assert.match(answer.body.error, /[֐-׿]/, told);
        }
        // The contract's own routes say the sentence alone to who names no language.
        if (/^\/api\/events(\/[^/]+)?$/.test(arrived)) {
          assert.deepEqual(Object.keys(answer.body), ['error'], told);
        } else {
          assert.equal(typeof answer.body.code, 'string', told);
          if (answer.body.code === 'invalid_field') assert.equal(typeof answer.body.field, 'string', told);
        }
        const insides = /node_modules|\bat .*:\d+|\bselect |\binsert |violates|constraint/;
        assert.ok(!insides.test(answer.body.error), `leaks its insides: ${told}`);
        assert.deepEqual(changed, [], `changed the database: ${told}`);
      }
    };

    test(`${runs} requests: no 500 but the contract’s own, right shapes, nothing stored on a refusal`, async (t) => {
      const seen = new Map<number, number>();
      // Made once for each route: an arbitrary of anything takes longer to make than to draw from.
      const each = routes.map((route) => attempts(route, known));
      const any = fc.nat().chain((n) => each[n % each.length] as fc.Arbitrary<Attempt>);
      /** As it was before the request; unknown after one that may have changed something. */
      let print: Record<string, string> | undefined;
      await fc.assert(
        fc.asyncProperty(any, async (attempt) => {
          const { method, path, body } = attempt;
          const before = print ?? (await fingerprint());
          const credential = credentials[attempt.credential ?? ''];
          const answer = await server.call(method.toUpperCase(), path, {
            ...credential,
            headers: { ...attempt.headers, ...credential?.headers },
            ...(body !== undefined && { body }),
          });
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          const next = answer.status >= 400 ? await fingerprint() : undefined;
          const changed = tables.filter((name) => next && next[name] !== before[name]);
          print = next;
          judge(attempt, answer, changed);
          // Else the fuzz would soon ask for what is gone alone.
          const lost = known.findIndex((thing) => Object.values(thing).some((one) => path.includes(one)));
          if (method === 'delete' && answer.status === 204 && lost >= 0)
            known[lost] = await makeResources(server, credentials, made++);
        }),
        { seed, numRuns: runs, endOnFailure: true },
      );
      const counts = Object.fromEntries([...seen].sort(([a], [b]) => a - b));
      t.diagnostic(`${routes.length} routes; answers by status: ${JSON.stringify(counts)}`);
      for (const status of [200, 201, 400, 404]) {
        assert.ok(seen.get(status), `never saw a ${status}: the fuzz is not reaching in`);
      }
    });
  });
}
