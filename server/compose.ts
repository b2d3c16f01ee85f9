import { eventErrors, serveEvents } from './events/routes.ts';
import { createEventStore } from './events/store.ts';
import { fieldLabels as guestLabels } from './guests/messages.ts';
import { serveGuests } from './guests/routes.ts';
import { fillFreedPlaces } from './guests/seating.ts';
import { createGuestStore } from './guests/store.ts';
import { serveHistory } from './history/routes.ts';
import { authenticateOrganizer } from './identity/authenticate.ts';
import { createTokenReader } from './identity/tokens.ts';
import type { Clock } from './kernel/clock.ts';
import { systemClock } from './kernel/clock.ts';
import type { Config } from './kernel/config.ts';
import type { Database } from './kernel/database/database.ts';
import { openDatabase } from './kernel/database/open.ts';
import { type App, createServer } from './kernel/http/server.ts';
import { createJobs } from './kernel/jobs.ts';
import type { Logger } from './kernel/log.ts';
import { keptSecret } from './kernel/secret.ts';
import { createOnce } from './kernel/writes/idempotency.ts';
import { migrations } from './migrations/migrations.ts';

export interface Simcha {
  app: App;
  database: Database;
  /** Prepares the database, waiting for one that is away, then starts the job queue. */
  start(): Promise<void>;
  /** Takes no new requests, finishes those under way, then the jobs under way, closes the database. */
  close(): Promise<void>;
}

/** Jobs have this long to finish at shutdown, within main.ts's own limit. */
const JOBS_MS = 5_000;

/** The one place where parts are wired together. Nothing listens and nothing is connected yet. */
export async function compose(config: Config, log: Logger, clock: Clock = systemClock): Promise<Simcha> {
  const secret = config.jwtSecret ?? (await keptSecret(config.dataDir, 'jwt-secret'));
  const database = openDatabase(config, migrations, log);
  const jobs = createJobs(config, database, log);
  const faces = [{ ...eventErrors, labels: { ...eventErrors.labels, ...guestLabels } }];
  const isReady = () => database.isPrepared() && jobs.isStarted();
  const server = await createServer({ config, log, database, isReady, faces });

  const authenticate = authenticateOrganizer(server, createTokenReader(config, secret, clock));
  const once = createOnce(database.sql, clock);

  serveEvents(server, {
    store: createEventStore(database.sql, fillFreedPlaces),
    authenticate,
    once,
    clock,
  });
  serveHistory(server, authenticate, database.sql);
  serveGuests(server, { store: createGuestStore(database.sql), authenticate, once, clock });

  return {
    app: server.app,
    database,
    async start() {
      await database.prepare();
      await jobs.start();
    },
    async close() {
      await server.app.close();
      await jobs.close(JOBS_MS);
      await database.close();
    },
  };
}
