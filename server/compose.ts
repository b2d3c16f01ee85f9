import { serveConsole } from './console/routes.ts';
import {
  APPLICATION_PATH,
  composeHosting,
  type HostingTimeOptions,
  type OpenRuntime,
  openApplications,
  openGateway,
  openRestrictedHistory,
  openRouting,
  type RoutingTable,
} from './hosting/compose.ts';
import { composeIdentity, type TokenSubjects } from './identity/compose.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { watchClock } from './kernel/clock-offset.ts';
import { type Config, ConfigError } from './kernel/config.ts';
import { openDataFolder } from './kernel/data-folder.ts';
import type { Database } from './kernel/database/database.ts';
import { runMaintenance } from './kernel/database/maintenance.ts';
import { openDatabase } from './kernel/database/open.ts';
import { createDatabaseEncryption, openEncryption } from './kernel/encryption.ts';
import type { App } from './kernel/http/app.ts';
import { sessionCookie } from './kernel/http/cookies.ts';
import { createServer } from './kernel/http/server.ts';
import { createJobs, type JobTimes } from './kernel/jobs.ts';
import type { Logger } from './kernel/log.ts';
import { measureMachine } from './kernel/machine-metrics.ts';
import { createBounceAddresses } from './kernel/mail/bounces/address.ts';
import { openBounces } from './kernel/mail/bounces/open.ts';
import { MailQueue } from './kernel/mail/mail.ts';
import { measureMails } from './kernel/mail/metrics.ts';
import { openTransport } from './kernel/mail/open.ts';
import { createOutbox } from './kernel/mail/outbox.ts';
import { outboxAddress, serveOutbox } from './kernel/mail/outbox-page.ts';
import { tracedTransport } from './kernel/mail/traced-transport.ts';
import { storedSecret } from './kernel/secret.ts';
import { isShortSecret } from './kernel/settings.ts';
import { openCarriers } from './kernel/texts/open.ts';
import { serveTextReports } from './kernel/texts/report-routes.ts';
import { createTexts } from './kernel/texts/texts.ts';
import { openTracing } from './kernel/tracing/open.ts';
import { createTransactOnce, forgetOldAnswers } from './kernel/writes/idempotency.ts';
import { migrations } from './migrations/migrations.ts';
import {
  composePlanning,
  EVENT_PATH,
  isReadableEvent,
  type Planning,
  planningErrorStyles,
  readEventAs,
} from './planning/compose.ts';
import { composeWebhooks, removeEndpoints, type Webhooks, type WebhookTimes } from './webhooks/compose.ts';

/** Running process of Simcha: the whole product, or only the gateway. */
export interface SimchaProcess {
  /** The platform's HTTP application; undefined if the process is only a gateway. */
  app: App | undefined;
  database: Database;
  /** Notes for the operator that are printed once the server is ready. */
  notes: readonly string[];
  /**
   * Prepares the database (waiting until it can be reached), then starts the job queue and the part that runs sites.
   */
  start(): Promise<void>;
  /** Starts to listen on the port that serves only sites, if that port is set. */
  listenForSites(): Promise<void>;
  /** Stops accepting requests, finishes the running requests and jobs (cut off after `mostMs`), closes the database. */
  close(mostMs?: number): Promise<void>;
}

export interface Simcha extends SimchaProcess, Planning {
  app: App;
  sites: RoutingTable;
  /** Queues the delayed mails whose time to be sent has come. Runs when one is due. */
  releaseMails(): Promise<void>;
  /** Reads the mailbox of bounces now, as scheduled every few minutes. */
  readBounces(): Promise<void>;
  webhooks: Pick<Webhooks, 'forgetOld'>;
}

/** Parts of the server that tests replace, such as the clock. */
export interface ComposeOptions {
  clock?: Clock;
  openRuntime?: OpenRuntime;
  jobTimes?: JobTimes;
  hostingTimes?: HostingTimeOptions;
  webhookTimes?: Partial<WebhookTimes>;
}

