import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { type Clock, DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import type { EventWriter } from '../events/write.ts';

/** Dependencies of the routes of vendors and bookings. */
export interface VendorParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Today's date in Israel, by which payments are due and made. */
export function todayInIsrael(now: Temporal.Instant): string {
  return now.toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate().toString();
}
