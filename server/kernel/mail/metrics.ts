import { type Kysely, sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import { toParameter } from '../database/transaction.ts';

/** Adds the metrics of mail: the number of mails by state, and for how long the oldest one that is due waits. */
export function measureMails(registry: Registry, { db, clock }: { db: Kysely<unknown>; clock: Clock }): void {
  new Gauge({
    name: 'simcha_mails_oldest_due_seconds',
    help: 'Time since the oldest mail that is neither sent nor refused was due; 0 if there is none.',
    registers: [registry],
    async collect() {
      const now = toParameter(clock());
      const oldest = sql<{ seconds: number }>`
        select coalesce(extract(epoch from ${now}::timestamptz - min(due_at)), 0)::float8 as seconds
        from mails where settled_at is null and due_at <= ${now}`.execute(db);
      const { rows } = await oldest.catch(() => ({ rows: [] }));
      this.reset();
      if (rows[0]) this.set(rows[0].seconds);
    },
  });
  new Gauge({
    name: 'simcha_mails',
    help: 'Mails that are not settled, and those that were within the last 24 hours, by state.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const since = toParameter(clock().subtract({ hours: 24 }));
      const counted = sql<{ state: string; count: number }>`
        select case when waits then 'waiting' else status end as state, count(*)::integer as count
        from mails where settled_at is null group by 1
        union all
        select status, count(*)::integer from mails where settled_at > ${since} group by 1`.execute(db);
      // If the database can't be reached, the number of mails is left out and the other metrics are reported.
      const { rows } = await counted.catch(() => ({ rows: [] }));
      this.reset();
      for (const { state, count } of rows) this.set({ state }, count);
    },
  });
}
