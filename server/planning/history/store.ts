import { type Kysely, sql } from 'kysely';
import { pageOfRows } from '../../kernel/database/pages.ts';
import type { Page } from '../../kernel/paging.ts';
import type { HistoryEntry, HistoryFilter } from './contract.ts';

type Row = Omit<HistoryEntry, 'id' | 'at' | 'by'> & {
  id: unknown;
  shown_id: string;
  at: Date;
  actor_kind: HistoryEntry['by']['kind'];
  actor_id: string | null;
  actor_email: string | null;
};

const columns = sql`
  id, id::text as shown_id, at, actor_kind, actor_id, actor_email, subject, subject_id, action, changes`;

/** A page of an event's history, the newest first, and how many changes match in all. */
export async function listHistory(
  db: Kysely<unknown>,
  eventId: string,
  { subject, subject_id }: HistoryFilter,
  page: Page,
): Promise<{ history: HistoryEntry[]; total: number }> {
  const matching = sql`event_id = ${eventId}
    ${subject ? sql`and subject = ${subject}` : sql``}
    ${subject_id ? sql`and subject_id = ${subject_id}` : sql``}`;
  const source = { columns, from: sql`history where ${matching}`, order: sql`id desc` };
  const { rows, total } = await pageOfRows<Row>(db, source, page);
  const history = rows.map(({ at, actor_kind, actor_id, actor_email, shown_id, id: _, ...entry }) => ({
    ...entry,
    id: shown_id,
    at: at.toISOString(),
    by: { kind: actor_kind, id: actor_id, email: actor_email },
  }));
  return { history, total };
}
