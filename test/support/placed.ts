import { sql } from 'kysely';
import { newId } from '../../server/kernel/identifiers.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';

/** Puts a site where the database says it runs, as if it had been deployed: what answers at `target` is the test's own. */
export async function placeSite(
  server: Pick<TestServer, 'simcha'>,
  applicationUuid: string,
  target: { kind: 'server'; origin: string },
): Promise<void> {
  const db = server.simcha.database.sql;
  const lease = async () =>
    (await sql<{ generation: string }>`select generation from hosting_lease`.execute(db)).rows[0];
  await until(async () => (await lease()) !== undefined);
  const { generation } = (await lease()) ?? {};
  const { rows } = await sql<{ id: string }>`
    select environment_id as id from environments where application_uuid = ${applicationUuid}`.execute(db);
  const environment = rows[0]?.id;
  const deployment = newId();
  await db.transaction().execute(async (transaction) => {
    await sql`
      insert into deployments (deployment_uuid, application_uuid, environment_id, action, status, history)
      values (${deployment}, ${applicationUuid}, ${environment}, 'deploy', 'live', '[]')`.execute(
      transaction,
    );
    await sql`
      insert into sites (environment_id, deployment_uuid, variables_sealed, state, changed_at)
      values (${environment}, ${deployment}, '', 'live', now())
      on conflict (environment_id) do update set deployment_uuid = excluded.deployment_uuid`.execute(
      transaction,
    );
    await sql`
      update instances set state = 'draining'
      where environment_id = ${environment} and state = 'serving'`.execute(transaction);
    await sql`
      insert into instances (instance_id, environment_id, deployment_uuid, generation, state, target, started_at)
      values (${newId()}, ${environment}, ${deployment}, ${generation}, 'serving', ${JSON.stringify(target)}::jsonb, now())`.execute(
      transaction,
    );
  });
  const host = await sql<{ subdomain: string }>`
    select subdomain from environments where environment_id = ${environment}`.execute(db);
  await until(() => server.simcha.sites.find(`${host.rows[0]?.subdomain}.localhost`)?.state === 'live');
}
