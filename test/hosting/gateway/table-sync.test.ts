import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { RoutingTable } from '../../../server/hosting/gateway/routing-table.ts';
import { TableSync } from '../../../server/hosting/gateway/table-sync.ts';
import { createChanges } from '../../../server/hosting/model/changes.ts';
import { readConfig } from '../../../server/kernel/config.ts';
import { listenForNotifications } from '../../../server/kernel/database/notifications.ts';
import { openDatabase } from '../../../server/kernel/database/open.ts';
import { migrations } from '../../../server/migrations/migrations.ts';
import { writeServing } from '../../support/placed-site.ts';
import { DATABASES, temporaryDatabase } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const log = pino({ level: process.env.SIMCHA_TEST_LOG ?? 'silent' });
const HOST = 'demo.localhost';
const SETTINGS = {
  appsDomain: 'localhost',
  machine: 'ours',
  drainMs: 0,
  files: { folderOf: ({ buildId }: { buildId: string }) => `/files/${buildId}` },
  previews: { note: async () => {}, wake: async () => {} },
};
const TARGET = { kind: 'server', origin: 'http://127.0.0.1:41001' } as const;

for (const kind of DATABASES) {
  test(`the table follows the database although it is told of no change, on ${kind}`, async () => {
    await using temporary = await temporaryDatabase(kind);
    const database = openDatabase(readConfig(temporary.env), migrations, log);
    await database.prepare();
    const db = database.sql;
    const sites = new RoutingTable();
    const tableSync = new TableSync({
      db,
      sites,
      log,
      follow: () => () => {},
      ...SETTINGS,
      lookMs: 20,
      unhostedMs: 1_500,
    });
    const becomes = (state: string, reach: string) =>
      until(() => sites.find(HOST)?.state === state && sites.availability() === reach);
    try {
      const { application, environment } = await newEnvironment(db);
      assert.equal(sites.availability(), 'starting');
      await tableSync.start();
      assert.equal(sites.find(HOST), undefined);
      assert.equal(sites.availability(), 'starting', 'somebody may be about to run the sites');
      await until(() => sites.availability() === 'unhosted');

      await sql`
        insert into hosting_lease (server, machine, address, outlives, generation, held_until)
        values (${randomUUID()}, 'ours', null, false, 1, now() + interval '1 hour')`.execute(db);
      await writeServing(db, application, TARGET);
      await becomes('live', 'ok');
      assert.deepEqual(sites.find(HOST)?.backends[0]?.target, TARGET);

      const origin = 'http://10.0.0.2:3000';
      await sql`update hosting_lease set machine = 'another', address = ${origin}`.execute(db);
      await until(() => sites.find(HOST)?.backends[0]?.target.kind === 'peer');
      assert.deepEqual(sites.find(HOST)?.backends[0]?.target, { kind: 'peer', origin, site: environment });
      await sql`update hosting_lease set address = null`.execute(db);
      await becomes('elsewhere', 'elsewhere');
      await sql`update hosting_lease set held_until = now() + interval '4 seconds', address = ${origin}`.execute(
        db,
      );
      await becomes('returning', 'starting');
      await sql`update hosting_lease set held_until = now()`.execute(db);
      await becomes('unhosted', 'unhosted');
      await sql`update hosting_lease set held_until = now() + interval '1 hour'`.execute(db);
      await becomes('live', 'ok');
      await sql`update sites set state = 'stopped'`.execute(db);
      await becomes('stopped', 'ok');
      await sql`update deployments set status = 'starting'`.execute(db);
      await becomes('starting', 'ok');

      await sql`
        insert into domains (environment_id, hostname, token, created_at, proved_at)
        values (${environment}, 'www.example.com', ${'a'.repeat(26)}, now(), now())`.execute(db);
      await until(() => sites.hasHost('www.example.com'));
      await sql`delete from applications`.execute(db);
      await until(() => !sites.hasHost(HOST) && !sites.hasHost('www.example.com'));
    } finally {
      await tableSync.close();
      await database.close();
    }
  });

  test(`the table follows the database as it is told of changes, without a look, on ${kind}`, async () => {
    await using temporary = await temporaryDatabase(kind);
    const config = readConfig(temporary.env);
    const database = openDatabase(config, migrations, log);
    await database.prepare();
    const db = database.sql;
    const sites = new RoutingTable();
    const changes = createChanges((handlers) =>
      listenForNotifications('simcha_environments', handlers, { database, config, log }),
    );
    const tableSync = new TableSync({
      db,
      sites,
      log,
      follow: changes.follow,
      ...SETTINGS,
      lookMs: 3_600_000,
    });
    try {
      await changes.start();
      await tableSync.start();
      const { application } = await newEnvironment(db);
      await writeServing(db, application, TARGET);
      await until(() => sites.find(HOST) !== undefined);
      await sql`update applications set response_seconds = 120, max_body_mb = 5`.execute(db);
      await until(() => sites.limitsOf(HOST).response_seconds === 120);
      assert.equal(sites.limitsOf(HOST).max_body_mb, 5);
      await sql`update sites set state = 'stopped'`.execute(db);
      await until(() => sites.find(HOST)?.state === 'stopped');
      await sql`delete from applications`.execute(db);
      await until(() => !sites.hasHost(HOST));
    } finally {
      await tableSync.close();
      await changes.close();
      await database.close();
    }
  });
}

