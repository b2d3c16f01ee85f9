import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { pino } from 'pino';
import { Lease, type LeaseParts } from '../../../server/hosting/controller/lease/lease.ts';
import type { LeaseTimes } from '../../../server/hosting/controller/lease/lease-term.ts';
import { LeaseLost, requireLease } from '../../../server/hosting/model/lease-fence.ts';
import { readConfig } from '../../../server/kernel/config.ts';
import { openDatabase } from '../../../server/kernel/database/open.ts';
import { migrations } from '../../../server/migrations/migrations.ts';
import { DATABASES, queryDatabase, temporaryDatabase } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const TIMES: LeaseTimes = { holdMs: 1_500, renewMs: 200, marginMs: 700, askMs: 200, awayMs: 1_000 };
const log = pino({ level: process.env.SIMCHA_TEST_LOG ?? 'silent' });

/** A server as far as the lease knows one: what it runs is a line in `running`. */
async function server(
  env: Record<string, string>,
  running: string[],
  name: string,
  how: Partial<Pick<LeaseParts, 'isAlone' | 'reach'>> = {},
) {
  const database = openDatabase(readConfig(env), migrations, log);
  await database.prepare();
  const held: number[] = [];
  /** For how long what it runs may go on, as it was told each time. */
  const told: number[] = [];
  const lease = new Lease({
    db: database.sql,
    self: { server: randomUUID(), machine: name, address: null, outlives: false, cluster: null },
    times: TIMES,
    log,
    ...how,
    mayRunFor: (ms) => told.push(ms),
    async runTerm(generation, signal) {
      held.push(generation);
      assert.equal(running.length, 0, `${name} began while another one still ran sites`);
      running.push(name);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      running.pop();
    },
  });
  lease.start();
  return {
    name,
    held,
    told,
    database,
    lease,
    async close() {
      await lease.close();
      await database.close();
    },
  };
}

for (const kind of DATABASES) {
  test(`whoever starts first runs the sites, on ${kind}`, async () => {
    await using temporary = await temporaryDatabase(kind);
    const running: string[] = [];
    const one = await server(temporary.env, running, 'one');
    await until(() => running.includes('one'));
    assert.deepEqual(one.held, [1]);
    await requireLease(one.database.sql, 1);
    await until(() => one.told.length > 0);
    assert.ok(
      one.told.every((ms) => ms === 0),
      'nobody else asks for it',
    );
    await assert.rejects(requireLease(one.database.sql, 2), LeaseLost);
    await one.close();
    assert.equal(running.length, 0);
    const again = await server(temporary.env, running, 'one');
    await until(() => running.includes('one'));
    assert.deepEqual(again.held, [2]);
    await again.close();
  });
}

test('a server that closes while it asks for the lease runs nothing, and lets the next one have it', async () => {
  await using temporary = await temporaryDatabase('postgres');
  const running: string[] = [];
  const one = await server(temporary.env, running, 'one');
  await one.close();
  assert.deepEqual(one.held, []);
  const next = await server(temporary.env, running, 'next');
  await until(() => running.includes('next'));
  await next.close();
});

test('what an earlier life of a server held is its own at once, and nothing of anybody else’s later', async () => {
  await using temporary = await temporaryDatabase('postgres');
  const ask = (text: string) => queryDatabase(temporary.env.DATABASE_URL ?? '', text);
  const isAlone = () => true;
  const first = await server(temporary.env, [], 'one', { isAlone });
  await until(() => first.held.length === 1);
  // A copy of the machine, as far as can be told.
  const second = await server(temporary.env, [], 'one', { isAlone });
  try {
    await until(() => second.held.length === 1);
    // The first one has found that the lease is not its own, and has asked for it again and again.
    await until(async () => (await ask('select wanted_at from hosting_lease'))[0].wanted_at !== null);
    const [{ at }] = await ask('select clock_timestamp()::text as at');
    await until(
      async () =>
        (await ask(`select wanted_at > '${at}'::timestamptz as is_later from hosting_lease`))[0].is_later,
    );
    assert.deepEqual([first.held, second.held], [[1], [2]]);
    // Once another one asks for it, sites are to end with a holder that does not renew it.
    await until(() => second.told.some((ms) => ms > 0));
    assert.ok(second.told.every((ms) => ms < TIMES.holdMs));
  } finally {
    for (const one of [second, first]) await one.close();
  }
});

