import { type Kysely, sql } from 'kysely';
import { toParameter } from '../database/transaction.ts';
import { type Budget, DAY_MS } from './budget.ts';
import type { MailSender, Urgency } from './origin.ts';
import { isRefusedTooOften, JUDGED_MAILS, REFUSAL_LIMITS } from './refused-share.ts';

/** Reasons why a sender's mail is stopped. */
export const STOP_REASONS = ['refused', 'complaint', 'operator'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

const refusedOfNewest = sql`count(*)::integer as settled,
  count(*) filter (
    where newest.status = 'refused' and newest.problem ->> 'code' in ('refused', 'bounced')
  )::integer as refused`;

/**
 * Locks a sender's budget until the end of the transaction, so that mails are counted one transaction after another.
 */
export async function lockSender(transaction: Kysely<unknown>, sender: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mail ${sender}`}, 0))`.execute(transaction);
}

/** Reads the numbers on which a sender's mail budget depends. */
export async function readBudget(
  db: Kysely<unknown>,
  { id, since }: MailSender,
  perDay: number,
  now: Temporal.Instant,
): Promise<Budget> {
  const dayAgo = toParameter(now.subtract({ milliseconds: DAY_MS }));
  const timesOf = (urgencies: readonly Urgency[]) => sql`(
    select coalesce(array_agg(at order by at), '{}') from (
      select (extract(epoch from due_at) * 1000)::float8 as at from mails
      where sender = ${id} and due_at > ${dayAgo} and urgency = any(${[...urgencies]}::text[])
      order by due_at desc limit ${perDay}
    ) latest
  )`;
  const { rows } = await sql<Omit<Budget, 'perDay' | 'since'>>`
    select ${timesOf(['ordinary', 'requested'])} as taken, ${timesOf(['requested'])} as requested,
      (
        select count(*)::integer from mails
        where sender = ${id} and due_at > ${dayAgo} and urgency = 'service'
      ) as service`.execute(db);
  const [counted = { taken: [], requested: [], service: 0 }] = rows;
  return { perDay, since: since.epochMilliseconds, ...counted };
}

/** Reason why a sender's mail is stopped; undefined if it is not stopped. */
export async function stopReasonOf(db: Kysely<unknown>, sender: string): Promise<StopReason | undefined> {
  const { rows } = await sql<{ stopped_because: StopReason }>`
    select stopped_because from mail_senders where sender = ${sender} and stopped_at is not null`.execute(db);
  return rows[0]?.stopped_because;
}

/** Stops a sender's mail; their waiting mails stay in the queue. False if the mail is already stopped. */
export async function stopSender(
  db: Kysely<unknown>,
  sender: string,
  because: StopReason,
  now: Temporal.Instant,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into mail_senders (sender, stopped_at, stopped_because) values (${sender}, ${toParameter(now)}, ${because})
    on conflict (sender) do update set stopped_at = excluded.stopped_at, stopped_because = excluded.stopped_because
    where mail_senders.stopped_at is null`.execute(db);
  return numAffectedRows > 0n;
}

/** Allows a stopped sender to send mail again. False if the sender was not stopped. */
export async function releaseSender(
  db: Kysely<unknown>,
  sender: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update mail_senders set stopped_at = null, stopped_because = null, released_at = ${toParameter(now)}
    where sender = ${sender} and stopped_at is not null`.execute(db);
  return numAffectedRows > 0n;
}

/**
 * Called after a mail was refused for good: stops the mail of its sender if too many of their newest mails were
 * refused. Returns the stopped sender. Mails that visitors requested don't count: a stranger who types false addresses
 * can't stop anybody's mail.
 */
export async function judgeSender(
  db: Kysely<unknown>,
  mailId: string,
  now: Temporal.Instant,
): Promise<string | undefined> {
  const { rows } = await sql<{ sender: string; settled: number; refused: number }>`
    select refusing.sender, ${refusedOfNewest}
    from mails refusing
    left join mail_senders on mail_senders.sender = refusing.sender
    cross join lateral (
      select status, problem from mails
      where mails.sender = refusing.sender and mails.urgency <> 'requested' and settled_at is not null
        and settled_at > coalesce(released_at, '-infinity')
      order by settled_at desc limit ${JUDGED_MAILS}
    ) newest
    where refusing.id = ${mailId} and refusing.sender is not null and refusing.urgency <> 'requested'
    group by refusing.sender`.execute(db);
  const [judged] = rows;
  if (!judged || !isRefusedTooOften(judged, REFUSAL_LIMITS.sender)) return undefined;
  return (await stopSender(db, judged.sender, 'refused', now)) ? judged.sender : undefined;
}

/**
 * True if too many of the mails that visitors requested from this sender within a day were refused for good: mails that
 * one network requested (`network`, its fingerprint), or those of all visitors.
 */
export async function areVisitorsRefused(
  db: Kysely<unknown>,
  sender: string,
  now: Temporal.Instant,
  network?: string,
): Promise<boolean> {
  const dayAgo = toParameter(now.subtract({ milliseconds: DAY_MS }));
  const { rows } = await sql<{ settled: number; refused: number }>`
    select ${refusedOfNewest} from (
      select status, problem from mails
      where sender = ${sender} and urgency = 'requested' and settled_at > ${dayAgo}
        ${network === undefined ? sql`` : sql`and network = decode(${network}, 'hex')`}
      order by settled_at desc limit ${JUDGED_MAILS}
    ) newest`.execute(db);
  const limit = network === undefined ? REFUSAL_LIMITS.visitors : REFUSAL_LIMITS.network;
  return rows[0] !== undefined && isRefusedTooOften(rows[0], limit);
}

/** Organizer or user on whose behalf mails are sent, with the numbers of these mails. */
export interface SenderSummary {
  sender: string;
  /** Number of the sender's mails in the last day, and in the last 30 days. */
  day: number;
  month: number;
  /** Number of the mails of the last 30 days that mail servers refused for good. */
  refused: number;
  /** Number of mails in the queue that wait for their time, or for the operator to allow the sender's mail again. */
  waiting: number;
  stopped_because: StopReason | null;
  stopped_at: Date | null;
}

/**
 * Senders of mail, those with the most mails in the last day first; senders whose mail is stopped are always included.
 */
export async function listSenders(
  db: Kysely<unknown>,
  now: Temporal.Instant,
  most: number,
): Promise<SenderSummary[]> {
  const [day, month] = [1, 30].map((days) => toParameter(now.subtract({ hours: 24 * days })));
  const { rows } = await sql<SenderSummary>`
    select coalesce(sent.sender, stopped.sender) as sender, coalesce(day, 0) as day, coalesce(month, 0) as month,
      coalesce(refused, 0) as refused, coalesce(waiting, 0) as waiting, stopped_because, stopped_at
    from (
      select sender, count(*) filter (where due_at > ${day} and not waits)::integer as day, count(*) filter (where not waits)::integer as month,
        count(*) filter (where status = 'refused')::integer as refused,
        count(*) filter (where waits)::integer as waiting
      from mails where sender is not null and created_at > ${month} group by sender
    ) sent
    full join (select * from mail_senders where stopped_at is not null) stopped on stopped.sender = sent.sender
    order by stopped_at is null, day desc nulls last, month desc nulls last, sender limit ${most}`.execute(
    db,
  );
  return rows;
}

/** SQL condition for a mail (row of `mails`) that must wait because its sender is stopped. */
export const isHeld = sql<boolean>`(
  mails.urgency <> 'service' and exists (
    select from mail_senders where mail_senders.sender = mails.sender and stopped_at is not null
  )
)`;
