import './report-mistakes.ts';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { ApplicationStore } from '../server/hosting/applications/store.ts';
import { Budgets } from '../server/hosting/budgets/store.ts';
import { DeploymentStore } from '../server/hosting/deployments/store.ts';
import { isUnfinishedDeployment } from '../server/hosting/model/deployment-rows.ts';
import { systemClock } from '../server/kernel/clock.ts';
import { ConfigError, loadEnvironment, readConfig } from '../server/kernel/config.ts';
import { openDatabase } from '../server/kernel/database/open.ts';
import { createDatabaseEncryption, openEncryption } from '../server/kernel/encryption.ts';
import { createLogger } from '../server/kernel/log.ts';
import { migrations } from '../server/migrations/migrations.ts';
import { replaceLostSecrets } from '../server/webhooks/endpoint-store.ts';
import { runningServerProblem } from './running-server.ts';

const { values } = parseArgs({
  options: { yes: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help || !values.yes) {
  process.stdout.write(
    `npm run forget-secrets -- --yes
For a database whose ENCRYPTION_KEY is lost for good: deletes everything that only that key can decrypt, so that a server
starts on it again. Sites stop, and their variables, deploy keys, repository passwords, webhook secrets and waiting mails
are deleted; webhooks of users are turned off until they have a new secret. Events, guests, answers, users and their API keys stay. Stop every server first.
`,
  );
  process.exit(values.help ? 0 : 1);
}
const config = readConfig(loadEnvironment());
const keys = await openEncryption(config);
const log = createLogger({ ...config, logLevel: 'warn' });
const database = openDatabase(config, migrations, log);
await database.prepare();
const problem = (await isOpened())
  ? 'ENCRYPTION_KEY fits this database: no secret is lost, and nothing was done.'
  : await runningServerProblem(database);
if (problem) {
  await database.close();
  throw new ConfigError(problem);
}
await database.sql.transaction().execute(async (transaction) => {
  const encryption = createDatabaseEncryption(keys, log);
  await encryption.replaceKey(transaction);
  const now = systemClock();
  const budgets = new Budgets(database.sql, config);
  const deployments = new DeploymentStore(database.sql, budgets);
  const { rows } = await sql<{ id: string }>`
    select environment_id as id from sites
    union select environment_id from deployments where status in (${isUnfinishedDeployment})`.execute(
    transaction,
  );
  for (const { id } of rows) await deployments.stop(id, now, transaction);
  await new ApplicationStore(database.sql, encryption, budgets).forgetSecrets(transaction);
  await replaceLostSecrets(transaction, encryption);
  await sql`
    update mails set status = 'refused', waits = false, content = null, problem = '{"code":"away"}', settled_at = now()
    where status in ('queued', 'asked')`.execute(transaction);
  await sql`delete from idempotency_keys where body_sealed is not null`.execute(transaction);
});
await database.close();
process.stdout.write('Done. Start the server; owners set their variables and keys again, and deploy.\n');

async function isOpened(): Promise<boolean> {
  try {
    await createDatabaseEncryption(keys, log).unlock(database.sql);
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}
