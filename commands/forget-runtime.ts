import './report-mistakes.ts';
import { parseArgs } from 'node:util';
import { ContentRecords } from '../server/hosting/volumes/content-records.ts';
import { ConfigError, loadEnvironment, readConfig } from '../server/kernel/config.ts';
import { openDatabase } from '../server/kernel/database/open.ts';
import { createLogger } from '../server/kernel/log.ts';
import { APPS_RUNTIMES } from '../server/kernel/settings.ts';
import { migrations } from '../server/migrations/migrations.ts';
import { runningServerProblem } from './running-server.ts';

const { values, positionals } = parseArgs({
  options: { yes: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.help || !values.yes) {
  process.stdout.write(
    `npm run forget-runtime -- docker --yes
For sites whose data in the previous runtime (APPS_RUNTIME=docker, swarm or process) is lost for good: forgets that data, so
that they start again with empty volumes and an empty home. Backups of volumes can be restored afterwards. Data that still
exists there no longer belongs to any site. Stop every server first.
`,
  );
  process.exit(values.help ? 0 : 1);
}
const config = readConfig(loadEnvironment());
const [named, ...others] = positionals;
const runtime = APPS_RUNTIMES.find((one) => one === named);
if (runtime === undefined || others.length > 0) {
  throw new ConfigError(
    `"${positionals.join(' ')}" is no runtime; expected one of ${APPS_RUNTIMES.join(', ')}.`,
  );
}
if (runtime === config.appsRuntime) {
  throw new ConfigError(
    `Sites run with APPS_RUNTIME=${runtime}, so their data is there. First set the runtime that they use from now on.`,
  );
}
const database = openDatabase(config, migrations, createLogger({ ...config, logLevel: 'warn' }));
await database.prepare();
const problem = await runningServerProblem(database);
if (problem) {
  await database.close();
  throw new ConfigError(problem);
}
const { contents, wasUsed } = await new ContentRecords(database.sql).forgetRuntime(runtime);
await database.close();
process.stdout.write(
  contents > 0
    ? `Done: ${contents} volumes and homes are forgotten. Start the server.\n`
    : wasUsed
      ? `Done: ${runtime} has no data of sites, and is no longer asked what it runs. Start the server.\n`
      : `${runtime} has no data of sites and is not asked what it runs; nothing was done.\n`,
);
