import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { upsertInto } from '../../kernel/database/rows.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { emptyOf } from '../../kernel/field-types.ts';
import { accessOf, type StoredAccess } from '../events/access.ts';
import { EVENT_TITLE } from '../events/title.ts';
import { type ChecklistFacts, factFields, type Progress } from './fields.ts';
import type { Circumstances, ItemName } from './rules.ts';

/** Checklist of an event as it is stored. */
export interface StoredChecklist {
  dismissed: boolean;
  date: Temporal.Instant | null;
  circumstances: Circumstances;
  facts: ChecklistFacts;
  factsVersion: number;
  progress: ReadonlyMap<string, Progress & { version: number }>;
}

export interface EventChecklist extends StoredChecklist {
  id: string;
  title: string;
  /** Number that rises with each change of the event's checklist. */
  sequence: number;
  updated_at: Date;
}

interface Row {
  dismissed: boolean;
  event_date: Date | null;
  people: number;
  venue_capacity: number | null;
  kashrut_level: Circumstances['kashrutLevel'];
  curfew: string;
  facts: (ChecklistFacts & { version: number }) | null;
  progress: (Progress & { item: string; version: number })[];
}

const columns = sql`
  coalesce(events.compliance_dismissed, false) as dismissed,
  events.event_date, greatest(events.max_guests, tally.people) as people, events.venue_capacity,
  events.kashrut_level, to_char(events.noise_curfew_time, 'HH24:MI') as curfew, to_json(facts.*) as facts,
  (
    select coalesce(json_agg(json_build_object(
      'item', item, 'state', state, 'dismissed', dismissed, 'note', note, 'version', version
    )), '[]')
    from checklist_items where event_id = events.id
  ) as progress`;

const source = sql`
  events
  join event_tallies tally on tally.event_id = events.id
  left join event_facts facts on facts.event_id = events.id`;

/** Finds an event's stored checklist in one statement; undefined if there is no such event. */
export async function findChecklist(
  db: Kysely<unknown>,
  caller: Caller,
  eventId: string,
): Promise<(StoredChecklist & { access: StoredAccess | null }) | undefined> {
  const { rows } = await sql<Row & { access: StoredAccess | null }>`
    select ${accessOf(caller)} as access, ${columns} from ${source}
    where events.id = ${eventId} and events.deleted_at is null`.execute(db);
  return rows[0] && { ...present(rows[0]), access: rows[0].access };
}

/** Lists the checklists of the events in the subquery `eventIds`, by event date. */
export async function listChecklists(
  db: Kysely<unknown>,
  eventIds: RawBuilder<unknown>,
): Promise<EventChecklist[]> {
  type Named = Pick<EventChecklist, 'id' | 'title' | 'sequence' | 'updated_at'>;
  const { rows } = await sql<Row & Named>`
    select ${columns}, events.id, ${EVENT_TITLE} as title,
      events.version + coalesce(facts.version, 0) + coalesce(touched.version, 0) as sequence,
      greatest(events.updated_at, facts.updated_at, touched.updated_at) as updated_at
    from ${source}
    left join lateral (
      select sum(version)::integer as version, max(updated_at) as updated_at
      from checklist_items where event_id = events.id
    ) touched on true
    where events.id in ${eventIds} order by events.event_date, events.id`.execute(db);
  return rows.map((row) => {
    const { id, title, sequence, updated_at } = row;
    return { ...present(row), id, title, sequence, updated_at };
  });
}

export async function saveFacts(
  transaction: Kysely<unknown>,
  eventId: string,
  facts: ChecklistFacts,
  now: Temporal.Instant,
): Promise<void> {
  await upsertInto('event_facts', { event_id: eventId }, { ...facts, updated_at: now }).execute(transaction);
}

export async function saveProgress(
  transaction: Kysely<unknown>,
  eventId: string,
  item: ItemName,
  progress: Progress,
  now: Temporal.Instant,
): Promise<void> {
  const row = { ...progress, updated_at: now };
  await upsertInto('checklist_items', { event_id: eventId, item }, row).execute(transaction);
}

/** Hides or shows the checklist of an event. */
export async function setDismissed(
  transaction: Kysely<unknown>,
  eventId: string,
  dismissed: boolean,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update events set compliance_dismissed = ${dismissed}, updated_at = ${toParameter(now)}
    where id = ${eventId} and compliance_dismissed is distinct from ${dismissed}`.execute(transaction);
}

function present(row: Row): StoredChecklist {
  const { version: factsVersion, ...facts } = row.facts ?? { ...emptyOf(factFields), version: 0 };
  return {
    dismissed: row.dismissed,
    date: row.event_date?.toTemporalInstant() ?? null,
    circumstances: {
      ...facts,
      people: row.people,
      venueCapacity: row.venue_capacity,
      kashrutLevel: row.kashrut_level,
      curfew: row.curfew,
    },
    facts: Object.fromEntries(
      Object.keys(factFields).map((name) => [name, facts[name as keyof ChecklistFacts]]),
    ) as never,
    factsVersion,
    progress: new Map(row.progress.map(({ item, ...progress }) => [item, progress])),
  };
}
