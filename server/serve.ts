import { setTimeout as sleep } from 'node:timers/promises';
import type { SimchaProcess } from './compose.ts';
import {
  type Config,
  ConfigError,
  loadEnvironment,
  readConfig,
  unknownNamesInFile,
} from './kernel/config.ts';
import { closeInherited } from './kernel/descriptors.ts';
import { listenProblem, tryPort } from './kernel/listening.ts';
import { createLogger } from './kernel/log.ts';
import { watchOpenFiles } from './kernel/open-files.ts';

const SHUTDOWN_MS = 10_000;
/** Names of the parts of Simcha that `npm start -- <part>` starts alone; without a name both start. */
const PARTS = ['gateway', 'platform'];

closeInherited();
try {
  await serve();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  // The reason why the server can't start is printed when the process exits, after the buffered lines of the log, so
  // that it is the last line.
  process.once('exit', () => process.stderr.write(`Simcha can’t start: ${error.message}\n`));
  process.exit(1);
}

async function serve(): Promise<void> {
  const config = readConfig(loadEnvironment(), process.stdout.isTTY);
  const log = createLogger(config);
  const unknown = unknownNamesInFile();
  if (unknown.length > 0)
    log.warn(`.env has ${unknown.join(', ')}, which no setting is called; docs/configuration.md lists them`);
  // After an unhandled rejection the process goes on: the promise's own code has released its transaction or lock, and
  // only the error is lost, or a background loop has stopped until the next start. After an uncaught exception the
  // process ends: a callback may be half done, which only a restart repairs.
  process.on('unhandledRejection', (error) => log.fatal({ err: error }, 'an unhandled rejection; going on'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an uncaught exception; ending');
    process.exit(1);
  });
  const [part] = process.argv.slice(2);
  if (part !== undefined && !PARTS.includes(part)) {
    throw new ConfigError(`There is no part "${part}"; expected ${PARTS.join(' or ')}, or nothing for both.`);
  }
  if (part === 'platform' && config.databaseUrl === undefined) {
    throw new ConfigError(
      'A separate platform needs a PostgreSQL that it shares with the gateway; set DATABASE_URL, or start both as one: npm start.',
    );
  }
  watchOpenFiles({ log });
  // The port is tried first, because creating the parts of the server takes a while.
  if (part !== 'gateway') await tryPort(config);
  // Importing compose.ts takes most of a second, so mistakes in the settings are reported before it.
  const { composeSimcha, composeGateway } = await import('./compose.ts');
  const simcha = await (part === 'gateway' ? composeGateway(config, log) : composeSimcha(config, log));

  let closing = false;
  const stop = async (signal: string) => {
    // A second signal ends the process at once: the operator does not want to wait for the first one's work.
    if (closing) process.exit(1);
    closing = true;
    log.info(`${signal}: finishing running requests and jobs`);
    // The process exits without closing the database if closing takes too long: the database may be what delays the
    // end.
    await Promise.race([simcha.close(SHUTDOWN_MS), sleep(SHUTDOWN_MS + 1_000)]);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () =>
      stop(signal).catch((error) => {
        log.fatal({ err: error }, 'could not finish running requests and jobs; ending');
        process.exit(1);
      }),
    );
  }

  await begin(simcha, config, part).catch((error) => {
    // A process that is closed while it starts fails to start; this error is expected.
    if (!closing) throw error;
  });
  if (closing) return;
  for (const note of simcha.notes) log.info(note);
  if (simcha.app) log.info(`Simcha is ready: ${config.publicUrl}  (API reference: ${config.publicUrl}/docs)`);
  else log.info('the gateway is ready');
}

/** Starts the parts of this process and listens on its ports. */
async function begin(simcha: SimchaProcess, config: Config, part: string | undefined): Promise<void> {
  // The process waits for its database while it answers 503. An embedded database is usually ready at once; a server
  // may become available later, and so may space on a full disk.
  const starting = simcha.start();
  if (simcha.database.kind === 'embedded') await Promise.race([starting, simcha.database.waits]);
  starting.catch(() => {});
  await simcha.app
    ?.listen({
      host: config.host,
      port: config.port,
      listenTextResolver: (address) => `listening on ${address}`,
    })
    .catch((error) => {
      throw listenProblem(error, config.host, 'PORT', config.port);
    });
  if (part !== 'platform') {
    await simcha.listenForSites().catch((error) => {
      throw listenProblem(error, config.host, 'APPS_PORT', config.appsPort);
    });
  }
  await starting;
}
