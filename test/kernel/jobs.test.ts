import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../../server/kernel/config.ts';
import { type Database, isUnavailable } from '../../server/kernel/database/database.ts';
import { openDatabase } from '../../server/kernel/database/open.ts';
import { createJobs, type Jobs, type JobTimes } from '../../server/kernel/jobs.ts';
import { migrations } from '../../server/migrations/migrations.ts';
import { startPostgres } from '../support/postgres.ts';
import { BOTH_DATABASES, type DatabaseKind, queryDatabase, temporaryDatabase } from '../support/server.ts';
import { until } from '../support/until.ts';

const log = pino({ level: process.env.SIMCHA_TEST_LOG ?? 'silent' });

/** A database with its job queue and nothing else, over a folder that outlives it. */
async function openFolder(kind: DatabaseKind) {
  const place = await temporaryDatabase(kind);
  const config = readConfig(place.env);
  const open = async <T>(
    declare: (jobs: Jobs) => T,
    { prepare, times }: { prepare?: (database: Database) => Promise<unknown>; times?: JobTimes } = {},
  ) => {
    const database = openDatabase(config, migrations, log);
    const jobs = createJobs(config, database, log, times);
    const queue = declare(jobs);
    await database.prepare();
    await prepare?.(database);
    await jobs.start();
    const close = async () => {
      await jobs.drain(2_000);
      await jobs.close();
      await database.close();
    };
    return { database, queue, close, [Symbol.asyncDispose]: close };
  };
  return { env: place.env, open, [Symbol.asyncDispose]: place[Symbol.asyncDispose] };
}

/** Jobs of a schedule that have not begun: whether their time is later, and its time of day in Israel. */
function waitingSchedules(database: Database, key: string) {
  return sql<{ is_later: boolean; at: string }>`
    select start_after > now() as is_later, to_char(start_after at time zone 'Asia/Jerusalem', 'HH24:MI') as at
    from pgboss.job where name = 'scheduled' and singleton_key = ${key} and state < 'active'`.execute(
    database.sql,
  );
}