test('files in a cluster are passed on to who has them, and served here once they are here', async () => {
  await using temporary = await temporaryDatabase('embedded');
  const database = openDatabase(readConfig(temporary.env), migrations, log);
  await database.prepare();
  const db = database.sql;
  const sites = new RoutingTable();
  const build = { applicationId: randomUUID(), buildId: randomUUID() };
  const [here, kept] = [new Set<string>(), new Set<string>()];
  const arrives = Promise.withResolvers<void>();
  const copies = {
    isHere: ({ buildId }: { buildId: string }) => here.has(buildId),
    async bring({ buildId }: { buildId: string }) {
      await arrives.promise;
      here.add(buildId);
      return true;
    },
    keep(builds: readonly { buildId: string }[]) {
      for (const { buildId } of builds) kept.add(buildId);
    },
  };
  const tableSync = new TableSync({
    db,
    sites,
    log,
    follow: () => () => {},
    ...SETTINGS,
    files: { ...SETTINGS.files, copies },
    lookMs: 20,
  });
  const target = () => sites.find(HOST)?.backends[0]?.target;
  try {
    const origin = 'http://10.0.0.2:3000';
    const { application, environment } = await newEnvironment(db);
    await sql`
      insert into hosting_lease (server, machine, address, outlives, cluster, generation, held_until)
      values (${randomUUID()}, 'another', ${origin}, true, 'one', 1, now() + interval '1 hour')`.execute(db);
    await writeServing(db, application, { kind: 'files', ...build, spa: 'auto' });
    await tableSync.start();
    assert.deepEqual(target(), { kind: 'peer', origin, site: environment });
    arrives.resolve();
    await until(() => target()?.kind === 'static');
    assert.deepEqual(target(), { kind: 'static', folder: `/files/${build.buildId}`, spa: 'auto' });
    assert.ok(kept.has(build.buildId));
    await sql`update hosting_lease set held_until = now() - interval '1 hour'`.execute(db);
    await tableSync.refresh();
    assert.equal(target()?.kind, 'static', 'whoever made them may be gone');
    here.clear();
    await until(() => target()?.kind === 'static' && here.size > 0);

    // Who is to have them, and has not got them yet, passes nothing on to itself.
    copies.bring = async () => false;
    here.clear();
    await sql`update hosting_lease set machine = 'ours', held_until = now() + interval '1 hour'`.execute(db);
    await until(() => sites.find(HOST)?.state === 'returning');
    here.add(build.buildId);
    await until(() => target()?.kind === 'static');
  } finally {
    await tableSync.close();
    await database.close();
  }
});

async function newEnvironment(db: Kysely<unknown>) {
  const [account, application, environment] = [randomUUID(), randomUUID(), randomUUID()];
  await sql`
    insert into users (account_id, user_id, email, registered_at, asked_at)
    values (${account}, ${account}, 'noa@example.com', now(), now())`.execute(db);
  await sql`
    insert into applications (application_uuid, owner_id, name, repository, branch, hook_secret_sealed, created_at, last_updated)
    values (${application}, ${account}, 'Demo', 'https://git.example.com/demo', 'main', '', now(), now())`.execute(
    db,
  );
  await sql`
    insert into environments (environment_id, application_uuid, name, subdomain)
    values (${environment}, ${application}, 'production', 'demo')`.execute(db);
  return { application, environment };
}
