import { type Kysely, sql } from 'kysely';
import type { BackendLocation } from '../../server/hosting/model/backend-location.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';

/**
 * Writes to the database that a site runs at `target`, as if it had been deployed. The test itself responds at that
 * address.
 */
export async function placeSite(
  server: Pick<TestServer, 'simcha'>,
  applicationUuid: string,
  target: BackendLocation,
): Promise<void> {
  const db = server.simcha.database.sql;
  const isHeld = async () => (await sql`select from hosting_lease`.execute(db)).rows.length > 0;
  await until(isHeld);
  const subdomain = await writeServing(db, applicationUuid, target);
  await until(() => server.simcha.sites.find(`${subdomain}.localhost`)?.state === 'live');
}

/** Writes to the database that the lease holder serves a site at `target`; returns the site's subdomain. */
export async function writeServing(
  db: Kysely<unknown>,
  applicationUuid: string,
  target: BackendLocation,
): Promise<string> {
  const { rows } = await sql<{ id: string; subdomain: string }>`
    select environment_id as id, subdomain from environments
    where application_uuid = ${applicationUuid}`.execute(db);
  const { id: environment, subdomain = '' } = rows[0] ?? {};
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
      insert into instances (
        instance_id, environment_id, deployment_uuid, process, number, generation, state, targets, started_at)
      select ${newId()}::uuid, ${environment}::uuid, ${deployment}::uuid, 'web', 1, generation, 'serving',
        ${JSON.stringify([target])}::jsonb, now() from hosting_lease`.execute(transaction);
  });
  return subdomain;
}
