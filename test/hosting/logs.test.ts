import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { openDeploymentLog } from '../../server/hosting/controller/pipeline/deployment-log.ts';
import { appendChunks, LOG_CHANNEL, type LoggedLine } from '../../server/hosting/logs/store.ts';
import { LogWriter } from '../../server/hosting/logs/writer.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { listenForNotifications } from '../../server/kernel/database/notifications.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { NEVER, newLogs, openLogs, textOf, toTheEnd } from '../support/logs.ts';
import { startPostgres } from '../support/postgres.ts';
import { DATABASES_OF_SLOW_TESTS, temporaryDatabase } from '../support/server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

const CLOCK = () => Temporal.Instant.from('2026-11-22T08:00:00Z');
const TIME = '2026-11-22T08:00:00.000Z';
const numbered = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => ({ id: first + i, line: `at line ${first + i}` }));
const texts = (first: number, last: number) => numbered(first, last).map(({ id }) => `line ${id}`);

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a log is read and followed from a time on (${kind})`, async () => {
    await using place = await temporaryDatabase(kind);
    await using at = await openLogs(place.env);
    const { deployment } = await newLogs(at.database);
    const timeOf = (second: number) => `2026-11-22T08:00:0${second}.000Z`;
    const line = (second: number, nth: number) => `${timeOf(second)} ${nth} of ${second}`;
    const put = (second: number, count: number) => {
      for (let nth = 1; nth <= count; nth += 1)
        at.logs.write.put(deployment, timeOf(second), [`${nth} of ${second}`]);
    };
    // The second chunk has lines of several seconds
    put(1, 2);
    await at.logs.write.flush(deployment);
    for (const second of [2, 3, 4]) put(second, 2);
    await at.logs.write.flush(deployment);
    at.logs.write.end(deployment);
    await at.logs.write.flush(deployment);
    const cases = [
      { since: '2026-11-22T07:59:59Z', most: 3, lines: [line(3, 2), line(4, 1), line(4, 2)] },
      { since: timeOf(3), most: 100, lines: [line(3, 1), line(3, 2), line(4, 1), line(4, 2)] },
      { since: timeOf(3), most: 1, lines: [line(4, 2)] },
      { since: '2026-11-22T08:00:03.001Z', most: 100, lines: [line(4, 1), line(4, 2)] },
      { since: '2026-11-22T08:00:04.5Z', most: 100, lines: [] },
    ];
    for (const { since: text, most, lines } of cases) {
      const since = Temporal.Instant.from(text);
      const newest = await at.logs.read.newest(deployment, most, since);
      assert.equal(newest, lines.map((one) => `${one}\n`).join(''), text);
      const follow = await at.logs.read.follow(deployment, { after: 0, newest: most, since });
      const followed = (await Array.fromAsync(follow(NEVER))).flat();
      assert.deepEqual(
        followed.map((one) => one.line),
        lines,
        text,
      );
      const again = await at.logs.read.follow(deployment, { after: 7, newest: most, since });
      assert.deepEqual((await Array.fromAsync(again(NEVER))).flat(), [{ id: 8, line: line(4, 2) }]);
    }
  });

  test(`a log is read, followed from its first line, and followed from where a client lost it (${kind})`, async () => {
    await using place = await temporaryDatabase(kind);
    await using at = await openLogs(place.env);
    const { deployment } = await newLogs(at.database);
    const early = toTheEnd(at.logs, deployment);
    at.logs.write.put(deployment, 'at', texts(1, 300));
    await at.logs.write.flush(deployment);
    const late = toTheEnd(at.logs, deployment, 250);
    const foreign = toTheEnd(at.logs, deployment, 1_000_000);
    at.logs.write.put(deployment, 'at', texts(301, 400));
    at.logs.write.end(deployment);
    assert.deepEqual(await early, numbered(1, 400));
    assert.deepEqual(await late, numbered(251, 400));
    assert.deepEqual(await foreign, numbered(1, 400));
    assert.deepEqual(await toTheEnd(at.logs, deployment, 399), numbered(400, 400));
    const lines = numbered(1, 400).map(({ line }) => `${line}\n`);
    assert.equal(await textOf(at.logs, deployment), lines.join(''));
    assert.equal(await at.logs.read.newest(deployment, 2), lines.slice(-2).join(''));
  });

  testInLane(
    `whoever loses a stream at any moment and comes back is told each line once (${kind})`,
    async () => {
      await using place = await temporaryDatabase(kind);
      await using at = await openLogs(place.env);
      const { deployment } = await newLogs(at.database);
      const restless = async (every: number) => {
        const seen = [];
        for (let after = 0; ; ) {
          const leaving = new AbortController();
          const follow = await at.logs.read.follow(deployment, { after });
          for await (const some of follow(leaving.signal)) {
            for (const line of some) {
              seen.push(line);
              after = line.id;
              if (line.id % every !== 0) continue;
              leaving.abort();
              break;
            }
            if (leaving.signal.aborted) break;
          }
          if (!leaving.signal.aborted) return seen;
        }
      };
      const followers = [7, 50, 333].map(restless);
      for (let first = 1; first < 2_000; first += 100) {
        at.logs.write.put(deployment, 'at', texts(first, first + 99));
        await at.logs.write.flush(deployment);
      }
      at.logs.write.end(deployment);
      for (const follower of followers) assert.deepEqual(await follower, numbered(1, 2_000));
    },
  );

  test(`of what a site writes the oldest goes, and numbers go on in the next life of the server (${kind})`, async () => {
    await using place = await temporaryDatabase(kind);
    await using at = await openLogs(place.env);
    const { site } = await newLogs(at.database);
    const line = 'x'.repeat(1_000);
    for (let round = 0; round < 10; round += 1) {
      at.logs.write.put(site, 'at', Array(500).fill(line));
      await at.logs.write.flush(site);
    }
    const kept = await at.logs.bytesOf(site);
    assert.ok(kept > 2 ** 20 && kept <= 2 * 2 ** 20, String(kept));
    const { rows } = await sql<{ bytes: number }>`
      select sum(octet_length(text) + 100)::float8 as bytes from log_chunks where log_id = ${site}`.execute(
      at.database.sql,
    );
    assert.equal(rows[0]?.bytes, kept);

    const later = new LogWriter(at.database, pino({ level: 'silent' }));
    later.put(site, 'at', ['the newest']);
    await later.close();
    const follow = await at.logs.read.follow(site, { after: 0, newest: 2 });
    const leaving = new AbortController();
    const told = [];
    for await (const some of follow(leaving.signal)) {
      told.push(...some);
      if (told.length === 2) leaving.abort();
    }
    assert.deepEqual(told, [
      { id: 5_000, line: `at ${line}` },
      { id: 5_001, line: 'at the newest' },
    ]);
    // One who was away for so long that it is gone goes on with what there is.
    const behind = await at.logs.read.follow(site, { after: 1 });
    for await (const [first] of behind(NEVER)) {
      assert.ok(first && first.id > 2_000 && first.id < 5_000, String(first?.id));
      break;
    }
  });

  testInLane(
    `a chunk that is sent again is there once; a log that is gone is nobody's trouble (${kind})`,
    async () => {
      await using place = await temporaryDatabase(kind);
      await using at = await openLogs(place.env);
      const { application, site, deployment } = await newLogs(at.database);
      const chunk = {
        log_id: deployment,
        chunk_id: newId(),
        lines: 1,
        text: 'once\n',
        ended: false,
        generation: null,
      };
      for (let i = 0; i < 2; i += 1) {
        const [appended] = await appendChunks(at.database.sql, [chunk]);
        assert.equal(appended?.outcome, 'written');
      }
      assert.equal(await textOf(at.logs, deployment), 'once\n');
      const following = toTheEnd(at.logs, site);
      await sql`delete from applications where application_uuid = ${application}`.execute(at.database.sql);
      at.logs.write.put(site, 'at', ['too late']);
      at.logs.write.put(deployment, 'at', ['too late']);
      await at.logs.write.flush(site);
      await at.logs.write.flush(deployment);
      assert.deepEqual(await following, []);
      assert.deepEqual(await toTheEnd(at.logs, deployment), []);
      const { rows } = await sql`select from log_chunks`.execute(at.database.sql);
      assert.equal(rows.length, 0);
    },
  );

  testInLane(
    `a log takes no lines after its end, nor those of an earlier holder of the lease (${kind})`,
    async () => {
      await using place = await temporaryDatabase(kind);
      await using at = await openLogs(place.env);
      const { deployment, site } = await newLogs(at.database);
      await sql`
      insert into hosting_lease (server, machine, outlives, generation, held_until)
      values (${newId()}, 'a machine', false, 2, now())`.execute(at.database.sql);
      const [earlier, holder] = [at.logs.write.inTerm(1), at.logs.write.inTerm(2)];
      earlier.mustPut(deployment, 'at', 'late 1');
      await earlier.flush(deployment);
      earlier.put(deployment, 'at', ['late 2']);
      earlier.end(deployment);
      holder.put(deployment, 'at', texts(1, 2));
      await holder.flush(deployment);
      holder.end(deployment);
      await holder.flush(deployment);
      for (const writer of [earlier, holder, at.logs.write]) {
        writer.mustPut(deployment, 'at', 'behind its end');
        await writer.flush(deployment);
      }
      assert.deepEqual(await toTheEnd(at.logs, deployment), numbered(1, 2));
      // What a site wrote is true whoever has the lease.
      at.logs.write.put(site, 'at', texts(1, 1));
      await at.logs.write.flush(site);
      assert.equal(await textOf(at.logs, site), 'at line 1\n');
    },
  );

  testInLane(
    `a build that writes without end keeps its first 4 MiB, and what we say ourselves (${kind})`,
    async () => {
      await using place = await temporaryDatabase(kind);
      await using at = await openLogs(place.env);
      const { deployment } = await newLogs(at.database);
      const parts = { logs: { write: at.logs.write.inTerm(1), bytesOf: at.logs.bytesOf }, clock: CLOCK };
      const first = await openDeploymentLog(parts, deployment);
      for (let i = 0; i < 500; i += 1) {
        first.output(['x'.repeat(7_000)]);
        if (i % 50 === 0) await first.flush();
      }
      await first.flush();
      // As after a restart of the server in between.
      const log = await openDeploymentLog(parts, deployment);
      log.hideValues(['secret']);
      for (let i = 0; i < 200; i += 1) {
        log.output(['x'.repeat(7_000)]);
        if (i % 50 === 0) await log.flush();
      }
      log.output(['one more']);
      await log.step('start', async () => log.write('no \x1b[1msecret\x1b[0m'));
      await log.flush();
      const text = await textOf(at.logs, deployment);
      assert.ok(text.length > 4_000_000 && text.length < 4.1 * 2 ** 20, String(text.length));
      const end = text.split('\n').slice(-5, -1);
      assert.deepEqual(
        end.map((line) => line.replace(/\d\.\d\d s$/, 'a while')),
        ['The log is full; the rest of the output is left out.', '…', 'no ••••••', 'done in a while'].map(
          (line, i) => `${TIME} [${i === 0 ? 'deploy' : 'start'}] ${line}`,
        ),
      );
    },
  );
}

