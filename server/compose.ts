import { createApplicationStore } from './applications/store.ts';
import { composeApplications } from './compose/applications.ts';
import { composeEvents, eventFaces } from './compose/events.ts';
import { createGateway } from './gateway/gateway.ts';
import { createSites, type SiteTable } from './gateway/sites.ts';
import { createAccounts } from './identity/accounts.ts';
import { createDeveloperReader } from './identity/developers.ts';
import { createOneTimeCodes } from './identity/one-time-codes.ts';
import { serveSignIn } from './identity/sign-in.ts';
import { createUserStore } from './identity/store.ts';
import { createTokenReader } from './identity/tokens.ts';
import { serveUsers } from './identity/users.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import type { Config } from './kernel/config.ts';
import { openDataFolder } from './kernel/data-folder.ts';
import type { Database } from './kernel/database/database.ts';
import { openDatabase } from './kernel/database/open.ts';
import { createEncryption } from './kernel/encryption.ts';
import { type App, createServer } from './kernel/http/server.ts';
import { createJobs } from './kernel/jobs.ts';
import type { Logger } from './kernel/log.ts';
import { createMail } from './kernel/mail/mail.ts';
import { openTransport } from './kernel/mail/open.ts';
import { createOutbox } from './kernel/mail/outbox.ts';
import { outboxAddress, serveOutbox } from './kernel/mail/outbox-page.ts';
import { keptSecret } from './kernel/secret.ts';
import { migrations } from './migrations/migrations.ts';

export interface Simcha {
  app: App;
  database: Database;
  sites: SiteTable;
  /** What an operator should read once the server is ready. */
  notes: readonly string[];
  /** What happens every night: erases guests' data that is due, and tells organizers a week ahead. */
  retain(): Promise<void>;
  /** Prepares the database, waiting for one that is away, then starts the job queue and the sites. */
  start(): Promise<void>;
  /** Opens the port for sites alone, where one is set. */
  listenForSites(): Promise<void>;
  /** Takes no new requests, finishes those and the jobs under way (cutting off what is not done in `mostMs`), closes the database. */
  close(mostMs?: number): Promise<void>;
}

/** Where parts are wired together: the ground here, the two sides in compose/. Nothing listens and nothing is connected yet. */
export async function compose(config: Config, log: Logger, clock: Clock = systemClock): Promise<Simcha> {
  await openDataFolder(config.dataDir);
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
    faces: eventFaces,
    serverFactory: gateway.commonServer,
  });
  const mailKey =
    config.smtpUrl || config.production ? undefined : await keptSecret(config.dataDir, 'mail-key');
  if (mailKey) serveOutbox(server, outbox, mailKey);

  const applications = createApplicationStore(database.sql, encryption);
  const codes = createOneTimeCodes(encryption);
  jobs.schedule('forget-codes', '7 * * * *', () => codes.forget(database.sql, clock()));
  const users = createUserStore(database.sql);
  const accounts = createAccounts({
    ...{ db: database.sql, store: users, codes, mail },
    onTakenOver: applications.renewHookSecrets,
  });
  // The event API takes an outside provider's tokens too; who is a user here, our own alone can say.
  const noProvider = { jwtJwksUrl: undefined, jwtIssuer: undefined, jwtAudience: undefined };
  const readDeveloper = createDeveloperReader(users, createTokenReader(noProvider, secret, clock));
  serveSignIn(server, { accounts, secret, clock });
  serveUsers(server, { accounts, store: users, readDeveloper, clock });

  const platform = { config, log, clock, secret, encryption, database, jobs, mail, server };
  const { retain } = composeEvents(platform);
  const applicationSide = await composeApplications(platform, { applications, sites, readDeveloper });

  const readAt = mailKey ? `; read it at ${outboxAddress(config.publicUrl, mailKey)}` : '';
  return {
    app: server.app,
    database,
    sites,
    retain,
    notes: [`mail goes to ${mail.destination}${readAt}`],
    async start() {
      await database.prepare();
      await jobs.start();
      await applicationSide.start();
    },
    listenForSites: () => gateway.listen(config.host, config.appsPort),
    async close(mostMs = 10_000) {
      // A connection whose last answer goes out while we close would else be kept open for the next request.
      const sweep = setInterval(() => server.app.server.closeIdleConnections(), 50);
      const cutOff = setTimeout(() => server.app.server.closeAllConnections(), mostMs);
      gateway.retire();
      applicationSide.retire();
      const drained = jobs.drain(mostMs);
      await Promise.all([server.app.close(), gateway.close(mostMs)]);
      clearInterval(sweep);
      clearTimeout(cutOff);
      await drained;
      await jobs.close();
      await applicationSide.close();
      sites.close();
      mail.close();
      await database.close();
    },
  };
}
