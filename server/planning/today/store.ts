import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import { isAnswer } from '../digest/store.ts';
import { BRINGS_UNALLOWED } from '../guests/store.ts';
import { type EventToday, NEW_DAYS } from './contract.ts';

type Answers = EventToday['answers'];

/** Maximum time between two requests for today's overview that count as the same visit of the organizer. */
const VISIT = { minutes: 30 };
/**
 * Safety margin for changes whose transaction began before the end of a visit and committed after it: they are shown as
 * new on the next visit.
 */
const UNDER_WAY = { seconds: 10 };

/** Time since which changes of events are new to an organizer. */
export async function findNewSince(
  db: Kysely<unknown>,
  organizerId: string,
  now: Temporal.Instant,
): Promise<Temporal.Instant> {
  const { rows } = await sql<{ since: Date }>`
    select case when seen_at < ${toParameter(now.subtract(VISIT))} then seen_at else since end as since
    from organizer_visits where organizer_id = ${organizerId}`.execute(db);
  const oldest = now.subtract({ hours: NEW_DAYS * 24 });
  const since = rows[0]?.since.toTemporalInstant() ?? oldest;
  return Temporal.Instant.compare(since, oldest) < 0 ? oldest : since;
}

/** Records that an organizer has opened the overview. Changes after the end of the previous visit are new. */
export async function recordVisit(
  db: Kysely<unknown>,
  organizerId: string,
  now: Temporal.Instant,
): Promise<void> {
  const seen = toParameter(now.subtract(UNDER_WAY));
  const first = toParameter(now.subtract({ hours: NEW_DAYS * 24 }));
  await sql`
    insert into organizer_visits as visit (organizer_id, seen_at, since) values (${organizerId}, ${seen}, ${first})
    on conflict (organizer_id) do update set
      since = case when visit.seen_at < ${toParameter(now.subtract(VISIT))} then visit.seen_at else visit.since end,
      seen_at = greatest(visit.seen_at, excluded.seen_at)`.execute(db);
}

/** Counts guests who answered the invitation after `since`, by event and by their present answer. */
export async function countAnswersSince(
  db: Kysely<unknown>,
  eventIds: RawBuilder<unknown>,
  since: Temporal.Instant,
): Promise<Map<string, Answers>> {
  const { rows } = await sql<Answers & { event_id: string }>`
    with told as (
      select distinct event_id, subject_id from history
      where event_id in ${eventIds} and ${isAnswer} and at > ${toParameter(since)}
    )
    select guests.event_id, count(*)::integer as guests,
      (count(*) filter (where rsvp_status = 'confirmed'))::integer as confirmed,
      coalesce(sum(greatest(coming, 1)) filter (where rsvp_status = 'confirmed'), 0)::integer as people,
      (count(*) filter (where maybe))::integer as maybe,
      (count(*) filter (where waiting_order is not null))::integer as waiting,
      (count(*) filter (where rsvp_status = 'declined'))::integer as declined
    from told join guests on guests.id = told.subject_id and guests.event_id = told.event_id
    group by guests.event_id`.execute(db);
  return new Map(rows.map(({ event_id, ...answers }) => [event_id, answers]));
}

/** Counts guests who come with more people than their invitation says, for each event. */
export async function countPlusOneGuests(
  db: Kysely<unknown>,
  eventIds: RawBuilder<unknown>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ event_id: string; guests: number }>`
    select guests.event_id, count(*)::integer as guests
    from event_tallies tally join guests on guests.event_id = tally.event_id
    where tally.event_id in ${eventIds} and tally.plus_ones > 0 and ${BRINGS_UNALLOWED}
    group by guests.event_id`.execute(db);
  return new Map(rows.map(({ event_id, guests }) => [event_id, guests]));
}

/** Counts requests to come that the organizer has not answered, for each event. */
export async function countGuestRequests(
  db: Kysely<unknown>,
  eventIds: RawBuilder<unknown>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ event_id: string; requests: number }>`
    select event_id, count(*)::integer as requests from guest_requests
    where event_id in ${eventIds} and status = 'waiting' group by event_id`.execute(db);
  return new Map(rows.map(({ event_id, requests }) => [event_id, requests]));
}
