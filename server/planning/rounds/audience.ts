import { type Kysely, type RawBuilder, sql } from 'kysely';
import { HAS_ANSWERED } from '../guests/store.ts';
import type { Channel } from './channels.ts';
import { type Kind, mannerOf } from './kinds.ts';
import { type Moved, outdated, type Period, WHEN_AND_WHERE, type WhenAndWhere } from './told.ts';

/** Why a guest whom a round is meant for does not get it. */
export const LEFT_OUT = [
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
  'too_many',
] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

/** Of those, what another channel may mend. */
export const UNREACHED = ['no_email', 'no_phone', 'no_mobile'] as const satisfies readonly LeftOut[];

/** An event's time and place, and how they came to be so. */
export interface Story {
  now: WhenAndWhere;
  moves: Moved[];
}

export async function storyOf(db: Kysely<unknown>, eventId: string): Promise<Story> {
  const { rows } = await sql<{
    event_date: Date | null;
    venue_name: string;
    venue_address: string | null;
    moves: { at: string; changes: Moved['changes'] }[];
  }>`
    select event_date, venue_name, venue_address, (
      select coalesce(json_agg(json_build_object('at', at, 'changes', changes) order by history.id), '[]')
      from history
      where event_id = events.id and subject = 'event' and action = 'changed'
        and changes ?| ${sql.val([...WHEN_AND_WHERE])}::text[]
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
 * SQL for when a guest was last told of the time and place: by a mail of ours, by their answer (also one that the organizer
 * noted, or a list brought), or, of links that were sent by hand, when theirs was made. null: never.
 */
export const TOLD_AT = sql<Date | null>`
  greatest(
    guests.answered_at,
    coalesce(
      (select max(told_as_of) from round_guests where guest_id = guests.id),
      (select min(created_at) from guest_links where guest_id = guests.id)
    )
  )`;

/** What a guest is judged by, besides the kind of the round. */
export interface Judgement {
  /** Those who answered are meant too. */
  alsoAnswered: boolean;
  story: Story;
  channel: Pick<Channel, 'unreachable'>;
}

/** SQL for why a row of `guests` does not get a round of this kind; null: they get it. */
export function leftOut(kind: Kind, { alsoAnswered, story, channel }: Judgement): RawBuilder<LeftOut | null> {
  const { to, always } = mannerOf(kind);
  const byAnswer = alsoAnswered && !always ? [] : [WITHOUT[to]];
  return sql`
    case
      ${sql.join([...byAnswer, ...toldAlready(kind, story), sql``], sql` `)}
      ${channel.unreachable}
    end`;
}

const WITHOUT = {
  unanswered: sql`when ${HAS_ANSWERED} then 'answered'`,
  not_declined: sql`when guests.rsvp_status = 'declined' then 'declined'`,
  coming: sql`when guests.rsvp_status <> 'confirmed' then 'not_coming'`,
  all: sql``,
} as const;

function toldAlready(kind: Kind, { now, moves }: Story): RawBuilder<unknown>[] {
  if (kind === 'cancellation') {
    return [
      sql`when exists (
        select from round_guests join rounds on rounds.id = round_guests.round_id
        where round_guests.guest_id = guests.id and round_guests.status = 'written' and rounds.kind = 'cancellation'
      ) then 'told'`,
    ];
  }
  if (kind !== 'change') return [];
  return [
    sql`when ${TOLD_AT} is null then 'not_told_before'`,
    sql`when not ${within(outdated(now, moves))} then 'told'`,
  ];
}

function within(periods: readonly Period[]): RawBuilder<unknown> {
  return sql`exists (
    select from json_to_recordset(${JSON.stringify(periods)}::json) as outdated (since bigint, until bigint)
    where extract(epoch from ${TOLD_AT}) * 1000 >= since and extract(epoch from ${TOLD_AT}) * 1000 < until
  )`;
}
