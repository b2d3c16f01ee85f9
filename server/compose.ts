import { serveApplications } from './applications/routes.ts';
import { createApplicationStore } from './applications/store.ts';
import { checklistLabels } from './compliance/messages.ts';
import { serveChecklist } from './compliance/routes.ts';
import { createCheck } from './domains/check.ts';
import { createProving } from './domains/proving.ts';
import { serveDomains } from './domains/routes.ts';
import { createDomainStore } from './domains/store.ts';
import { organizerFaces, serveEvents } from './events/routes.ts';
import { createEventStore } from './events/store.ts';
import { createGateway } from './gateway/gateway.ts';
import { createSites, type SiteTable } from './gateway/sites.ts';
import { serveGuestExport } from './guests/export/routes.ts';
import { serveGuestImport } from './guests/import/routes.ts';
import { createHub } from './guests/live/hub.ts';
import { serveGuestStream } from './guests/live/routes.ts';
import { fieldLabels as guestLabels } from './guests/messages.ts';
import { serveGuests } from './guests/routes.ts';
import { fillFreedPlaces } from './guests/seating.ts';
import { createGuestStore } from './guests/store.ts';
import { serveHistory } from './history/routes.ts';
import { createAccounts } from './identity/accounts.ts';
import { authenticateOrganizer } from './identity/authenticate.ts';
import { createDeveloperReader } from './identity/developers.ts';
import { createOneTimeCodes } from './identity/one-time-codes.ts';
import { serveSignIn } from './identity/sign-in.ts';
import { createUserStore } from './identity/store.ts';
import { createTokenReader } from './identity/tokens.ts';
import { serveUsers } from './identity/users.ts';
import { fieldLabels as invitationLabels } from './invitations/messages.ts';
import { serveInvitations } from './invitations/routes.ts';
import type { Clock } from './kernel/clock.ts';
import { systemClock } from './kernel/clock.ts';
import type { Config } from './kernel/config.ts';
import type { Database } from './kernel/database/database.ts';
import { listen } from './kernel/database/notifications.ts';
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
import { createOnce, forgetOldAnswers } from './kernel/writes/idempotency.ts';
import { migrations } from './migrations/migrations.ts';
import { retainNoLonger } from './retention/daily.ts';
import { serveRetention } from './retention/routes.ts';
import { serveAnswering } from './rsvp/answering.ts';
import { createLinks } from './rsvp/links.ts';
import { fieldLabels as sharingLabels } from './sharing/messages.ts';
import { serveSharing } from './sharing/routes.ts';
import { bookingLabels, vendorLabels } from './vendors/messages.ts';
import { serveVendorArea } from './vendors/routes.ts';

export interface Simcha {
  app: App;
  database: Database;
  sites: SiteTable;
  /** What happens every night: erases guests' data that is due, and tells organizers a week ahead. */
  retain(): Promise<void>;
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
  const faces = organizerFaces({
    '/api/events': {
      ...guestLabels,
      ...invitationLabels,
      ...sharingLabels,
      ...bookingLabels,
      ...checklistLabels,
    },
    '/api/rsvp': guestLabels,
    '/api/shared-events': {},
    '/api/vendors': vendorLabels,
  });
  const sites = createSites();
  const gateway = createGateway({ config, sites, log });
  const server = await createServer({
    config,
    log,
    database,
    isReady,
    faces,
    serverFactory: gateway.commonServer,
  });

  const showsOutbox = !config.smtpUrl && !config.production;
  if (showsOutbox) serveOutbox(server, outbox);

  const authenticate = authenticateOrganizer(server, createTokenReader(config, secret, clock));
  const once = createOnce(database.sql, clock);

  const events = createEventStore(database.sql, fillFreedPlaces);
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
    store: events,
    authenticate,
    once,
    clock,
  });
  serveSharing(server, {
    db: database.sql,
    events,
    authenticate,
    once,
    mail,
    publicUrl: config.publicUrl,
    clock,
  });
  serveVendorArea(server, { db: database.sql, authenticate, once, clock });
  serveChecklist(server, { db: database.sql, authenticate, once, clock });
  serveRetention(server, { db: database.sql, authenticate, once, clock });
  serveHistory(server, authenticate, database.sql);
  serveGuests(server, { store: createGuestStore(database.sql), authenticate, once, clock });
  serveGuestImport(server, { authenticate, once, clock });
  serveGuestExport(server, { db: database.sql, authenticate });
  const hub = createHub(database.sql, (handlers) =>
    listen('simcha_guests', handlers, { database, config, log }),
  );
  serveGuestStream(server, { db: database.sql, hub, authenticate });
  const links = createLinks(secret, config.publicUrl);
  serveAnswering(server, { db: database.sql, config, links, authenticate, once, clock });
  serveInvitations(server, { db: database.sql, jobs, mail, links, authenticate, once, clock });

  const retain = () => retainNoLonger({ db: database.sql, mail, publicUrl: config.publicUrl, log }, clock());
  jobs.schedule('retention', '30 3 * * *', retain);
  jobs.schedule('forget-answers', '10 * * * *', () => forgetOldAnswers(database.sql, clock()));

  return {
    app: server.app,
    database,
    sites,
    retain,
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
      await Promise.all([server.app.close(), gateway.close()]);
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