/**
 * Composes a process that is only a gateway to sites: restarting the platform beside it doesn't affect running sites.
 */
export async function composeGateway(config: Config, log: Logger): Promise<SimchaProcess> {
  if (config.databaseUrl === undefined) {
    throw new ConfigError(
      'A separate gateway needs a PostgreSQL that it shares with the platform; set DATABASE_URL.',
    );
  }
  if (config.appsPort === undefined) {
    throw new ConfigError('A separate gateway serves sites on a separate port; set APPS_PORT.');
  }
  await openDataFolder(config.dataDir);
  const database = openDatabase(config, migrations, log);
  const { gateway, sites, recorder } = openGateway({ config, log, database, clock: systemClock });
  const routing = await openRouting({ config, database, sites, log });
  return {
    app: undefined,
    database,
    notes: [],
    async start() {
      await database.prepare();
      recorder.start();
      await routing.start();
    },
    // Several gateway processes share the port, up to one for each core.
    listenForSites: () => gateway.listen(config.host, config.appsPort, { shared: true }),
    async close(mostMs = 10_000) {
      gateway.retire();
      await gateway.close(mostMs);
      await recorder.close();
      await routing.close();
      sites.close();
      await database.close();
    },
  };
}

/**
 * Wires the parts of the server together: the kernel here, each side of the product in its own `compose.ts`. Nothing
 * listens yet, nor connects to the database.
 */
