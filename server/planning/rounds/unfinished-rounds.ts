import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { Texts } from '../../kernel/texts/texts.ts';
import type { ChannelName } from './channels.ts';
import type { RoundKind } from './kinds.ts';
import { messageKeyPrefix, parseMessageKey } from './message-keys.ts';

export interface UnfinishedRound {
  event_id: string;
  round_id: string;
  kind: RoundKind;
  channel: ChannelName;
  guests: number;
}

export interface RefusedMessages {
  mail: Pick<Mail, 'refused'>;
  texts: Pick<Texts, 'refused'>;
}

/**
 * Counts, by round, the guests whose last message did not arrive and who have not answered since. It counts the events
 * in `eventIds` and messages after `since`.
 */
export async function countMissedGuests(
  db: Kysely<unknown>,
  { mail, texts }: RefusedMessages,
  eventIds: RawBuilder<unknown>,
  since: Temporal.Instant,
): Promise<UnfinishedRound[]> {
  const keys = sql`
    select ${messageKeyPrefix(sql`id`)} as start from rounds
    where event_id in ${eventIds} and begun_at > ${toParameter(since)}`;
  const refused = [...(await mail.refused(db, keys)), ...(await texts.refused(db, keys))];
  if (refused.length === 0) return [];
  const messages = refused.map(({ id, key }) => ({ id, ...parseMessageKey(key) }));
  const { rows } = await sql<UnfinishedRound>`
    select round.event_id, round.id as round_id, round.kind, round.channel, count(*)::integer as guests
    from json_to_recordset(${JSON.stringify(messages)}::json) as refused (id uuid, round_id uuid, guest_id uuid)
    join round_guests missed on missed.round_id = refused.round_id and missed.guest_id = refused.guest_id
      and missed.message_id = refused.id
    join rounds round on round.id = missed.round_id
    join guests on guests.id = missed.guest_id
    where coalesce(guests.answered_at < round.begun_at, true) and not exists (
      select from round_guests since join rounds later on later.id = since.round_id
      where since.guest_id = missed.guest_id and since.status = 'written' and later.id > round.id
    )
    group by round.id order by round.id`.execute(db);
  return rows;
}

/** Rounds by hand and by phone, of the events in `eventIds`, with guests who have not been contacted yet. */
export async function countWaitingGuests(
  db: Kysely<unknown>,
  eventIds: RawBuilder<unknown>,
): Promise<UnfinishedRound[]> {
  const { rows } = await sql<UnfinishedRound>`
    select round.event_id, round.id as round_id, round.kind, round.channel, waiting.guests
    from rounds round cross join lateral (
      select count(*)::integer as guests from round_guests
      where round_id = round.id and status = 'waiting'
    ) waiting
    where round.event_id in ${eventIds} and round.begun_at is not null and round.channel in ('by_hand', 'phone')
      and waiting.guests > 0
    order by round.id`.execute(db);
  return rows;
}
