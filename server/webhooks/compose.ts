import type { Kysely } from 'kysely';
import type { TokenSubjects } from '../identity/access-tokens/subjects.ts';
import type { DeveloperReader } from '../identity/developers.ts';
import { UserStore } from '../identity/store.ts';
import { listenForNotifications } from '../kernel/database/notifications.ts';
import type { Platform } from '../kernel/platform.ts';
import { forgetDeliveries } from './delivery-store.ts';
import { type DispatcherParts, WebhookDispatcher, type WebhookTimes } from './dispatcher.ts';
import { EndpointStore } from './endpoint-store.ts';
import { mailFailing } from './failing-mail.ts';
import { hasDueLane } from './lanes.ts';
import { measureWebhooks } from './metrics.ts';
import { serveWebhooks } from './routes.ts';

export type { WebhookTimes } from './dispatcher.ts';
export { removeEndpoints } from './endpoint-store.ts';

export interface WebhookParts {
  subjects: TokenSubjects;
  readDeveloper: DeveloperReader;
  readEvent: DispatcherParts['readEvent'];
  isReadableApplication: DispatcherParts['isReadableApplication'];
  times?: Partial<WebhookTimes> | undefined;
}

export interface Webhooks {
  start(): void;
  close(mostMs: number): Promise<void>;
  /** Deletes old deliveries. Runs every hour. */
  forgetOld(): Promise<void>;
}

/** Webhooks of users, for both sides of the product, which queue messages by `outbox.ts`. */
export function composeWebhooks(
  platform: Platform,
  { subjects, readDeveloper, readEvent, isReadableApplication, times }: WebhookParts,
): Webhooks {
  const { config, log, clock, encryption, database, jobs, mail, server, tracing, transactOnce } = platform;
  const db = database.sql;
  const endpoints = new EndpointStore(db, encryption);
  const policy = { allowPrivateHosts: config.webhooksAllowPrivateHosts };
  const dispatcher = new WebhookDispatcher({
    db,
    endpoints,
    clock,
    log,
    tracing,
    listen: (handlers) => listenForNotifications('simcha_webhooks', handlers, { database, config, log }),
    ...policy,
    times,
    onTried: measureWebhooks(server.metrics, { db, clock }),
    readEvent,
    isReadableApplication,
    onFailing: (transaction: Kysely<unknown>, endpointId: string) =>
      mailFailing({ mail, publicUrl: config.publicUrl }, transaction, endpointId),
  });
  const users = new UserStore(db);
  const routes = { db, endpoints, dispatcher, policy, users, subjects, readDeveloper, transactOnce, clock };
  serveWebhooks(server, routes);
  jobs.wakeWhen(
    () => hasDueLane(clock()),
    () => dispatcher.wake(),
  );
  const forgetOld = () => forgetDeliveries(db, clock());
  jobs.schedule('forget-webhook-deliveries', '25 * * * *', forgetOld);
  return {
    start: () => dispatcher.start(),
    close: (mostMs) => dispatcher.close(mostMs),
    forgetOld,
  };
}
