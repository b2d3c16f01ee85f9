import { createApplicationStore } from './applications/store.ts';
import { createDeployments, type Deployments } from './deployments/deployments.ts';
import { createDeploymentLogs } from './deployments/log.ts';
import { createSiteLogs } from './deployments/site-log.ts';
import { createDeploymentStore } from './deployments/store.ts';
import { eventErrors, serveEvents } from './events/routes.ts';
import { createEventStore } from './events/store.ts';
import { createGateway } from './gateway/gateway.ts';
import { createSites, type SiteTable } from './gateway/sites.ts';
import { createTokenReader } from './identity/tokens.ts';
import type { Clock } from './kernel/clock.ts';
import { systemClock } from './kernel/clock.ts';
import type { Config } from './kernel/config.ts';
import type { Database } from './kernel/database/database.ts';
import { openDatabase } from './kernel/database/open.ts';
import { createEncryption } from './kernel/encryption.ts';
import { type App, createServer } from './kernel/http/server.ts';
import { createJobs } from './kernel/jobs.ts';
import type { Logger } from './kernel/log.ts';
import { createMail } from './kernel/mail/mail.ts';
import { openTransport } from './kernel/mail/open.ts';
import { createOutbox } from './kernel/mail/outbox.ts';
import { serveOutbox } from './kernel/mail/outbox-page.ts';
import { keptSecret } from './kernel/secret.ts';
import { migrations } from './migrations/migrations.ts';
import { createCheckouts } from './runtimes/checkout.ts';
import { createProcessRuntime } from './runtimes/process.ts';

export interface Simcha {
  app: App;
  database: Database;
  sites: SiteTable;
  deployments: Deployments;
  /** Opens the port for sites alone, where one is set. */
  listenForSites(): Promise<void>;
  /** Prepares the database, waiting for one that is away, then starts the job queue. */
  start(): Promise<void>;
  /** Takes no new requests, finishes those and the jobs under way (cutting off what is not done in `mostMs`), closes the database. */
  close(mostMs?: number): Promise<void>;
}

/** The one place where parts are wired together. Nothing listens and nothing is connected yet. */
export async function compose(config: Config, log: Logger, clock: Clock = systemClock): Promise<Simcha> {
  const secret = config.jwtSecret ?? (await keptSecret(config.dataDir, 'jwt-secret'));
  const encryption = createEncryption(
    config.encryptionKeys.length > 0
      ? config.encryptionKeys
      : [await keptSecret(config.dataDir, 'encryption-key')],
  );
  const database = openDatabase(config, migrations, log);
  const jobs = createJobs(config, database, log);
  const outbox = createOutbox(config.dataDir);
  const transport = openTransport(config, outbox);
  const mail = createMail({ db: database.sql, jobs, encryption, transport, clock, log });
  const sites = createSites();
  const gateway = createGateway({ config, sites, log });
  const server = await createServer({
    config,
    log,
    database,
    isReady: () => database.isPrepared() && jobs.isStarted(),
    faces: [eventErrors],
    serverFactory: gateway.commonServer,
  });

  const showsOutbox = !config.smtpUrl && !config.production;
  if (showsOutbox) serveOutbox(server, outbox);

  serveEvents(server, {
    store: createEventStore(database.sql),
    readToken: createTokenReader(config, secret, clock),
    clock,
  });

  const applications = createApplicationStore(database.sql, encryption);
  const deployments = createDeployments({
    ...{ config, jobs, applications, sites, encryption, clock, log },
    store: createDeploymentStore(database.sql, await keptSecret(config.dataDir, 'server-id')),
    runtime: await createProcessRuntime(config),
    checkouts: createCheckouts(config),
    logs: createDeploymentLogs(config.dataDir, clock),
    siteLogs: createSiteLogs(config.dataDir, clock),
  });

  return {
    app: server.app,
    database,
    sites,
    deployments,
    listenForSites: () => gateway.listen(config.host, config.appsPort),
    async start() {
      await database.prepare();
      await jobs.start();
      await deployments.start();
      const readAt = showsOutbox ? `; read it at ${config.publicUrl}/dev/mail` : '';
      log.info(`mail goes to ${mail.destination}${readAt}`);
    },
    async close(mostMs = 10_000) {
      // A connection whose last answer goes out while we close would else be kept open for the next request.
      const sweep = setInterval(() => server.app.server.closeIdleConnections(), 50);
      const cutOff = setTimeout(() => server.app.server.closeAllConnections(), mostMs);
      const drained = jobs.drain(mostMs);
      gateway.retire();
      await Promise.all([server.app.close(), gateway.close()]);
      clearInterval(sweep);
      clearTimeout(cutOff);
      await drained;
      await jobs.close();
      await deployments.close();
      sites.close();
      mail.close();
      await database.close();
    },
  };
}
