import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import type { Server } from '../../kernel/http/app.ts';
import { createTurns } from '../../kernel/turns.ts';
import type { Once } from '../../kernel/writes/idempotency.ts';
import { servePages } from './guest-page-routes.ts';
import { serveRsvpApi } from './link-routes.ts';
import { createLinkStore } from './link-store.ts';
import { createOpenLinkStore } from './open-link-store.ts';
import type { Links } from './personal-links.ts';
import { serveRsvpSettings } from './routes.ts';
import { createSettingsStore } from './settings.ts';
import { createRsvpStore } from './store.ts';

export interface AnsweringParts {
  db: Kysely<unknown>;
  config: Pick<Config, 'publicUrl'>;
  links: Links;
  authenticate: onRequestAsyncHookHandler;
  once: Once;
  clock: Clock;
}

/** All of answering: guests' pages, their API, and what the organizer decides about it. */
export function serveAnswering(
  server: Server,
  { db, config, links, authenticate, once, clock }: AnsweringParts,
): void {
  const { publicUrl } = config;
  const store = createRsvpStore(db);
  const openLinks = createOpenLinkStore(db);
  const inTurn = createTurns();
  serveRsvpSettings(server, {
    settings: createSettingsStore(db, publicUrl),
    links: createLinkStore(db, links),
    openLinks,
    authenticate,
    once,
    clock,
  });
  serveRsvpApi(server, { store, inTurn, once, clock });
  servePages(server, { store, openLinks, inTurn, clock, publicUrl });
}
