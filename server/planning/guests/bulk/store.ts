import { type Kysely, sql } from 'kysely';
import { pageOfRows } from '../../../kernel/database/pages.ts';
import type { Page } from '../../../kernel/paging.ts';
import type { GuestSelection } from '../selection.ts';
import { selectionCondition } from '../store.ts';
import { COUNT_COLUMNS, countsByTag, MOST_GUESTS_FIRST, PEOPLE_COMING } from '../tags.ts';
import type { GuestTag } from './contract.ts';

/**
 * Ids of the selected guests of an event, sorted by id. If more than `most` guests are selected, it returns one more
 * than `most`.
 */
export async function findSelectedIds(
  transaction: Kysely<unknown>,
  eventId: string,
  chosen: GuestSelection,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from guests where ${selectionCondition(eventId, chosen)} order by id limit ${most + 1}`.execute(
    transaction,
  );
  return rows.map(({ id }) => id);
}

/** Reads a page of the tags of an event's guests, the most used first, and the total number of tags. */
export async function listTags(
  db: Kysely<unknown>,
  eventId: string,
  page: Page,
): Promise<{ tags: GuestTag[]; total: number }> {
  const chosen = sql`(select tags, party_size, ${PEOPLE_COMING} as people from guests where event_id = ${eventId}) chosen`;
  const source = {
    columns: sql`tag, guests, invited, people`,
    from: sql`(${countsByTag(COUNT_COLUMNS, chosen)}) tagged where tag is not null`,
    order: MOST_GUESTS_FIRST,
  };
  const { rows, total } = await pageOfRows<GuestTag>(db, source, page);
  return { tags: rows, total };
}
