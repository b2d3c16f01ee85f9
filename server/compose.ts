import { serveApplications } from './applications/routes.ts';
import { createApplicationStore } from './applications/store.ts';
import { createCheck } from './domains/check.ts';
import { createProving } from './domains/proving.ts';
import { serveDomains } from './domains/routes.ts';
import { createDomainStore } from './domains/store.ts';
import { eventErrors, serveEvents } from './events/routes.ts';
import { createEventStore } from './events/store.ts';
import { createGateway } from './gateway/gateway.ts';
import { createSites, type SiteTable } from './gateway/sites.ts';
import { createAccounts } from './identity/accounts.ts';
import { createDeveloperReader } from './identity/developers.ts';
import { createOneTimeCodes } from './identity/one-time-codes.ts';
import { serveSignIn } from './identity/sign-in.ts';
import { createUserStore } from './identity/store.ts';
import { createTokenReader } from './identity/tokens.ts';
import { serveUsers } from './identity/users.ts';
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

export interface Simcha {
  app: App;
  database: Database;
  sites: SiteTable;
  /** Prepares the database, waiting for one that is away, then starts the job queue. */
  start(): Promise<void>;
  /** Opens the port for sites alone, where one is set. */
  listenForSites(): Promise<void>;
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
  const codes = createOneTimeCodes(encryption);
  jobs.schedule('forget-codes', '7 * * * *', () => codes.forget(database.sql, clock()));
  const users = createUserStore(database.sql);
  const applications = createApplicationStore(database.sql, encryption);
  const accounts = createAccounts({
    db: database.sql,
    store: users,
    codes,
    mail,
    onTakenOver: applications.renewHookSecrets,
  });
  const isReady = () => database.isPrepared() && jobs.isStarted();
  const sites = createSites();
  const gateway = createGateway({ config, sites, log });
  const server = await createServer({
    config,
    log,
    database,
    isReady,
    faces: [eventErrors],
    serverFactory: gateway.commonServer,
  });

  const showsOutbox = !config.smtpUrl && !config.production;
  if (showsOutbox) serveOutbox(server, outbox);

  // The event API takes an outside provider's tokens too; who is a user here, our own alone can say.
  const readOwnToken = createTokenReader(
    { jwtJwksUrl: undefined, jwtIssuer: undefined, jwtAudience: undefined },
    secret,
    clock,
  );
  const readDeveloper = createDeveloperReader(users, readOwnToken);
  serveSignIn(server, { accounts, secret, clock });
  serveUsers(server, {
    accounts,
    store: users,
    readDeveloper,
    clock,
  });

  serveApplications(server, { config, store: applications, readDeveloper, clock });

  const domains = createDomainStore(database.sql);
  const proving = createProving({
    store: domains,
    check: createCheck(config.appsDnsServers),
    sites,
    appsDomain: config.appsDomain,
    clock,
  });
  jobs.schedule('check-domains', '* * * * *', () => proving.checkDue());
  serveDomains(server, { config, store: domains, proving, sites, applications, readDeveloper, clock });

  serveEvents(server, {
    store: createEventStore(database.sql),
    readToken: createTokenReader(config, secret, clock),
    clock,
  });

  return {
    app: server.app,
    database,
    sites,
    async start() {
      await database.prepare();
      await proving.follow();
      await jobs.start();
      const readAt = showsOutbox ? `; read it at ${config.publicUrl}/dev/mail` : '';
      log.info(`mail goes to ${mail.destination}${readAt}`);
    },
    listenForSites: () => gateway.listen(config.host, config.appsPort),
    async close(mostMs = 10_000) {
      // A connection whose last answer goes out while we close would else be kept open for the next request.
      const sweep = setInterval(() => server.app.server.closeIdleConnections(), 50);
      const cutOff = setTimeout(() => server.app.server.closeAllConnections(), mostMs);
      gateway.retire();
      proving.close();
      const drained = jobs.drain(mostMs);
      await Promise.all([server.app.close(), gateway.close(mostMs)]);
      sites.close();
      clearInterval(sweep);
      clearTimeout(cutOff);
      await drained;
      await jobs.close();
      mail.close();
      await database.close();
    },
  };
}