testInLane('a site that writes on and on keeps the embedded database from growing', async () => {
  await using place = await temporaryDatabase('embedded');
  await using at = await openLogs(place.env);
  const { site } = await newLogs(at.database);
  // Nothing that could be kept in less.
  for (let round = 0; round < 32; round += 1) {
    const lines = Array.from({ length: 512 }, () => randomBytes(768).toString('base64'));
    at.logs.write.put(site, 'at', lines);
    await at.logs.write.flush(site);
  }
  const { rows } = await sql<{ bytes: number; written: number }>`
    select pg_total_relation_size('log_chunks')::float8 as bytes, lines * 1028.0::float8 as written
    from logs where log_id = ${site}`.execute(at.database.sql);
  const { bytes = 0, written = 0 } = rows[0] ?? {};
  assert.ok(written > 16_000_000 && bytes < written / 2, `${bytes} for ${written}`);
});

test('what one server writes is followed and read on another, live and afterwards', async () => {
  await using place = await temporaryDatabase('postgres');
  await using here = await openLogs(place.env);
  await using there = await openLogs(place.env);
  const { deployment, site } = await newLogs(here.database);
  const toldOf = new Set<string>();
  const stopListening = await listenForNotifications(
    LOG_CHANNEL,
    { onMessage: (logId) => toldOf.add(logId), onGap: () => {} },
    { database: there.database, config: readConfig(place.env), log: pino({ level: 'silent' }) },
  );
  const following = toTheEnd(there.logs, deployment);
  const seen: number[] = [];
  const leaving = new AbortController();
  const siteFollowed = (async () => {
    const follow = await there.logs.read.follow(site, { after: 0, newest: 10 });
    for await (const some of follow(leaving.signal)) seen.push(...some.map(({ id }) => id));
  })();
  for (let i = 1; i <= 5; i += 1) {
    here.logs.write.put(deployment, 'at', texts(i, i));
    here.logs.write.put(site, 'at', texts(i, i));
    await until(() => seen.length === i);
  }
  here.logs.write.end(deployment);
  assert.deepEqual(await following, numbered(1, 5));
  assert.deepEqual(await toTheEnd(there.logs, deployment, 3), numbered(4, 5));
  assert.equal(await textOf(there.logs, deployment), await textOf(here.logs, deployment));
  await until(() => toldOf.has(deployment) && toldOf.has(site));
  await stopListening();
  leaving.abort();
  await siteFollowed;
});