for (const kind of BOTH_DATABASES) {
  test(`a job is worked soon after it is sent on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    const worked = Promise.withResolvers<{ text: string }>();
    await using open = await folder.open((jobs) =>
      jobs.queue<{ text: string }>('soon', {}, async ({ data }) => worked.resolve(data)),
    );
    const sent = performance.now();
    await open.queue.send({ text: 'שלום' });
    assert.deepEqual(await worked.promise, { text: 'שלום' });
    const took = performance.now() - sent;
    assert.ok(took < 2_000, `worked after ${took} ms, so it waited for a poll and not for the notification`);
  });

  test(`a backlog is worked without pauses, no more than allowed at once, on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    let running = 0;
    let most = 0;
    let done = 0;
    const all = Promise.withResolvers<void>();
    await using open = await folder.open((jobs) =>
      jobs.queue<object>('backlog', { concurrency: 3 }, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        done += 1;
        if (done === 20) all.resolve();
      }),
    );
    const began = performance.now();
    for (let i = 0; i < 20; i += 1) await open.queue.send({ i });
    await all.promise;
    assert.ok(most <= 3, `${most} at once`);
    assert.ok(performance.now() - began < 5_000, 'some waited for a poll');
  });

  test(`many jobs are sent at once and taken up together, and one that fails is tried again alone, on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    const worked: number[] = [];
    let together = 0;
    let most = 0;
    const all = Promise.withResolvers<void>();
    await using open = await folder.open((jobs) =>
      jobs.queue<{ n: number }>('many', { batch: 10, retryDelay: 1 }, async ({ data: { n }, attempt }) => {
        together += 1;
        most = Math.max(most, together);
        await new Promise((resolve) => setImmediate(resolve));
        together -= 1;
        worked.push(n);
        if (n === 7 && attempt === 1) throw new Error('not this time');
        if (worked.length === 31) all.resolve();
      }),
    );
    const numbers = Array.from({ length: 30 }, (_, n) => n);
    await open.database.sql.transaction().execute(async (transaction) => {
      await open.queue.sendAll(
        numbers.map((n) => ({ n })),
        { transaction },
      );
    });
    await all.promise;
    assert.equal(most, 10);
    assert.deepEqual(
      worked.toSorted((a, b) => a - b),
      [...numbers, 7].sort((a, b) => a - b),
    );
  });

  test(`a row and its job are one commit on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    const seen: string[] = [];
    const kept = Promise.withResolvers<void>();
    await using open = await folder.open((jobs) =>
      jobs.queue<{ name: string }>('together', {}, async ({ data }) => {
        seen.push(data.name);
        if (data.name === 'kept') kept.resolve();
      }),
    );
    const db = open.database.sql;
    await assert.rejects(
      db.transaction().execute(async (transaction) => {
        await open.queue.send({ name: 'rolled back' }, { transaction });
        throw new Error('changed my mind');
      }),
      /changed my mind/,
    );
    await db.transaction().execute(async (transaction) => {
      await open.queue.send({ name: 'kept' }, { transaction });
    });
    await kept.promise;
    const { rows } = await sql<{ name: string }>`
      select data->>'name' as name from pgboss.job where name = 'together'`.execute(db);
    assert.deepEqual(rows, [{ name: 'kept' }]);
    assert.deepEqual(seen, ['kept']);
  });

  test(`a failed job is tried again, and ends after its last retry, on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    const attempts: [number, boolean][] = [];
    const last = Promise.withResolvers<void>();
    await using open = await folder.open((jobs) =>
      jobs.queue('failing', { retries: 1, retryDelay: 1 }, async ({ attempt, isLastAttempt }) => {
        attempts.push([attempt, isLastAttempt]);
        if (isLastAttempt) last.resolve();
        throw new Error('not today');
      }),
    );
    await open.queue.send({});
    await last.promise;
    assert.deepEqual(attempts, [
      [1, false],
      [2, true],
    ]);
  });

  test(`an exclusive key keeps a second job out until the first is done on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    const gate = Promise.withResolvers<void>();
    await using open = await folder.open((jobs) =>
      jobs.queue('exclusive', { perKey: 'exclusive' }, () => gate.promise),
    );
    const sent = await Promise.all(Array.from({ length: 10 }, () => open.queue.send({}, { key: 'one' })));
    assert.equal(sent.filter(Boolean).length, 1);
    assert.ok(await open.queue.send({}, { key: 'another' }));
    gate.resolve();
  });

  test(`a job whose process is killed is worked again on ${kind}`, { timeout: 90_000 }, async () => {
    await using folder = await openFolder(kind);
    const child = spawn(process.execPath, [new URL('fixtures/stuck-job.ts', import.meta.url).pathname], {
      env: { ...process.env, ...folder.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await once(child.stdout, 'data');
    assert.equal(String(output), 'took a\n');
    child.kill('SIGKILL');
    await once(child, 'exit');

    const again = Promise.withResolvers<[string, number]>();
    await using _open = await folder.open((jobs) => {
      jobs.queue<{ letter: string }>('stuck', { retryDelay: 1 }, async ({ data, attempt }) =>
        again.resolve([data.letter, attempt]),
      );
    });
    assert.deepEqual(await again.promise, ['a', 2]);
  });

  test(`a job still running at shutdown is worked again after it on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    const taken = Promise.withResolvers<AbortSignal>();
    const first = await folder.open((jobs) =>
      jobs.queue('slow', { retryDelay: 1 }, async ({ signal }) => {
        taken.resolve(signal);
        await new Promise(() => {});
      }),
    );
    await first.queue.send({});
    const signal = await taken.promise;
    await first.close();
    assert.equal(signal.aborted, true);

    const again = Promise.withResolvers<number>();
    await using _second = await folder.open((jobs) => {
      jobs.queue('slow', { retryDelay: 1 }, async ({ attempt }) => again.resolve(attempt));
    });
    assert.equal(await again.promise, 2);
  });

  test(`a changed setting of a queue counts from the next start on, on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    const retriesOf = async (retries: number) => {
      await using open = await folder.open((jobs) => jobs.queue('changing', { retries }, async () => {}));
      const { rows } = await sql<{ retry_limit: number }>`
        select retry_limit from pgboss.queue where name = 'changing'`.execute(open.database.sql);
      return rows[0]?.retry_limit;
    };
    assert.deepEqual([await retriesOf(3), await retriesOf(3), await retriesOf(7)], [3, 3, 7]);
  });

  test(`a schedule has one job, at its next time in Israel, on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    const waitingAfter = async (cron: string) => {
      await using open = await folder.open((jobs) => jobs.schedule('nightly', cron, async () => {}));
      const waiting = () => waitingSchedules(open.database, `nightly ${cron}`);
      await until(async () => (await waiting()).rows.length > 0);
      return (await waiting()).rows;
    };
    const later = { is_later: true, at: '03:30' };
    assert.deepEqual(await waitingAfter('30 3 * * *'), [later]);
    assert.deepEqual(await waitingAfter('30 3 * * *'), [later]);
    assert.deepEqual(await waitingAfter('45 4 * * *'), [{ ...later, at: '04:45' }]);
  });

  test(`a schedule whose time was missed runs once, and then waits for its next time, on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    let runs = 0;
    const worked = Promise.withResolvers<void>();
    const declare = (jobs: Jobs) =>
      jobs.schedule('nightly', '30 3 * * *', async () => {
        runs += 1;
        worked.resolve();
      });
    const key = 'nightly 30 3 * * *';
    {
      await using open = await folder.open(declare);
      await until(async () => (await waitingSchedules(open.database, key)).rows.length === 1);
      // The server is away at the three times since then.
      await sql`update pgboss.job set start_after = start_after - interval '3 days' where name = 'scheduled'`.execute(
        open.database.sql,
      );
    }
    await using open = await folder.open(declare);
    await worked.promise;
    await until(async () => (await waitingSchedules(open.database, key)).rows[0]?.is_later === true);
    assert.equal(runs, 1);
  });

  test(`a schedule of former times does nothing on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    let runs = 0;
    const declare = (cron: string) => (jobs: Jobs) =>
      jobs.schedule('nightly', cron, async () => {
        runs += 1;
      });
    {
      await using open = await folder.open(declare('30 3 * * *'));
      const waiting = () => waitingSchedules(open.database, 'nightly 30 3 * * *');
      await until(async () => (await waiting()).rows.length === 1);
      await sql`update pgboss.job set start_after = now() - interval '1 day' where name = 'scheduled'`.execute(
        open.database.sql,
      );
    }
    await using open = await folder.open(declare('45 4 * * *'));
    await until(async () => {
      const { rows } = await sql`
        select from pgboss.job where singleton_key = 'nightly 30 3 * * *' and state = 'completed'`.execute(
        open.database.sql,
      );
      return rows.length === 1;
    });
    assert.equal(runs, 0);
  });

  test(`work runs while its condition is true on ${kind}`, async () => {
    await using folder = await openFolder(kind);
    const worked: number[] = [];
    await using open = await folder.open(
      (jobs) =>
        jobs.schedule('bells', sql<boolean>`exists (select from bells)`, async () => {
          const { rows } = await sql<{ n: number }>`
            delete from bells where n = (select min(n) from bells) returning n`.execute(open.database.sql);
          worked.push(...rows.map(({ n }) => n));
        }),
      {
        prepare: (database) => sql`create table if not exists bells (n integer)`.execute(database.sql),
        times: { pollSeconds: 1 },
      },
    );
    await sql`insert into bells values (1), (2)`.execute(open.database.sql);
    await until(() => worked.length === 2);
    assert.deepEqual(worked, [1, 2]);
  });
}

test('each time of a schedule runs on one of several servers', async () => {
  await using folder = await openFolder('postgres');
  const runs: number[] = [];
  const declare = (server: number) => (jobs: Jobs) =>
    jobs.schedule('nightly', '30 3 * * *', async () => {
      runs.push(server);
    });
  await using first = await folder.open(declare(1), { times: { pollSeconds: 1 } });
  await using _second = await folder.open(declare(2), { times: { pollSeconds: 1 } });
  await using _third = await folder.open(declare(3), { times: { pollSeconds: 1 } });
  const waiting = () => waitingSchedules(first.database, 'nightly 30 3 * * *');
  for (const times of [1, 2, 3]) {
    await until(async () => (await waiting()).rows[0]?.is_later === true);
    await sql`update pgboss.job set start_after = now() where name = 'scheduled'`.execute(first.database.sql);
    await until(() => runs.length === times);
  }
  await until(async () => (await waiting()).rows[0]?.is_later === true);
  assert.equal(runs.length, 3);
});

test('jobs go on when their PostgreSQL has gone and come back', { timeout: 90_000 }, async () => {
  const postgres = await startPostgres();
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-jobs-'));
  try {
    await queryDatabase(postgres.url('postgres'), 'create database simcha');
    const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: postgres.url('simcha') });
    const database = openDatabase(config, migrations, log);
    const jobs = createJobs(config, database, log);
    const seen: string[] = [];
    const queue = jobs.queue<{ name: string }>('steady', {}, async ({ data }) => void seen.push(data.name));
    await database.prepare();
    await jobs.start();
    await queue.send({ name: 'before' });
    await until(() => seen.includes('before'));
    await postgres.stop();
    await assert.rejects(queue.send({ name: 'lost' }), isUnavailable);
    await postgres.start();
    await until(async () => (await queue.send({ name: 'after' }).catch(() => undefined)) !== undefined);
    await until(() => seen.includes('after'), 30_000);
    assert.ok(!seen.includes('lost'));
    await jobs.drain(1_000);
    await jobs.close();
    await assert.rejects(queue.send({ name: 'late' }), isUnavailable);
    await database.close();
  } finally {
    await postgres.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
});
