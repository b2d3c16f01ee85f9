import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import type { EventDoor } from '../events/write.ts';

/** What the routes of vendors and of bookings are given. */
export interface VendorParts {
  db: Kysely<unknown>;
  door: EventDoor;
  authenticate: onRequestAsyncHookHandler;
  transactOnce: TransactOnce;
  clock: Clock;
}
