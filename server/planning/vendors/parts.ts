import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Once } from '../../kernel/writes/idempotency.ts';

/** What the routes of vendors and of bookings are given. */
export interface VendorParts {
  db: Kysely<unknown>;
  authenticate: onRequestAsyncHookHandler;
  once: Once;
  clock: Clock;
}
