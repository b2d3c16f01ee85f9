import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { NewMail } from '../../kernel/mail/message.ts';

/**
 * Number of calendar entries that a guest (row of `guests`) was mailed. It is part of an entry's SEQUENCE, so that each
 * entry, a cancellation included, replaces the earlier ones.
 */
export const MAILED_ENTRIES: RawBuilder<number> = sql`
  coalesce((select mailed from calendar_entries where guest_id = guests.id), 0)`;

/** SQL, true if the last calendar entry that a guest (row of `guests`) was mailed is not a cancellation. */
export const HAS_CALENDAR_ENTRY: RawBuilder<boolean> = sql`
  coalesce((select is_valid from calendar_entries where guest_id = guests.id), false)`;

/** Mail to a guest that is in the queue. */
export interface QueuedMail {
  guestId: string;
  mail: NewMail;
}

/** Records the calendar entries in mails to guests. */
export async function recordCalendarEntries(
  transaction: Kysely<unknown>,
  mails: readonly QueuedMail[],
): Promise<void> {
  const entries = mails.flatMap(({ guestId, mail: { calendar } }) =>
    calendar ? [{ guest_id: guestId, is_valid: calendar.method !== 'CANCEL' }] : [],
  );
  if (entries.length === 0) return;
  await sql`
    insert into calendar_entries as entry (guest_id, mailed, is_valid)
    select guest_id, 1, is_valid
    from json_to_recordset(${JSON.stringify(entries)}::json) as mailed (guest_id uuid, is_valid boolean)
    on conflict (guest_id) do update set mailed = entry.mailed + 1, is_valid = excluded.is_valid`.execute(
    transaction,
  );
}
