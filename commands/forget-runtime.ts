import './report-mistakes.ts';
import { parseArgs } from 'node:util';
import { createMigratingContents } from '../server/hosting/volumes/migrating-contents.ts';
import { APPS_RUNTIMES, ConfigError, loadEnvironment, readConfig } from '../server/kernel/config.ts';
import { openDatabase } from '../server/kernel/database/open.ts';
import { createLogger } from '../server/kernel/log.ts';
import { migrations } from '../server/migrations/migrations.ts';
import { runningServerProblem } from './running-server.ts';

const { values, positionals } = parseArgs({
  options: { yes: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.help || !values.yes) {
  process.stdout.write(
    `npm run forget-runtime -- docker --yes
For what sites kept where they ran before (APPS_RUNTIME=docker, or swarm, or process), where that is lost for good: lets go of
it, so that they start again, with empty volumes and an empty home. Backups of volumes can be restored afterwards. What is there
all the same is nobody's any more. Stop every server first.
`,
  );
  process.exit(values.help ? 0 : 1);
}
const config = readConfig(loadEnvironment());
const [named, ...others] = positionals;
const runtime = APPS_RUNTIMES.find((one) => one === named);
if (runtime === undefined || others.length > 0) {
  throw new ConfigError(
    `"${positionals.join(' ')}" is no runtime; it takes one of ${APPS_RUNTIMES.join(', ')}.`,
  );
}
if (runtime === config.appsRuntime) {
  throw new ConfigError(
    `Sites run by APPS_RUNTIME=${runtime}: what they keep is there. Set the one that they are to run by from now on.`,
  );
}
const database = openDatabase(config, migrations, createLogger({ ...config, logLevel: 'warn' }));
await database.prepare();
const problem = await runningServerProblem(database);
if (problem) {
  await database.close();
  throw new ConfigError(problem);
}
const { contents, wasAsked } = await createMigratingContents(database.sql).forgetAll(runtime);
await database.close();
process.stdout.write(
  contents > 0
    ? `Done: ${contents} volumes and homes are let go of. Start the server.\n`
    : wasAsked
      ? `Done: nothing is kept by ${runtime}, and it is not asked any more what it runs. Start the server.\n`
      : `Nothing is kept by ${runtime}, nor is it asked; nothing was done.\n`,
);
