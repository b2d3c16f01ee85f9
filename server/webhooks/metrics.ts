import { type Kysely, sql } from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../kernel/clock.ts';
import { toParameter } from '../kernel/database/transaction.ts';
import type { Outcome } from './http-post.ts';

/**
 * Adds the metrics of webhooks: this server's tries, and the deliveries that wait in the database. The result counts a
 * try.
 */
export function measureWebhooks(
  registry: Registry,
  { db, clock }: { db: Kysely<unknown>; clock: Clock },
): (outcome: Outcome) => void {
  const tries = new Counter({
    name: 'simcha_webhook_tries_total',
    help: 'Tries of this server to deliver messages to webhooks, by result.',
    labelNames: ['result'],
    registers: [registry],
  });
  const readWaiting = async () => {
    const waiting = sql<{ count: number; seconds: number }>`
      select count(*)::integer as count,
        coalesce(extract(epoch from ${toParameter(clock())}::timestamptz - min(created_at)), 0)::float8 as seconds
      from webhook_deliveries where state = 'waiting'`.execute(db);
    // If the database can't be reached, these metrics are left out and the others are reported.
    const { rows } = await waiting.catch(() => ({ rows: [] }));
    return rows[0];
  };
  new Gauge({
    name: 'simcha_webhook_oldest_waiting_seconds',
    help: 'Age of the oldest message that waits to be delivered to a webhook; 0 if there is none.',
    registers: [registry],
    async collect() {
      const waiting = await readWaiting();
      this.reset();
      if (waiting) this.set(Math.max(0, waiting.seconds));
    },
  });
  new Gauge({
    name: 'simcha_webhook_deliveries_waiting',
    help: 'Messages that wait to be delivered to webhooks.',
    registers: [registry],
    async collect() {
      const waiting = await readWaiting();
      this.reset();
      if (waiting) this.set(waiting.count);
    },
  });
  return ({ problem = 'succeeded' }) => tries.inc({ result: problem });
}