testInLane('news that nobody told of are found', async () => {
  await using place = await temporaryDatabase('postgres');
  await using at = await openLogs(place.env);
  const { deployment } = await newLogs(at.database);
  const following = toTheEnd(at.logs, deployment);
  await until(async () => {
    const { rows } = await sql`select from pg_stat_activity where query like 'listen %'`.execute(
      at.database.sql,
    );
    return rows.length > 0;
  });
  await sql`insert into log_chunks values (${deployment}, 1, 2, ${'at line 1\nat line 2\n'})`.execute(
    at.database.sql,
  );
  await sql`update logs set lines = 2, ended = true where log_id = ${deployment}`.execute(at.database.sql);
  assert.deepEqual(await following, numbered(1, 2));
});

testInLane('a log whose row somebody holds is not waited for, and loses nothing', async () => {
  await using place = await temporaryDatabase('postgres');
  await using at = await openLogs(place.env);
  const { site, deployment } = await newLogs(at.database);
  await at.database.sql.transaction().execute(async (transaction) => {
    await sql`select from environments where environment_id = ${site} for update`.execute(transaction);
    await sql`select from logs where log_id = ${site} for update`.execute(transaction);
    at.logs.write.put(site, 'at', texts(1, 1));
    at.logs.write.put(deployment, 'at', texts(1, 1));
    await at.logs.write.flush(deployment);
    await at.logs.write.flush(site);
    assert.equal(await at.logs.read.newest(deployment, 1), 'at line 1\n');
    assert.equal(await at.logs.read.newest(site, 1), '');
  });
  await at.logs.write.flush(site);
  assert.equal(await at.logs.read.newest(site, 1), 'at line 1\n');
});

