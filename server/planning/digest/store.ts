import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { organizerEmail } from '../events/organizer-email.ts';
import { EVENT_TITLE } from '../events/title.ts';
import { isNoticeOn } from '../notices/store.ts';
import { WAS_MISSED } from '../rounds/audience.ts';
import { AUTOMATIC_KINDS } from '../rounds/kinds.ts';

/**
 * Sections of the daily mail to organizers: guests by their present answer, unanswered requests to come (`request`),
 * and guests who could not be notified that they got a place or that their request was accepted (`untold`).
 */
export const SECTION_NAMES = ['coming', 'waiting', 'maybe', 'declined', 'request', 'untold'] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

export interface DigestEvent {
  id: string;
  organizer_id: string;
  title: string;
  language_pref: LanguageName;
  email: string | null;
  /**
   * Number of the line of the event's history after which the daily mail begins (`since`), and of its last line
   * (`until`).
   */
  since: string;
  until: string;
  rsvp_confirmed: number;
  rsvp_pending: number;
  rsvp_declined: number;
  maybe: number;
  waiting: number;
  people: number;
}

/** Maximum age of changes in the daily mail, for events whose organizer had switched it off for a while. */
const OLDEST = { hours: 7 * 24 };

/**
 * SQL condition that is true for a history line about a guest's own answer or its outcome. Matches the partial index
 * `history_answers`.
 */
export const isAnswer: RawBuilder<boolean> = sql`(history.subject = 'guest' and (
  history.action = 'moved_up'
  or (history.action = 'answered' and history.actor_kind = 'guest')
  or (history.action = 'accepted' and history.actor_kind = 'system')
))`;

/**
 * SQL condition that is true for a history line that belongs in the daily mail to organizers: answers, requests to
 * come, automatic messages.
 */
const isForDigest: RawBuilder<boolean> = sql`(
  ${isAnswer}
  or (history.subject = 'guest_request' and history.action = 'asked')
  or (history.subject = 'round' and history.action = 'sent' and history.actor_kind = 'system')
)`;

/** Events whose changes go into the daily mail to organizers, ordered by id. */
export async function findEventsForDigest(
  db: Kysely<unknown>,
  now: Temporal.Instant,
  after: string,
  most: number,
): Promise<DigestEvent[]> {
  const oldest = toParameter(now.subtract(OLDEST));
  const { rows } = await sql<DigestEvent>`
    select events.id, events.organizer_id, ${EVENT_TITLE} as title, events.language_pref, ${organizerEmail('events')} as email,
      line.since::text as since, line.until::text as until,
      tally.rsvp_confirmed, tally.rsvp_pending, tally.rsvp_declined, tally.maybe, tally.waiting, tally.people
    from events
    join event_tallies tally on tally.event_id = events.id
    left join notices on notices.event_id = events.id
    cross join lateral (
      select min(id) - 1 as since, max(id) as until from history
      where event_id = events.id and at > ${oldest} and ${isForDigest}
        and id > coalesce((select told_line from event_digests where event_id = events.id), 0)
    ) line
    where events.status = 'published' and events.deleted_at is null and ${isNoticeOn('digest')}
      and line.until is not null and events.id > ${after}
    order by events.id limit ${most}`.execute(db);
  return rows;
}

export interface DigestSection {
  of: SectionName;
  /** Number of guests in this section of the daily mail, including guests whose name is left out. */
  count: number;
  names: { name: string; coming: number }[];
}

/** Reads the sections of the daily mail about an event, with at most `most` guest names in each. */
export async function readDigestSections(
  db: Kysely<unknown>,
  { id, since, until }: Pick<DigestEvent, 'id' | 'since' | 'until'>,
  most: number,
): Promise<DigestSection[]> {
  const { rows } = await sql<DigestSection>`
    with changed as (
      select subject, subject_id, max(id) as line from history
      where event_id = ${id} and id > ${since}::bigint and id <= ${until}::bigint and ${isForDigest}
      group by subject, subject_id
    ), entries as (
      select case
          when guests.waiting_order is not null then 'waiting'
          when guests.rsvp_status = 'confirmed' then 'coming'
          when guests.maybe then 'maybe'
          else 'declined'
        end as of, guests.name, guests.coming, line
      from changed join guests on guests.id = changed.subject_id
      where changed.subject = 'guest' and (guests.waiting_order is not null or guests.maybe or guests.rsvp_status <> 'pending')
      union all
      select 'request', request.name, request.coming, line
      from changed join guest_requests request on request.id = changed.subject_id
      where changed.subject = 'guest_request' and request.status = 'waiting'
      union all
      select 'untold', guests.name, guests.coming, max(line)
      from changed join rounds on rounds.id = changed.subject_id and rounds.kind = any(${AUTOMATIC_KINDS}::text[])
      join round_guests missed on missed.round_id = rounds.id and ${WAS_MISSED}
      join guests on guests.id = missed.guest_id
      where changed.subject = 'round' group by guests.id
    ), numbered as (
      select *, row_number() over (partition by of order by line) as number, count(*) over (partition by of) as count
      from entries
    )
    select of, max(count)::integer as count,
      json_agg(json_build_object('name', name, 'coming', coming) order by number) filter (where number <= ${most}) as names
    from numbered group by of`.execute(db);
  return rows;
}

export async function recordDigest(
  transaction: Kysely<unknown>,
  { id, until }: Pick<DigestEvent, 'id' | 'until'>,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into event_digests (event_id, told_line, told_at) values (${id}, ${until}, ${toParameter(now)})
    on conflict (event_id) do update set told_line = excluded.told_line, told_at = excluded.told_at`.execute(
    transaction,
  );
}
