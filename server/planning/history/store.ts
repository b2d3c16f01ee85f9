import { type Kysely, sql } from 'kysely';
import type { Page } from '../../kernel/paging.ts';
import type { HistoryEntry } from './contract.ts';

export interface HistoryFilter {
  subject: string | undefined;
  subjectId: string | undefined;
}

type Row = Omit<HistoryEntry, 'id' | 'at' | 'by'> & {
  id: unknown;
  shown_id: string;
  at: Date;
  actor_kind: HistoryEntry['by']['kind'];
  actor_id: string | null;
  actor_email: string | null;
};

/** A page of an event's history, the newest first, and how many changes match in all; both in one statement. */
export async function listHistory(
  db: Kysely<unknown>,
  eventId: string,
  { subject, subjectId }: HistoryFilter,
  { limit, offset }: Page,
): Promise<{ history: HistoryEntry[]; total: number }> {
  const matching = sql`event_id = ${eventId}
    ${subject ? sql`and subject = ${subject}` : sql``}
    ${subjectId ? sql`and subject_id = ${subjectId}` : sql``}`;
  const { rows } = await sql<Row & { total: number }>`
    select counted.total, page.*
    from (select count(*)::integer as total from history where ${matching}) counted
    left join lateral (
      select id, id::text as shown_id, at, actor_kind, actor_id, actor_email, subject, subject_id, action, changes
      from history where ${matching} order by id desc limit ${limit} offset ${offset}
    ) page on true
    order by page.id desc`.execute(db);
  const history = rows
    .filter(({ id }) => id !== null)
    .map(({ at, actor_kind, actor_id, actor_email, shown_id, id: _, total: __, ...entry }) => ({
      ...entry,
      id: shown_id,
      at: at.toISOString(),
      by: { kind: actor_kind, id: actor_id, email: actor_email },
    }));
  return { history, total: rows[0]?.total ?? 0 };
}