testInLane('while the database is away lines wait, within bounds, and followers with them', async () => {
  const postgres = await startPostgres();
  try {
    const env = { DATABASE_URL: postgres.url('postgres') };
    await using at = await openLogs(env);
    const { site, deployment } = await newLogs(at.database);
    const seen: LoggedLine[] = [];
    const follow = await at.logs.read.follow(deployment, { after: 0 });
    const following = (async () => {
      for await (const some of follow(NEVER)) seen.push(...some);
    })();
    at.logs.write.put(deployment, 'at', texts(1, 1));
    await until(() => seen.length === 1);
    await postgres.stop();
    at.logs.write.put(deployment, 'at', texts(2, 3));
    at.logs.write.put(site, 'at', Array(2_000).fill('x'.repeat(1_000)));
    await at.logs.write.flush(deployment);
    assert.ok(at.told.includes('logs of deployments and sites wait for the database'));
    at.logs.write.mustPut(deployment, 'at', 'line 4');
    at.logs.write.end(deployment);
    at.logs.write.put(site, 'at', ['and on']);
    await postgres.start();
    await following;
    assert.deepEqual(seen, numbered(1, 4));
    await until(async () => (await at.logs.read.newest(site, 1)) === 'at and on\n');
    const lines = (await textOf(at.logs, site)).split('\n');
    const told = Number(/^at … (\d+) lines left out$/.exec(lines.at(-3) ?? '')?.[1]);
    assert.equal(told + lines.length - 2, 2_001);
    assert.ok(lines.join().length <= 2 ** 20 + 100);
    at.logs.write.put(site, 'at', ['again']);
    await at.logs.write.flush(site);
    assert.equal(await at.logs.read.newest(site, 1), 'at again\n');
  } finally {
    await postgres.remove();
  }
});
