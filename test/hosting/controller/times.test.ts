import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { hostingTimes } from '../../../server/hosting/times.ts';
import { BOTH_DATABASES, startServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

test('times that are not given keep their defaults', () => {
  const { lease, controller, routing } = hostingTimes('postgres', {
    lease: { renewMs: 100 },
    routing: {},
  });
  assert.deepEqual(
    [lease.renewMs, lease.holdMs, controller.lookMs, routing.heartbeatMs],
    [100, 10_000, 10_000, 3_000],
  );
});

for (const kind of BOTH_DATABASES) {
  test(`a renewal or a heartbeat may fail once on ${kind}`, () => {
    const { lease, controller, routing } = hostingTimes(kind);
    assert.ok(2 * lease.renewMs + routing.lateMs < lease.holdMs);
    assert.ok(2 * lease.renewMs + lease.marginMs <= lease.holdMs);
    assert.ok(2 * routing.heartbeatMs < controller.gatewayGoneMs);
  });
}

test('a server keeps the times of hosting that it was composed with', async () => {
  await using server = await startServer('postgres', {
    env: { APPS_GIT_PROTOCOLS: 'file' },
    hostingTimes: {
      lease: { holdMs: 1_000, renewMs: 100, marginMs: 500 },
      routing: { heartbeatMs: 100, lateMs: 300, lookMs: 1_000 },
    },
    stays: true,
  });
  const { database, sites } = server.simcha;
  const leftSeconds = async () => {
    const { rows } = await sql<{ left: number }>`
      select extract(epoch from held_until - clock_timestamp())::float as left from hosting_lease`.execute(
      database.sql,
    );
    return rows[0]?.left;
  };
  await until(async () => (await leftSeconds()) !== undefined && sites.hosted === 'hosted');
  const left = (await leftSeconds()) ?? 0;
  assert.ok(left <= 1, `${left}`);
});
