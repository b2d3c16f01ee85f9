import { type Kysely, type RawBuilder, sql } from 'kysely';
import { assignColumns, insertWhere } from '../../kernel/database/rows.ts';
import { invalidField } from '../../kernel/fields.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type AgendaItem, MOST_ITEMS } from './contract.ts';
import type { AgendaInput } from './fields.ts';
import { messages } from './messages.ts';

const DAY_MINUTES = 24 * 60;
const MOST_DAYS = 31;

export interface StoredItem {
  item: AgendaItem;
  version: number;
}

type TimeField = 'starts_at' | 'ends_at' | 'created_at' | 'updated_at';
type Row = Omit<AgendaItem, TimeField> & {
  starts_at: Date;
  ends_at: Date | null;
  created_at: Date;
  updated_at: Date;
  version: number;
};

const startsAt = sql`events.event_date + agenda_items.starts_after * interval '1 minute'`;
const endsAt = sql`${startsAt} + agenda_items.lasts_minutes * interval '1 minute'`;

/** SQL for an event's agenda as JSON, ordered by time, for a row of `events`. */
export const agendaOfEvent: RawBuilder<unknown> = sql`
  (
    select coalesce(json_agg(json_build_object(
      'starts_at', ${startsAt}, 'ends_at', ${endsAt}, 'title', agenda_items.title, 'speaker', agenda_items.speaker,
      'place', agenda_items.place, 'description', agenda_items.description
    ) order by agenda_items.starts_after, agenda_items.id), '[]')
    from agenda_items where agenda_items.event_id = events.id
  )`;

const select = sql`
  select agenda_items.id, ${startsAt} as starts_at, ${endsAt} as ends_at, agenda_items.title, agenda_items.speaker,
    agenda_items.place, agenda_items.description, agenda_items.created_at, agenda_items.updated_at,
    agenda_items.version
  from agenda_items join events on events.id = agenda_items.event_id`;

export async function listAgenda(db: Kysely<unknown>, eventId: string): Promise<AgendaItem[]> {
  const { rows } = await sql<Row>`
    ${select} where agenda_items.event_id = ${eventId}
    order by agenda_items.starts_after, agenda_items.id`.execute(db);
  return rows.map((row) => toStoredItem(row).item);
}

export async function findAgendaItem(
  db: Kysely<unknown>,
  eventId: string,
  itemId: string,
): Promise<StoredItem> {
  const { rows } = isUuid(itemId)
    ? await sql<Row>`
        ${select} where agenda_items.id = ${itemId} and agenda_items.event_id = ${eventId}`.execute(db)
    : { rows: [] };
  if (!rows[0]) throw new Refusal(404, 'not_found', messages.noSuchItem);
  return toStoredItem(rows[0]);
}

/** Adds an item to an event's agenda. Throws a FieldProblem for an impossible time, a 400 if the agenda is full. */
export async function addAgendaItem(
  transaction: Kysely<unknown>,
  eventId: string,
  input: AgendaInput,
  now: Temporal.Instant,
): Promise<StoredItem> {
  const id = newId();
  const columns = await columnsOf(transaction, eventId, input);
  const row = { id, event_id: eventId, ...columns, created_at: now, updated_at: now };
  const isRoom = sql`(select count(*) from agenda_items where event_id = ${eventId}) < ${MOST_ITEMS}`;
  const { numAffectedRows = 0n } = await insertWhere('agenda_items', row, isRoom).execute(transaction);
  if (numAffectedRows === 0n) throw new Refusal(400, 'too_many', messages.tooMany(MOST_ITEMS));
  return findAgendaItem(transaction, eventId, id);
}

export async function changeAgendaItem(
  transaction: Kysely<unknown>,
  eventId: string,
  itemId: string,
  input: AgendaInput,
  now: Temporal.Instant,
): Promise<StoredItem> {
  const columns = await columnsOf(transaction, eventId, input);
  await sql`
    update agenda_items set ${assignColumns({ ...columns, updated_at: now })} where id = ${itemId}`.execute(
    transaction,
  );
  return findAgendaItem(transaction, eventId, itemId);
}

export async function removeAgendaItem(transaction: Kysely<unknown>, itemId: string): Promise<void> {
  await sql`delete from agenda_items where id = ${itemId}`.execute(transaction);
}

/** Converts an item's times to stored form: minutes from the event's beginning, so that items move with the event. */
async function columnsOf(
  transaction: Kysely<unknown>,
  eventId: string,
  { starts_at, ends_at, ...texts }: AgendaInput,
) {
  const { rows } = await sql<{ event_date: Date | null }>`
    select event_date from events where id = ${eventId}`.execute(transaction);
  const begins = rows[0]?.event_date;
  if (!begins) throw invalidField('starts_at', messages.noDate);
  const starts_after = minutesBetween(begins.getTime(), Date.parse(starts_at));
  if (starts_after < -DAY_MINUTES || starts_after > MOST_DAYS * DAY_MINUTES) {
    throw invalidField('starts_at', messages.farFromEvent);
  }
  const lasts_minutes = ends_at === null ? null : minutesBetween(Date.parse(starts_at), Date.parse(ends_at));
  if (lasts_minutes !== null && (lasts_minutes < 1 || lasts_minutes > MOST_DAYS * DAY_MINUTES)) {
    throw invalidField('ends_at', messages.endsBefore);
  }
  return { starts_after, lasts_minutes, ...texts };
}

function minutesBetween(from: number, to: number): number {
  return Math.round((to - from) / 60_000);
}

function toStoredItem({ version, ...row }: Row): StoredItem {
  const item = {
    ...row,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
  return { item, version };
}
