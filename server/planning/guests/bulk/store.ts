import { type Kysely, sql } from 'kysely';
import { pageOfRows } from '../../../kernel/database/pages.ts';
import type { Page } from '../../../kernel/paging.ts';
import type { Chosen } from '../chosen.ts';
import { type GuestRow, guestColumns, present, type StoredGuest } from '../rows.ts';
import { matching } from '../store.ts';
import type { GuestTag } from './contract.ts';

/** The guests of a locked event that are meant, by their ids; one more than `most` where there are more. */
export async function findChosen(
  transaction: Kysely<unknown>,
  eventId: string,
  { guest_ids, filter }: Chosen,
  most: number,
): Promise<StoredGuest[]> {
  const { rows } = await sql<GuestRow>`
    select ${guestColumns} from guests
    where ${matching(eventId, filter)} ${guest_ids ? sql`and guests.id = any(${guest_ids}::uuid[])` : sql``}
    order by id limit ${most + 1}`.execute(transaction);
  return rows.map(present);
}

/** A page of the tags of an event's guests, those of most guests first, and how many tags there are. */
export async function listTags(
  db: Kysely<unknown>,
  eventId: string,
  page: Page,
): Promise<{ tags: GuestTag[]; total: number }> {
  const source = {
    columns: sql`tag, guests, invited, people`,
    from: sql`(
      select tag, count(*)::integer as guests, sum(party_size)::integer as invited,
        coalesce(sum(greatest(coming, 1)) filter (where rsvp_status = 'confirmed'), 0)::integer as people
      from guests cross join unnest(tags) tag where event_id = ${eventId} group by tag
    ) tagged`,
    order: sql`guests desc, tag`,
  };
  const { rows, total } = await pageOfRows<GuestTag>(db, source, page);
  return { tags: rows, total };
}
