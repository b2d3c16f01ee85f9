import { type Kysely, type RawBuilder, sql } from 'kysely';
import { selectColumns, upsertInto } from '../../kernel/database/rows.ts';
import { emptyOf } from '../../kernel/field-types.ts';
import { type Notices, noticeFields } from './fields.ts';

type Switch = Exclude<keyof Notices, 'channels'>;

const columns = selectColumns('notices', [...Object.keys(noticeFields), 'version']);

/** SQL, true if an automatic message is switched on. It also works for an event without a row of `notices`. */
export function isNoticeOn(notice: Switch): RawBuilder<boolean> {
  return sql`coalesce(notices.${sql.ref(notice)}, ${noticeFields[notice].empty})`;
}

/** Finds an event's settings of automatic messages; version 0 means the defaults. */
export async function findNotices(
  db: Kysely<unknown>,
  eventId: string,
): Promise<{ notices: Notices; version: number }> {
  const { rows } = await sql<Notices & { version: number }>`
    select ${columns} from notices where event_id = ${eventId}`.execute(db);
  const { version, ...notices } = rows[0] ?? { ...emptyOf(noticeFields), version: 0 };
  return { notices: notices as Notices, version };
}

export async function saveNotices(
  transaction: Kysely<unknown>,
  eventId: string,
  notices: Notices,
  now: Temporal.Instant,
): Promise<void> {
  await upsertInto('notices', { event_id: eventId }, { ...notices, updated_at: now }).execute(transaction);
}
