import { createHmac, hkdfSync } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { upsertInto } from '../../kernel/database/rows.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { emptyOf } from '../../kernel/field-types.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { hashOf } from '../answers/personal-links.ts';
import { type EventChecklist, listChecklists } from '../checklist/store.ts';
import { durationMinutes } from '../events/duration.ts';
import type { EventStatus } from '../events/lifecycle.ts';
import { EVENT_TITLE } from '../events/title.ts';
import { type DuePayment, listDuePayments } from '../vendors/due-payments.ts';
import type { CalendarFeed } from './contract.ts';
import { type FeedInput, feedFields } from './fields.ts';

export type FeedAddresses = ReturnType<typeof createFeedAddresses>;

/**
 * Secret addresses of calendar feeds. A token is 256 bits, derived from the server's secret and the organizer's id, so
 * it can be shown again; the database stores only its hash.
 */
export function createFeedAddresses(secret: string, publicUrl: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'simcha calendar feeds', 32));
  const tokenOf = (organizerId: string, linkVersion: number): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([organizerId, linkVersion]))
      .digest('base64url');
  return {
    hash: (organizerId: string, linkVersion: number): Buffer => hashOf(tokenOf(organizerId, linkVersion)),
    url: (organizerId: string, linkVersion: number): string =>
      `${publicUrl}/c/${tokenOf(organizerId, linkVersion)}.ics`,
  };
}

interface Row extends FeedInput {
  token_hash: string | null;
  link_version: number;
  version: number;
}

export interface StoredFeed {
  row: Row;
  feed: CalendarFeed;
  version: number;
}

const NONE: Row = { ...emptyOf(feedFields), token_hash: null, link_version: 0, version: 0 };

/**
 * Finds the caller's calendar feed; version 0 means they never had one. With `lock` its row is locked until the
 * transaction ends.
 */
export async function findFeed(
  db: Kysely<unknown>,
  addresses: FeedAddresses,
  { id }: Caller,
  lock = false,
): Promise<StoredFeed> {
  const { rows } = await sql<Row>`
    select language, payments, approvals, encode(token_hash, 'hex') as token_hash, link_version, version
    from calendar_feeds where organizer_id = ${id} ${lock ? sql`for update` : sql``}`.execute(db);
  const row = rows[0] ?? NONE;
  const { language, payments, approvals, link_version, version } = row;
  // If the server's secret has changed, the stored hash of the calendar feed's address no longer matches: the feed
  // counts as closed until it is opened again.
  const isOpen = row.token_hash === addresses.hash(id, link_version).toString('hex');
  const url = isOpen ? addresses.url(id, link_version) : null;
  return { row, feed: { url, language, payments, approvals }, version };
}

/** Opens the caller's calendar feed with these settings; `linkVersion` decides its secret address. */
export async function openFeed(
  transaction: Kysely<unknown>,
  addresses: FeedAddresses,
  { id, email }: Caller,
  { language, payments, approvals }: FeedInput,
  linkVersion: number,
  now: Temporal.Instant,
): Promise<void> {
  const row = {
    language,
    payments,
    approvals,
    email: email ?? null,
    token_hash: addresses.hash(id, linkVersion),
    link_version: linkVersion,
    updated_at: now,
  };
  await upsertInto('calendar_feeds', { organizer_id: id }, row).execute(transaction);
}

export async function closeFeed(
  transaction: Kysely<unknown>,
  { id }: Caller,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update calendar_feeds set token_hash = null, link_version = link_version + 1, updated_at = ${toParameter(now)}
    where organizer_id = ${id}`.execute(transaction);
}

export interface FeedEvent {
  id: string;
  title: string;
  event_date: Date;
  lasts_minutes: number;
  venue_name: string;
  venue_address: string | null;
  description: string | null;
  status: EventStatus;
  /** Number of times that the event was changed so far. Calendar programs keep the entry with the highest number. */
  sequence: number;
  updated_at: Date;
}

export interface FeedContents {
  language: LanguageName;
  events: FeedEvent[];
  payments: DuePayment[];
  checklists: EventChecklist[];
}

const MOST_EVENTS = 1_000;
const PAST_DAYS = 90;
const LONGEST_DESCRIPTION = 1_000;

/** Reads the contents of the calendar feed with this token in its address; undefined for an unknown token. */
export async function readFeed(
  db: Kysely<unknown>,
  token: string,
  now: Temporal.Instant,
): Promise<FeedContents | undefined> {
  const { rows } = await sql<{ organizer_id: string; email: string | null } & FeedInput>`
    select organizer_id, email, language, payments, approvals from calendar_feeds where token_hash = ${hashOf(token)}`.execute(
    db,
  );
  const [feed] = rows;
  if (!feed) return undefined;
  const owner = { id: feed.organizer_id, ...(feed.email !== null && { email: feed.email }) };
  const since = sql`events.event_date > ${toParameter(now.subtract({ hours: PAST_DAYS * 24 }))}`;
  const mine = sql`(
    select events.id, events.event_date from events
    where organizer_id = ${feed.organizer_id} and deleted_at is null and ${since}
    order by event_date limit ${MOST_EVENTS}
  )`;
  const shared = sql`(
    select events.id, events.event_date from co_organizers join events on events.id = co_organizers.event_id
    where co_organizers.email = ${feed.email} and events.organizer_id <> ${feed.organizer_id}
      and events.deleted_at is null and ${since}
    order by event_date limit ${MOST_EVENTS}
  )`;
  const eventIds = sql`(select id from (${mine} union all ${shared}) all_of_them order by event_date, id limit ${MOST_EVENTS})`;
  const events = await sql<FeedEvent>`
    select events.id, ${EVENT_TITLE} as title, events.event_date, ${durationMinutes} as lasts_minutes, events.venue_name,
      events.venue_address, left(events.description, ${LONGEST_DESCRIPTION}) as description, events.status,
      events.version + coalesce(invitation.version, 0) as sequence,
      greatest(events.updated_at, invitation.updated_at) as updated_at
    from events left join invitations invitation on invitation.event_id = events.id
    where events.id in ${eventIds} order by events.event_date, events.id`.execute(db);
  return {
    language: feed.language,
    events: events.rows,
    payments: feed.payments ? await listDuePayments(db, owner, eventIds, { after: longAgo(now) }) : [],
    checklists: feed.approvals ? await checklistsOf(db, eventIds, now) : [],
  };
}

/** Oldest due date of payments in a calendar feed; older unpaid ones are left out. */
function longAgo(now: Temporal.Instant): Temporal.PlainDate {
  return now.toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate().subtract({ days: PAST_DAYS });
}

/** Maximum number of checklists in a calendar feed: computing the due dates of one takes a quarter of a millisecond. */
const MOST_CHECKLISTS = 50;

/** Checklists of the next events in a calendar feed. Checklists that the organizer dismissed are left out. */
function checklistsOf(
  db: Kysely<unknown>,
  eventIds: RawBuilder<unknown>,
  now: Temporal.Instant,
): Promise<EventChecklist[]> {
  return listChecklists(
    db,
    sql`(
      select id from events
      where id in ${eventIds} and event_date > ${toParameter(now)} and status in ('draft', 'published')
        and not coalesce(compliance_dismissed, false)
      order by event_date, id limit ${MOST_CHECKLISTS}
    )`,
  );
}
