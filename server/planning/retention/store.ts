import { type Kysely, sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { erasureDay } from './rules.ts';

interface Row {
  day: string | null;
  retention_policy_days: number;
  told_at: Date | null;
  erased_at: Date | null;
  version: number;
}

/** Retention period of an event's guest data, whether the data is erased, and the event's version. */
export async function findRetention(db: Kysely<unknown>, eventId: string) {
  const { rows } = await sql<Row>`
    select to_char(events.event_date at time zone ${DEFAULT_ZONE}, 'YYYY-MM-DD') as day,
      events.retention_policy_days, events.version, retention.told_at, retention.erased_at
    from events left join event_retention retention on retention.event_id = events.id
    where events.id = ${eventId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the event is gone');
  const { day, retention_policy_days, told_at, erased_at, version } = row;
  const on = day === null ? null : erasureDay(Temporal.PlainDate.from(day), retention_policy_days);
  const retention = {
    retention_policy_days,
    erases_on: on?.toString() ?? null,
    told_at: told_at?.toISOString() ?? null,
    erased_at: erased_at?.toISOString() ?? null,
  };
  return { retention, version };
}

/** Changes the retention period. An organizer who was notified of the former date is notified again. */
export async function changeRetention(
  transaction: Kysely<unknown>,
  eventId: string,
  days: number,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update events set retention_policy_days = ${days}, updated_at = ${toParameter(now)}
    where id = ${eventId}`.execute(transaction);
  await sql`
    update event_retention set told_for = null, told_at = null where event_id = ${eventId}`.execute(
    transaction,
  );
}
