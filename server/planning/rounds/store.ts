import { type Kysely, type RawBuilder, sql } from 'kysely';
import { assignColumns, insertInto } from '../../kernel/database/rows.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import type { ByLanguage } from '../../kernel/field-types.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import type { Language, LanguageName } from '../../kernel/languages.ts';
import type { Page } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { searchCondition, selectionCondition, WAS_INVITED } from '../guests/store.ts';
import {
  findTimeAndPlaceHistory,
  LAST_NOTIFIED_AT,
  type LeftOutReason,
  leftOutReason,
  type TimeAndPlaceHistory,
  UNREACHABLE_REASONS,
} from './audience.ts';
import { type ChannelName, openChannel } from './channels.ts';
import type { Round, RoundFilter, RoundGuest, RoundGuestFilter } from './contract.ts';
import {
  type DeliveryReport,
  type DeliveryStatus,
  type DeliveryTally,
  findDeliveryReports,
  findDeliveryTallies,
  type MessageQueues,
} from './deliveries.ts';
import { includesAnswered, type NewRound, type RoundChanges } from './fields.ts';
import type { Hindrance, RoundKind } from './kinds.ts';
import { messages } from './messages.ts';

const MOST_A_DAY = 50;

/** Selection of the guests for a round, by ids and filter. */
export type AudienceChoice = Pick<NewRound, 'guest_ids' | 'filter'>;

/** Selection of the guests for a round, with the round's kind and channel, which decide who of them is left out. */
export type AudienceQuery = AudienceChoice & { kind: RoundKind; channel: ChannelName; automatic?: boolean };

interface Row {
  id: string;
  kind: RoundKind;
  channel: ChannelName;
  automatic: boolean;
  subject: ByLanguage | null;
  message: ByLanguage | null;
  send_at: Date | null;
  begun: boolean;
  called_off_because: Round['called_off_because'];
  version: number;
  created_at: Date;
  chosen: number;
  left_out: Partial<Record<LeftOutReason, number>>;
  unwritten: number;
  answered: number;
  /** Number of the round's messages that people have sent by hand. */
  sent_by_hand: number;
  /** Number of the round's messages that the server has sent. */
  written: number;
}

export interface FoundRound {
  round: Round;
  version: number;
}

/** Rounds of an event that match the conditions, the newest round first. */
export async function findRounds(
  db: Kysely<unknown>,
  post: MessageQueues,
  eventId: string,
  { only, filter, page }: { only?: string; filter?: RoundFilter; page?: Page },
): Promise<FoundRound[]> {
  const { rows } = await sql<Row>`
    select round.id, round.kind, round.channel, round.automatic, round.subject, round.message, round.send_at,
      round.begun_at is not null as begun, round.called_off_because, round.version, round.created_at,
      meant.*
    from (
      select * from rounds where ${matchingRounds(eventId, filter)} ${only ? sql`and id = ${only}` : sql``}
      order by id desc ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}
    ) round
    cross join lateral (
      select coalesce(sum(guests) filter (where status <> 'left_out'), 0)::integer as chosen,
        coalesce(sum(guests) filter (where status = 'waiting'), 0)::integer as unwritten,
        coalesce(sum(answered) filter (where status <> 'left_out'), 0)::integer as answered,
        coalesce(sum(sent_by_hand), 0)::integer as sent_by_hand,
        coalesce(sum(written), 0)::integer as written,
        coalesce(json_object_agg(left_out, guests) filter (where left_out is not null), '{}') as left_out
      from (
        select status, left_out, count(*) as guests, count(sent_at) as sent_by_hand, count(message_id) as written,
          count(*) filter (where guests.answered_at >= round.begun_at) as answered
        from round_guests left join guests on guests.id = guest_id and guests.event_id = ${eventId}
        where round_id = round.id group by status, left_out
      ) by_status
    ) meant
    order by round.id desc`.execute(db);
  const tallies = await findDeliveryTallies(db, post, rows);
  return rows.map((row) => ({ round: toRound(row, tallies.get(row.id) ?? {}), version: row.version }));
}