test('of many servers one runs the sites; when it closes, or has lost the lease, the next one does, never two', async () => {
  await using temporary = await temporaryDatabase('postgres');
  const running: string[] = [];
  const servers = await Promise.all(['a', 'b', 'c'].map((name) => server(temporary.env, running, name)));
  try {
    await until(() => running.length === 1);
    const first = servers.find(({ name }) => name === running[0]);
    await first?.close();
    await until(() => running.length === 1);
    assert.notEqual(running[0], first?.name);

    // Who finds that the lease is not its own any more ends what it runs, and stands in line like everybody.
    const held = () => servers.flatMap((one) => one.held).sort();
    assert.deepEqual(held(), [1, 2]);
    await queryDatabase(
      temporary.env.DATABASE_URL ?? '',
      'update hosting_lease set server = gen_random_uuid()',
    );
    await until(() => running.length === 1 && held().length === 3);
    assert.deepEqual(held(), [1, 2, 3]);
  } finally {
    for (const one of servers) await one.close().catch(() => {});
  }
});

for (const [rivals, word] of [
  [0, 'go on where nobody else asks for the lease'],
  [1, 'end where another server asks for the lease'],
] as const) {
  test(`while the database is away sites ${word}`, async () => {
    await using temporary = await temporaryDatabase('postgres');
    const ask = (text: string) => queryDatabase(temporary.env.DATABASE_URL ?? '', text);
    const running: string[] = [];
    const one = await server(temporary.env, running, 'one');
    const others: Awaited<ReturnType<typeof server>>[] = [];
    try {
      await until(() => running.includes('one'));
      for (let n = 0; n < rivals; n += 1) others.push(await server(temporary.env, running, `other ${n}`));
      const isKnown = `select held_until > started + interval '2 seconds'
        and (wanted_at is not null) = ${rivals > 0} as is_known
        from hosting_lease, (select min(held_until) as started from remembered) as r`;
      await ask('create table remembered as select held_until from hosting_lease');
      await until(async () => (await ask(isKnown))[0].is_known);
      await ask('alter table hosting_lease rename to away');
      await until(
        async () => (await ask('select held_until < clock_timestamp() as is_over from away'))[0].is_over,
      );
      assert.deepEqual(running, rivals > 0 ? [] : ['one']);
      await ask('alter table away rename to hosting_lease');
      await until(
        async () =>
          (await ask('select held_until > clock_timestamp() as is_held from hosting_lease'))[0].is_held,
      );
      await until(() => running.length === 1);
      if (rivals === 0) assert.deepEqual(one.held, [1]);
    } finally {
      for (const each of [one, ...others]) await each.close();
    }
  });
}

test('a holder that does not reach what runs the sites gives the lease to one that asks, and asks again once it does', async () => {
  await using temporary = await temporaryDatabase('postgres');
  const ask = (text: string) => queryDatabase(temporary.env.DATABASE_URL ?? '', text);
  const running: string[] = [];
  let isAway = false;
  let asked = 0;
  const reach = async () => {
    asked += 1;
    if (isAway) throw new Error('nobody answers');
  };
  const one = await server(temporary.env, running, 'one', { reach });
  const others: Awaited<ReturnType<typeof server>>[] = [];
  try {
    await until(() => running.includes('one'));
    isAway = true;
    asked = 0;
    // For far longer than another one would be waited for.
    await until(() => asked > (3 * TIMES.awayMs) / TIMES.askMs);
    assert.deepEqual(running, ['one'], 'with nobody to take it, it goes on trying');

    const next = await server(temporary.env, running, 'next');
    others.push(next);
    await until(() => running.includes('next'));
    asked = 0;
    await ask('update hosting_lease set wanted_at = null');
    await until(() => asked > 5);
    const [{ wanted_at: wantedAt }] = await ask('select wanted_at from hosting_lease');
    assert.equal(wantedAt, null, 'what it could not hold it does not ask for');

    isAway = false;
    await until(async () => (await ask('select wanted_at from hosting_lease'))[0].wanted_at !== null);
    await next.close();
    await until(() => running.includes('one'));
    assert.deepEqual([one.held, next.held], [[1, 3], [2]]);
  } finally {
    for (const each of [one, ...others]) await each.close();
  }
});
