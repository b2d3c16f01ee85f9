import { type Kysely, type RawBuilder, sql } from 'kysely';
import { parameter } from '../../kernel/database/transaction.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { Texts } from '../../kernel/texts/texts.ts';
import type { ChannelName } from './channels.ts';
import type { Kind } from './kinds.ts';

export interface UnfinishedRound {
  event_id: string;
  round_id: string;
  kind: Kind;
  channel: ChannelName;
  guests: number;
}

export interface WhatWasRefused {
  mail: Pick<Mail, 'refused'>;
  texts: Pick<Texts, 'refused'>;
}

/** Guests of those events whose last message since then did not arrive, and who have not answered since, by its round. */
export async function missedOf(
  db: Kysely<unknown>,
  { mail, texts }: WhatWasRefused,
  those: RawBuilder<unknown>,
  since: Temporal.Instant,
): Promise<UnfinishedRound[]> {
  const written = sql`
    round_guests meant join rounds round on round.id = meant.round_id
    where round.event_id in ${those} and round.begun_at > ${parameter(since)} and meant.status = 'written'`;
  const ids = sql`select meant.message_id from ${written} and meant.message_id is not null`;
  const refused = [...(await mail.refused(db, ids)), ...(await texts.refused(db, ids))];
  if (refused.length === 0) return [];
  const { rows } = await sql<UnfinishedRound>`
    select latest.event_id, round_id, kind, channel, count(*)::integer as guests
    from (
      select distinct on (meant.guest_id) meant.guest_id, meant.message_id, round.id as round_id, round.event_id,
        round.kind, round.channel, round.begun_at
      from ${written} order by meant.guest_id, round.id desc
    ) latest
    join guests on guests.id = latest.guest_id
    where message_id = any(${refused}::uuid[]) and coalesce(guests.answered_at < begun_at, true)
    group by latest.event_id, round_id, kind, channel order by round_id`.execute(db);
  return rows;
}

/** Rounds of those events by hand or by phone with guests whom nobody has told yet. */
export async function untoldOf(db: Kysely<unknown>, those: RawBuilder<unknown>): Promise<UnfinishedRound[]> {
  const { rows } = await sql<UnfinishedRound>`
    select round.event_id, round.id as round_id, round.kind, round.channel, count(*)::integer as guests
    from rounds round join round_guests meant on meant.round_id = round.id and meant.status = 'waiting'
    where round.event_id in ${those} and round.begun_at is not null and round.channel in ('by_hand', 'phone')
    group by round.id order by round.id`.execute(db);
  return rows;
}
