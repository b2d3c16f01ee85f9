import { type Kysely, type RawBuilder, sql } from 'kysely';
import { HAS_ANSWERED } from '../guests/store.ts';
import type { Channel } from './channels.ts';
import { isAutomaticKind, type RoundKind, rulesOfKind } from './kinds.ts';
import {
  outdatedPeriods,
  type Period,
  TIME_AND_PLACE_FIELDS,
  type TimeAndPlace,
  type TimeAndPlaceChange,
} from './time-and-place.ts';

/** Reasons why a guest in a round's audience does not get its message. */
export const LEFT_OUT_REASONS = [
  'answered',
  'declined',
  'not_coming',
  'told',
  'not_told_before',
  'no_email',
  'no_phone',
  'no_mobile',
  'wrong_number',
  'unsubscribed',
  'not_now',
  'erased',
  'too_many',
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** Reasons why a round's channel can't reach a guest whom another channel may reach. */
export const UNREACHABLE_REASONS = [
  'no_email',
  'no_phone',
  'no_mobile',
] as const satisfies readonly LeftOutReason[];

/**
 * SQL condition that is true if a round's message did not reach a guest (row `missed` of `round_guests`), so that the
 * guest may be notified in another way.
 */
export const WAS_MISSED = sql<boolean>`missed.left_out = any(${[...UNREACHABLE_REASONS, 'unsubscribed']}::text[])`;

/** Present time and place of an event, and all changes of them. */
export interface TimeAndPlaceHistory {
  now: TimeAndPlace;
  moves: TimeAndPlaceChange[];
}

export async function findTimeAndPlaceHistory(
  db: Kysely<unknown>,
  eventId: string,
): Promise<TimeAndPlaceHistory> {
  const { rows } = await sql<{
    event_date: Date | null;
    venue_name: string;
    venue_address: string | null;
    moves: { at: string; changes: TimeAndPlaceChange['changes'] }[];
  }>`
    select event_date, venue_name, venue_address, (
      select coalesce(json_agg(json_build_object('at', at, 'changes', changes) order by history.id), '[]')
      from history
      where event_id = events.id and subject = 'event' and action = 'changed'
        and changes ?| ${sql.val([...TIME_AND_PLACE_FIELDS])}::text[]
    ) as moves
    from events where id = ${eventId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the event is gone');
  const { moves, event_date, ...place } = row;
  return {
    now: { ...place, event_date: event_date?.toISOString() ?? null },
    moves: moves.map(({ at, changes }) => ({ at: Date.parse(at), changes })),
  };
}

/**
 * SQL for the time when a guest last learned the event's time and place; null if never. Sources: our messages; their
 * answer (also one entered by the organizer or imported with a list); else the creation of their link, for links that
 * the organizer sent by hand.
 */
export const LAST_NOTIFIED_AT = sql<Date | null>`
  greatest(
    guests.answered_at,
    coalesce(
      (select max(told_as_of) from round_guests where guest_id = guests.id),
      (select min(created_at) from guest_links where guest_id = guests.id)
    )
  )`;

/** Criteria that decide, together with the kind of the round, which guests get the round's message. */
export interface AudienceCriteria {
  /** True if guests who have already answered the invitation get the message too. */
  alsoAnswered: boolean;
  /** True for a round that the server sends by itself. */
  automatic: boolean;
  story: TimeAndPlaceHistory;
  channel: Pick<Channel, 'unreachable'>;
}

/** SQL for the reason why a guest (row of `guests`) does not get a round of this kind; null if they get it. */
export function leftOutReason(
  kind: RoundKind,
  { alsoAnswered, automatic, story, channel }: AudienceCriteria,
): RawBuilder<LeftOutReason | null> {
  const { to, always } = rulesOfKind(kind);
  const byAnswer = alsoAnswered && !always ? [] : [LEFT_OUT_BY_ANSWER[to]];
  const byItself = isAutomaticKind(kind) && !automatic ? [unlessMissed(kind)] : [];
  return sql`
    case
      ${sql.join([...byAnswer, ...byItself, ...alreadyNotified(kind, story, alsoAnswered), sql``], sql` `)}
      ${channel.unreachable}
    end`;
}

const LEFT_OUT_BY_ANSWER = {
  unanswered: sql`when ${HAS_ANSWERED} then 'answered'`,
  not_declined: sql`when guests.rsvp_status = 'declined' then 'declined'`,
  coming: sql`when guests.rsvp_status <> 'confirmed' then 'not_coming'`,
  all: sql``,
} as const;

/**
 * For a round of this kind that repeats an automatic message, leaves out all guests but those whom an automatic message
 * did not reach, and whom no later message of the kind reached.
 */
function unlessMissed(kind: RoundKind): RawBuilder<unknown> {
  return sql`when not exists (
    select from round_guests missed join rounds on rounds.id = missed.round_id
    where missed.guest_id = guests.id and rounds.kind = ${kind} and rounds.automatic and ${WAS_MISSED} and not exists (
      select from round_guests since join rounds later on later.id = since.round_id
      where since.guest_id = guests.id and later.kind = ${kind} and since.status = 'written' and later.id > rounds.id
    )
  ) then 'told'`;
}

const NEVER_NOTIFIED = sql`when ${LAST_NOTIFIED_AT} is null then 'not_told_before'`;

function alreadyNotified(
  kind: RoundKind,
  { now, moves }: TimeAndPlaceHistory,
  alsoAnswered: boolean,
): RawBuilder<unknown>[] {
  if (kind === 'cancellation') {
    return [
      sql`when exists (
        select from round_guests join rounds on rounds.id = round_guests.round_id
        where round_guests.guest_id = guests.id and round_guests.status = 'written' and rounds.kind = 'cancellation'
      ) then 'told'`,
      // Guests who got no message that the server knows of are left out, unless the organizer filters guests by
      // answers: they may have been invited on paper.
      ...(alsoAnswered ? [] : [NEVER_NOTIFIED]),
    ];
  }
  if (kind !== 'change') return [];
  return [NEVER_NOTIFIED, sql`when not ${within(outdatedPeriods(now, moves))} then 'told'`];
}

function within(periods: readonly Period[]): RawBuilder<unknown> {
  return sql`exists (
    select from json_to_recordset(${JSON.stringify(periods)}::json) as outdated (since bigint, until bigint)
    where extract(epoch from ${LAST_NOTIFIED_AT}) * 1000 >= since and extract(epoch from ${LAST_NOTIFIED_AT}) * 1000 < until
  )`;
}
