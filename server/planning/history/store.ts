import { type Kysely, sql } from 'kysely';
import { pageOfRows } from '../../kernel/database/pages.ts';
import type { Page } from '../../kernel/paging.ts';
import type { OpenEvent } from '../events/access.ts';
import type { HistoryEntry, HistoryFilter } from './contract.ts';

type Row = Omit<HistoryEntry, 'id' | 'at' | 'by'> & {
  id: unknown;
  shown_id: string;
  at: Date;
  actor_kind: HistoryEntry['by']['kind'];
  actor_id: string | null;
  actor_email: string | null;
  actor_token: string | null;
};

/**
 * SQL for the name of a changed guest or booked vendor. Names of deleted guests and vendors are shown only to callers
 * who may edit the event.
 */
const nameFor = (mayEdit: boolean) => sql`
  case subject
    when 'guest' then coalesce(
      (select name from guests where guests.id = subject_id),
      (select kept->'guest'->>'name' from deleted_guests where guest_id = subject_id and ${mayEdit}::boolean)
    )
    when 'booking' then (
      select coalesce(vendors.name, bookings.vendor_name)
      from bookings left join vendors on vendors.id = bookings.vendor_id
      where bookings.id = subject_id and (bookings.deleted_at is null or ${mayEdit}::boolean)
    )
  end`;

/** Page of an event's history, the newest change first, and the number of all matching changes. */
export async function listHistory(
  db: Kysely<unknown>,
  { id: eventId, access }: Pick<OpenEvent, 'id' | 'access'>,
  { subject, subject_id }: HistoryFilter,
  page: Page,
): Promise<{ history: HistoryEntry[]; total: number }> {
  const matching = sql`event_id = ${eventId}
    ${subject ? sql`and subject = ${subject}` : sql``}
    ${subject_id ? sql`and subject_id = ${subject_id}` : sql``}`;
  const columns = sql`
    id, id::text as shown_id, at, actor_kind, actor_id, actor_email, actor_token, subject, subject_id,
    ${nameFor(access !== 'view')} as subject_name, action, changes`;
  const source = { columns, from: sql`history where ${matching}`, order: sql`id desc` };
  const { rows, total } = await pageOfRows<Row>(db, source, page);
  const history = rows.map(
    ({ at, actor_kind, actor_id, actor_email, actor_token, shown_id, id: _, ...entry }) => ({
      ...entry,
      id: shown_id,
      at: at.toISOString(),
      by: { kind: actor_kind, id: actor_id, email: actor_email, token: actor_token },
    }),
  );
  return { history, total };
}