export async function countRounds(
  db: Kysely<unknown>,
  eventId: string,
  filter: RoundFilter,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from rounds where ${matchingRounds(eventId, filter)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Fields of a round that never change; reading them needs no counting of guests. */
export type RoundBasics = Pick<Round, 'id' | 'kind' | 'channel'>;

export async function findRoundBasics(
  db: Kysely<unknown>,
  eventId: string,
  id: string,
): Promise<RoundBasics> {
  const { rows } = isUuid(id)
    ? await sql<RoundBasics>`
        select id, kind, channel from rounds where id = ${id} and event_id = ${eventId}`.execute(db)
    : { rows: [] };
  if (!rows[0]) throw noSuchRound();
  return rows[0];
}

export async function findRound(
  db: Kysely<unknown>,
  post: MessageQueues,
  eventId: string,
  id: string,
): Promise<FoundRound> {
  const [found] = isUuid(id) ? await findRounds(db, post, eventId, { only: id }) : [];
  if (!found) throw noSuchRound();
  return found;
}

function noSuchRound(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchRound);
}

function matchingRounds(
  eventId: string,
  { kind, automatic }: Partial<RoundFilter> = {},
): RawBuilder<unknown> {
  return sql`event_id = ${eventId}
    ${kind ? sql`and kind = any(${kind}::text[])` : sql``}
    ${automatic === undefined ? sql`` : sql`and automatic = ${automatic}`}`;
}

/** Adds a round and returns its id. `selectGuests` selects the guests, now or when the round begins. */
export async function addRound(
  transaction: Kysely<unknown>,
  eventId: string,
  { kind, channel, subject, message, send_at, ...round }: NewRound & { automatic?: true },
  now: Temporal.Instant,
): Promise<string> {
  const id = newId();
  const choice: AudienceChoice = { guest_ids: round.guest_ids, filter: round.filter };
  const row = {
    id,
    event_id: eventId,
    kind,
    channel,
    automatic: round.automatic ?? false,
    subject: json(subject),
    message: json(message),
    also_answered: includesAnswered(round),
    choice: send_at ? json(choice) : null,
    send_at,
    begun_at: send_at ? null : now,
    created_at: now,
    updated_at: now,
  };
  await insertInto('rounds', row).execute(transaction);
  return id;
}

/** Stores a row for each guest in a round's audience, with the reason for those who are left out. */
export async function selectGuests(
  transaction: Kysely<unknown>,
  eventId: string,
  roundId: string,
  aim: AudienceQuery,
): Promise<void> {
  const story = await findTimeAndPlaceHistory(transaction, eventId);
  await sql`
    insert into round_guests (round_id, guest_id, status, left_out)
    select ${roundId}::uuid, id, case when why is null then 'waiting' else 'left_out' end, why
    from (${await audienceOf(transaction, eventId, aim, story)}) judged`.execute(transaction);
}

/** Removes the guests whom a round's channel can't reach from the round; returns their ids. */
export async function removeUnreachable(transaction: Kysely<unknown>, roundId: string): Promise<string[]> {
  const { rows } = await sql<{ guest_id: string }>`
    delete from round_guests where round_id = ${roundId} and left_out = any(${[...UNREACHABLE_REASONS]}::text[])
    returning guest_id`.execute(transaction);
  return rows.map(({ guest_id }) => guest_id);
}

/** Removes a round if it has no guests; true if the round was removed. */
export async function removeRoundIfEmpty(transaction: Kysely<unknown>, roundId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from rounds where id = ${roundId} and not exists (select from round_guests where round_id = rounds.id)`.execute(
    transaction,
  );
  return numAffectedRows > 0n;
}

/** SQL for the guests in a round's audience, each with the reason for being left out (`why`) or null. */
async function audienceOf(
  db: Kysely<unknown>,
  eventId: string,
  { kind, channel, guest_ids, filter, automatic = false }: AudienceQuery,
  story: TimeAndPlaceHistory,
): Promise<RawBuilder<unknown>> {
  const alsoAnswered = includesAnswered({ filter });
  const why = leftOutReason(kind, {
    alsoAnswered,
    automatic,
    story,
    channel: await openChannel(db, eventId, channel),
  });
  return sql`
    select guests.*, ${why} as why from guests
    where ${selectionCondition(eventId, { guest_ids, filter })}`;
}

/** Round that is scheduled and has not begun, with its row locked. */
export interface ScheduledRound {
  kind: RoundKind;
  channel: ChannelName;
  subject: ByLanguage | null;
  message: ByLanguage | null;
  send_at: string;
  version: number;
  choice: AudienceChoice;
}

/** Finds and locks a scheduled round; undefined if it does not exist, has begun or was cancelled. */
export async function lockScheduledRound(
  transaction: Kysely<unknown>,
  eventId: string,
  id: string,
): Promise<ScheduledRound | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<Omit<ScheduledRound, 'send_at'> & { send_at: Date }>`
    select kind, channel, subject, message, send_at, version, choice from rounds
    where id = ${id} and event_id = ${eventId} and begun_at is null and called_off_at is null
    for update`.execute(transaction);
  return rows[0] && { ...rows[0], send_at: rows[0].send_at.toISOString() };
}

export async function changeRound(
  transaction: Kysely<unknown>,
  id: string,
  { send_at, ...words }: RoundChanges,
  now: Temporal.Instant,
): Promise<void> {
  const texts = Object.fromEntries(Object.entries(words).map(([field, text]) => [field, json(text)]));
  const set = assignColumns({ ...texts, ...(send_at && { send_at }), updated_at: now });
  await sql`update rounds set ${set} where id = ${id}`.execute(transaction);
}

export async function cancelRound(
  transaction: Kysely<unknown>,
  id: string,
  because: 'organizer' | Hindrance,
  now: Temporal.Instant,
): Promise<void> {
  const set = assignColumns({
    called_off_at: now,
    called_off_because: because,
    choice: null,
    updated_at: now,
  });
  await sql`update rounds set ${set} where id = ${id}`.execute(transaction);
}

/** Begins a scheduled round. From now on the guests of the round are fixed. */
export async function beginRound(
  transaction: Kysely<unknown>,
  eventId: string,
  id: string,
  { kind, channel, choice }: ScheduledRound,
  now: Temporal.Instant,
): Promise<void> {
  await selectGuests(transaction, eventId, id, { kind, channel, ...choice });
  await sql`update rounds set ${assignColumns({ begun_at: now, choice: null, updated_at: now })} where id = ${id}`.execute(
    transaction,
  );
}

/** Message of a round to one guest, or the reason why the guest gets none. */
interface MessageRecord {
  channel: ChannelName;
  status: 'waiting' | 'written' | 'left_out';
  message_ids: string[];
  is_by_hand: boolean;
}

const messageColumns = sql`round.channel, meant.status, array_remove(array[meant.message_id], null) as message_ids,
  meant.sent_at is not null as is_by_hand`;

/** Page of the guests of a round that match the filter, each with the delivery status of the message. */
export async function listRoundGuests(
  db: Kysely<unknown>,
  post: MessageQueues,
  { eventId, roundId }: { eventId: string; roundId: string },
  { filter, page: { limit, offset } }: { filter: RoundGuestFilter; page: Page },
  language: Language,
): Promise<{ guests: RoundGuest[]; total: number }> {
  const { search, delivery: statuses } = filter;
  const found = sql`round_guests meant
    join rounds round on round.id = meant.round_id
    join guests on guests.id = meant.guest_id and guests.event_id = ${eventId}
    where meant.round_id = ${roundId} ${search === undefined ? sql`` : sql`and ${searchCondition({ id: eventId, contacts: true }, search)}`}`;
  const meant = statuses
    ? sql`${found} and meant.guest_id = any(${await guestsWithDelivery(db, post, found, statuses)})`
    : found;
  const { rows } = await sql<
    Omit<RoundGuest, 'delivery' | 'problem' | 'problem_code' | 'waits_until' | 'call_at'> &
      MessageRecord & { call_at: Date | null }
  >`
    select meant.guest_id, guests.name, guests.email, guests.phone, ${messageColumns}, meant.left_out,
      meant.tries, meant.outcome, meant.call_at,
      coalesce(guests.answered_at >= round.begun_at, false) as answered
    from ${meant}
    order by guests.search, guests.id limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*)::integer as total from ${meant}`.execute(db);
  const deliveries = await findDeliveryReports(db, post, rows);
  const guests = rows.map((row): RoundGuest => {
    const { channel: _, status: __, message_ids: ___, is_by_hand: ____, call_at, ...guest } = row;
    const { delivery, problem, waits_until } = deliveryOf(row, deliveries);
    return {
      ...guest,
      call_at: call_at?.toISOString() ?? null,
      delivery,
      waits_until,
      problem: problem?.say(language) ?? null,
      problem_code: problem?.code ?? null,
    };
  });
  return { guests, total: counted.rows[0]?.total ?? 0 };
}

/**
 * SQL for the ids of the found guests whose message has one of these delivery statuses, which are stored in the queues
 * of mails and texts.
 */
async function guestsWithDelivery(
  db: Kysely<unknown>,
  post: MessageQueues,
  found: RawBuilder<unknown>,
  statuses: readonly RoundGuest['delivery'][],
): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<MessageRecord & { id: string }>`
    select meant.guest_id as id, ${messageColumns} from ${found}`.execute(db);
  const deliveries = await findDeliveryReports(db, post, rows);
  const ids = rows
    .filter((row) => statuses.includes(deliveryOf(row, deliveries).delivery))
    .map(({ id }) => id);
  return sql`${ids}::uuid[]`;
}

function deliveryOf(
  { status, message_ids: [messageId = ''], is_by_hand }: MessageRecord,
  deliveries: ReadonlyMap<string, DeliveryReport>,
): Pick<DeliveryReport, 'problem' | 'waits_until'> & Pick<RoundGuest, 'delivery'> {
  const { delivery, problem, waits_until } = is_by_hand ? BY_HAND : (deliveries.get(messageId) ?? NO_REPORT);
  return { delivery: status === 'written' ? delivery : status, problem, waits_until };
}

/** Status of a message sent by hand: it counts as sent, because the person who sent it said so. */
const BY_HAND: DeliveryReport = { delivery: 'sent', problem: null, waits_until: null };
const NO_REPORT: DeliveryReport = { delivery: 'unknown', problem: null, waits_until: null };

/**
 * Result of a round's dry run: a page of its guests, the number of guests left out by reason, and the first guest in
 * each language.
 */
export interface DryRunResult {
  page: {
    guest_id: string;
    name: string;
    email: string | null;
    phone: string | null;
    language: LanguageName;
    left_out: LeftOutReason | null;
  }[];
  leftOut: Partial<Record<LeftOutReason, number>>;
  total: number;
  chosen: number;
  /**
   * Number of selected guests who got no message before, so that a reminder would be their first; 0 for other kinds.
   */
  neverNotified: number;
  /**
   * Number of guests for whom an invitation would not be the first; 0 for other kinds, and if the organizer chose guests
   * one by one or by having been invited.
   */
  invitedBefore: number;
  byLanguage: { language: LanguageName; guests: number; first: string }[];
}

const NEVER_NOTIFIED_COUNT = sql`(
  select count(*)::integer from guests where id in (select id from meant where why is null) and ${LAST_NOTIFIED_AT} is null
)`;

const INVITED_BEFORE_COUNT = sql`(
  select count(*)::integer from guests where id in (select id from meant where why is null) and ${WAS_INVITED}
)`;

/** True if the organizer may not know that an invitation goes to guests who were invited before. */
function mayInviteAgain({ kind, guest_ids, filter }: AudienceQuery): boolean {
  return kind === 'invitation' && guest_ids === undefined && filter.invited === undefined;
}

export async function dryRunRound(
  db: Kysely<unknown>,
  eventId: string,
  aim: AudienceQuery,
  story: TimeAndPlaceHistory,
  { limit, offset }: Page,
): Promise<DryRunResult> {
  const { rows } = await sql<{
    page: DryRunResult['page'];
    left_out: DryRunResult['leftOut'];
    total: number;
    chosen: number;
    never_notified: number;
    invited_before: number;
    by_language: DryRunResult['byLanguage'];
  }>`
    with meant as materialized (
      select meant.id, meant.name, meant.email, meant.phone, meant.search, meant.why,
        coalesce(meant.language, events.language_pref) as language
      from (${await audienceOf(db, eventId, aim, story)}) meant join events on events.id = meant.event_id
    )
    select
      (select count(*)::integer from meant) as total,
      (select count(*)::integer from meant where why is null) as chosen,
      ${aim.kind === 'reminder' ? NEVER_NOTIFIED_COUNT : sql`0`} as never_notified,
      ${mayInviteAgain(aim) ? INVITED_BEFORE_COUNT : sql`0`} as invited_before,
      (
        select coalesce(json_object_agg(why, guests), '{}')
        from (select why, count(*)::integer as guests from meant where why is not null group by why) reasons
      ) as left_out,
      (
        select coalesce(json_agg(json_build_object('language', language, 'guests', guests, 'first', first)), '[]')
        from (
          select language, count(*)::integer as guests, (array_agg(id order by search, id))[1] as first
          from meant where why is null group by language
        ) languages
      ) as by_language,
      (
        select coalesce(json_agg(json_build_object(
          'guest_id', id, 'name', name, 'email', email, 'phone', phone, 'language', language, 'left_out', why
        )), '[]')
        from (select * from meant order by search, id limit ${limit} offset ${offset}) shown
      ) as page`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a count without a row');
  const { page, total, chosen, never_notified: neverNotified, invited_before: invitedBefore } = row;
  const counts = { total, chosen, neverNotified, invitedBefore };
  return { ...counts, page, leftOut: row.left_out, byLanguage: row.by_language };
}

export async function refuseTooManyRounds(
  transaction: Kysely<unknown>,
  eventId: string,
  now: Temporal.Instant,
): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from rounds
    where event_id = ${eventId} and not automatic and created_at > ${toParameter(now.subtract({ hours: 24 }))}`.execute(
    transaction,
  );
  if ((rows[0]?.count ?? 0) >= MOST_A_DAY) {
    throw new Refusal(429, 'too_many_requests', messages.tooMany, {
      headers: { 'retry-after': '3600' },
    });
  }
}

function toRound(row: Row, tally: DeliveryTally): Round {
  const { written, sent_by_hand, unwritten, created_at, send_at, begun, version: _, ...round } = row;
  const count = (...meant: DeliveryStatus[]) => meant.reduce((sum, one) => sum + (tally[one] ?? 0), 0);
  const waiting = unwritten + count('waiting');
  return {
    ...round,
    state: stateOf(row, waiting),
    send_at: send_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    waiting,
    sent: count('sent', 'delivered', 'read') + sent_by_hand,
    delivered: count('delivered', 'read'),
    read: count('read'),
    bounced: count('bounced'),
    unknown: written - count('waiting', 'sent', 'delivered', 'read', 'bounced'),
  };
}

function stateOf({ begun, called_off_because }: Row, waiting: number): Round['state'] {
  if (called_off_because) return 'called_off';
  if (!begun) return 'scheduled';
  return waiting > 0 ? 'sending' : 'sent';
}

function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
