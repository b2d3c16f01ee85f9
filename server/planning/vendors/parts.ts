import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { type Clock, DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import type { EventWriter } from '../events/write.ts';

/** What the routes of vendors and of bookings are given. */
export interface VendorParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** The day at the place: payments are due and made by it. */
export function todayAt(now: Temporal.Instant): string {
  return now.toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate().toString();
}