export async function composeSimcha(
  config: Config,
  log: Logger,
  { clock = systemClock, openRuntime, jobTimes, hostingTimes, webhookTimes }: ComposeOptions = {},
): Promise<Simcha> {
  const { isFull } = await openDataFolder(config.dataDir);
  if (isFull) {
    log.warn(`the disk of ${config.dataDir} is full: writing fails until there is space again`);
  }
  const secret = config.jwtSecret ?? (await storedSecret(config.dataDir, 'jwt-secret'));
  if (config.jwtSecret && isShortSecret(config.jwtSecret)) {
    log.warn(
      'JWT_SECRET is short: anybody who guesses it can sign in as any user. Production requires a longer one',
    );
  }
  const keys = await openEncryption(config);
  const encryption = createDatabaseEncryption(keys, log);
  const tracing = await openTracing(config, log);
  const database = openDatabase(config, migrations, log, tracing);
  const jobs = createJobs(config, database, log, jobTimes, tracing);
  const outbox = createOutbox(config.dataDir);
  const bounceAddresses =
    config.mailBounceAddress === undefined
      ? undefined
      : createBounceAddresses(config.mailBounceAddress, encryption);
  const transport = tracedTransport(openTransport(config, outbox, bounceAddresses?.of), tracing);
  const mail = new MailQueue({
    db: database.sql,
    jobs,
    encryption,
    transport,
    clock,
    log,
    perDay: config.mailsPerDay,
    pauseMs: config.mailPauseMinutes * 60_000,
  });
  const carriers = openCarriers(config);
  const texts = createTexts({
    db: database.sql,
    jobs,
    encryption,
    clock,
    log,
    carriers: carriers.byChannel,
    perDay: config.textsPerDay,
  });
  const { gateway, sites, recorder } = openGateway({ config, log, database, clock, times: hostingTimes });
  const server = await createServer({
    config,
    log,
    database,
    tracing,
    isReady: () => database.isPrepared() && jobs.isStarted() && hosting.isOpen(),
    hosting: () => sites.availability(),
    errorStyles: planningErrorStyles,
    serverFactory: (platform) => gateway.commonServer(platform),
  });
  measureMails(server.metrics, { db: database.sql, clock });
  measureMachine(server.metrics, { dataDir: config.dataDir, database });
  const mailKey =
    config.smtpUrl || config.production ? undefined : await storedSecret(config.dataDir, 'mail-key');
  if (mailKey) serveOutbox(server, outbox, mailKey);
  serveTextReports(server, { config, carriers, texts });
  const readBounces = openBounces({ config, addresses: bounceAddresses, mail, jobs, server, log });
  serveConsole(server, { log, keepsMail: mailKey !== undefined, sessionCookie: sessionCookie(config) });
  if (config.production && !config.smtpUrl) {
    log.warn('SMTP_URL is not set: this server sends no mail, so nobody can sign in with a mailed code');
  }

  const transactOnce = createTransactOnce(database.sql, encryption, clock);
  if (database.kind === 'embedded') jobs.schedule('upkeep', '10 4 * * *', () => runMaintenance(database.sql));
  jobs.schedule('forget-answers', '10 * * * *', () => forgetOldAnswers(database.sql, clock()));

  const platform = {
    config,
    log,
    clock,
    secret,
    keys,
    encryption,
    database,
    jobs,
    mail,
    texts,
    server,
    tracing,
    transactOnce,
  };
  const applications = openApplications(platform);
  const subjects: TokenSubjects = {
    paths: { event: EVENT_PATH, application: APPLICATION_PATH },
    isReadableEvent: (caller, id) => isReadableEvent(platform, caller, id),
    isReadableApplication: async (accountId, id) => Boolean(await applications.roleIn(id, accountId)),
    recordChange: openRestrictedHistory(platform),
  };
  const { readOrganizer, readDeveloper } = composeIdentity(platform, {
    subjects,
    async onTakenOver(ownerId, transaction) {
      await applications.renewHookSecrets(ownerId, transaction);
      await removeEndpoints(transaction, ownerId);
    },
  });
  const webhooks = composeWebhooks(platform, {
    subjects,
    readDeveloper,
    readEvent: (accountId, eventId) => readEventAs(platform, accountId, eventId),
    isReadableApplication: async (accountId, id) => (await applications.roleIn(id, accountId)) !== null,
    times: webhookTimes,
  });
  const planning = composePlanning(platform, { readOrganizer });
  const hosting = await composeHosting(platform, {
    applications,
    sites,
    recorder,
    readDeveloper,
    openRuntime,
    times: hostingTimes,
  });

  const clockWatch = watchClock({ db: database.sql, clock, log });
  const startOnDatabase = async () => {
    await database.prepare(encryption.unlock);
    await Promise.all([clockWatch.look(), jobs.start(), hosting.startRouting()]);
  };
  const readAt = mailKey ? `; read it at ${outboxAddress(config, mailKey)}` : '';
  return {
    app: server.app,
    database,
    sites,
    releaseMails: () => mail.releaseDue(),
    readBounces,
    webhooks,
    ...planning,
    notes: [
      `mail goes to ${mail.destination}${readAt}`,
      ...Object.entries(texts.channels).map(([channel, host]) => `${channel} goes by ${host}`),
    ],
    async start() {
      try {
        // A runtime that can't be opened ends the start also while the database is away.
        await Promise.all([hosting.opened, startOnDatabase()]);
      } catch (error) {
        // The trial of the sandbox removes what it made, also if the database ends the start.
        await hosting.opened.catch(() => {});
        throw error;
      }
      webhooks.start();
      hosting.start();
    },
    listenForSites: () => gateway.listen(config.host, config.appsPort),
    async close(mostMs = 10_000) {
      // Idle connections are closed again and again while the server closes: a connection becomes idle when its last
      // response is sent, and would otherwise stay open for another request.
      const sweep = setInterval(() => server.app.server.closeIdleConnections(), 50);
      const cutOff = setTimeout(() => server.app.server.closeAllConnections(), mostMs);
      gateway.retire();
      const drained = Promise.all([jobs.drain(mostMs), webhooks.close(mostMs)]);
      await Promise.all([server.app.close(), gateway.close(mostMs)]);
      clearInterval(sweep);
      clearTimeout(cutOff);
      await drained;
      await jobs.close();
      await hosting.close();
      sites.close();
      mail.close();
      clockWatch.stop();
      await database.close();
      await tracing.close();
    },
  };
}
