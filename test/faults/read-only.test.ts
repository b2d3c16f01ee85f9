import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { createClient } from '../support/client.ts';
import { newApplication, verifiedUser, versionSite } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { keepLedger } from '../support/ledger.ts';
import { serverOnOwnPostgres } from '../support/own-postgres.ts';
import { readinessOf } from '../support/readiness.ts';
import { queryDatabase, SECRET } from '../support/server.ts';
import { until } from '../support/until.ts';

const BODY = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };

test('a PostgreSQL that turns read-only under load, as after a failover, costs writes alone, until it takes them again', async () => {
  await using own = await serverOnOwnPostgres();
  const { postgres, server, dataDir } = own;
  await using repository = await createRepository(versionSite('v'));
  /** For every session that there is, and every new one. */
  const setReadOnly = async (value: 'on' | 'off') => {
    await queryDatabase(
      postgres.url('postgres'),
      `alter system set default_transaction_read_only = ${value}`,
    );
    await queryDatabase(postgres.url('postgres'), 'select pg_reload_conf()');
  };
  const token = await signToken(SECRET, { id: 'me', role: 'organizer' }, '1d');
  const call = createClient(server.url, { token });
  const user = await verifiedUser(server.url, dataDir);
  const app = await newApplication(user.call, server.url, repository.address);
  await app.deploy();
  const ledger = keepLedger(call);
  await until(() => ledger.acknowledged() > 20);
  const { body } = await call('POST', '/api/events', { body: BODY });

  await setReadOnly('on');
  await until(() => ledger.refused() > 20);
  const before = ledger.acknowledged();
  // The holder of the lease can't renew it, and nobody else is there to take it.
  await until(() => server.output().includes('the lease on hosting could not be renewed'));
  const refused = await call('POST', '/api/events', { body: BODY });
  assert.equal(refused.status, 503);
  assert.ok(refused.headers.get('retry-after'));
  assert.equal((await app.call('POST', '/deploy')).status, 503);
  assert.equal((await call('GET', `/api/events/${body.event.id}`)).status, 200);
  assert.equal((await app.call('GET')).body.status, 'live');
  assert.deepEqual(await app.visit(), { status: 200, text: 'v ' });
  await readinessOf(server.url);

  await setReadOnly('off');
  await until(() => ledger.acknowledged() > before + 20);
  await ledger.stop();
  await ledger.check();
  await repository.commit(versionSite('next'));
  await app.deploy();
  await until(async () => (await app.visit()).text === 'next ');
  server.child.kill('SIGTERM');
  assert.equal(await server.ended, 0);
});
