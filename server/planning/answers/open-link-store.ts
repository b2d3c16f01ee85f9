import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { inTransaction, parameter } from '../../kernel/database/transaction.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import type { Page } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { recordChange } from '../../kernel/writes/history.ts';
import { authorOf, readableEvent, writableEvent } from '../events/access.ts';
import type { Guest } from '../guests/contract.ts';
import { type Details, NO_DETAILS } from '../guests/input.ts';
import { applyToGuest, findGuest, guestColumns, present, seatOf } from '../guests/store.ts';
import type { GuestRequest } from './contract.ts';
import { messages } from './messages.ts';
import type { Asker } from './open-link-input.ts';
import { moveUp, readHall, seatFor, UNANSWERED } from './seating.ts';
import { type InvitedEvent, invitedEvent, withDates } from './store.ts';

/** Requests that wait at the same time, over an event: past it the open link takes no more. */
const MOST_WAITING = 5_000;

type Row = Omit<GuestRequest, 'created_at' | 'decided_at'> & { created_at: Date; decided_at: Date | null };

const requestColumns = sql`
  id, name, phone, email, language, coming, message, status, guest_id, created_at, decided_at`;

export type OpenLinkStore = ReturnType<typeof createOpenLinkStore>;

/** What the open link takes in and the organizer decides about. */
export function createOpenLinkStore(db: Kysely<unknown>) {
  return {
    /** The event whose open link it is, while the link is open. */
    async find(slug: string): Promise<InvitedEvent | undefined> {
      const { rows } = await sql<{ event: InvitedEvent }>`
        select ${invitedEvent} as event
        from rsvp_settings settings
        join events on events.id = settings.event_id and events.deleted_at is null and events.status <> 'cancelled'
        where settings.slug = ${slug.toWellFormed().replaceAll('\0', '')} and settings.open`.execute(db);
      return rows[0] && withDates(rows[0].event);
    },

    /** Keeps a request; one that waits already from the same phone or address is replaced. */
    async ask(event: InvitedEvent, asker: Asker, now: Temporal.Instant): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await sql`select id from events where id = ${event.id} for update`.execute(transaction);
        const { rows } = await sql<{ id: string }>`
          delete from guest_requests
          where event_id = ${event.id} and status = 'waiting' and (phone = ${asker.phone} or email = ${asker.email})
          returning id`.execute(transaction);
        const { numAffectedRows = 0n } = await sql`
          insert into guest_requests (id, event_id, name, phone, email, language, coming, message, created_at)
          select ${rows[0]?.id ?? newId()}::uuid, ${event.id}::uuid, ${asker.name}, ${asker.phone}, ${asker.email},
            ${asker.language}, ${asker.coming}, ${asker.message}, ${parameter(now)}::timestamptz
          where (
            select count(*) from guest_requests where event_id = ${event.id} and status = 'waiting'
          ) < ${MOST_WAITING}`.execute(transaction);
        if (numAffectedRows === 0n) throw new Refusal(429, 'too_many_requests', messages.tooManyRequests);
      });
    },

    async list(
      caller: Caller,
      eventId: string,
      status: GuestRequest['status'] | undefined,
      { limit, offset }: Page,
    ): Promise<{ requests: GuestRequest[]; total: number }> {
      const event = await readableEvent(db, caller, eventId);
      const matching = sql`event_id = ${event.id} ${status ? sql`and status = ${status}` : sql``}`;
      const { rows } = await sql<Row & { total: number }>`
        select counted.total, page.*
        from (select count(*)::integer as total from guest_requests where ${matching}) counted
        left join lateral (
          select ${requestColumns} from guest_requests where ${matching} order by id limit ${limit} offset ${offset}
        ) page on true
        order by page.id`.execute(db);
      const requests = rows.filter(({ id }) => id !== null).map(({ total: _, ...row }) => shown(row));
      return { requests, total: rows[0]?.total ?? 0 };
    },

    /** Makes a guest of a request, or an answer of a guest who is on the list already. */
    accept(
      caller: Caller,
      eventId: string,
      requestId: string,
      now: Temporal.Instant,
      through: Kysely<unknown> = db,
    ): Promise<{ request: GuestRequest; guest: Guest }> {
      return inTransaction(through, async (transaction) => {
        const event = await writableEvent(transaction, caller, eventId);
        const asked = await undecided(transaction, event.id, requestId);
        const guest =
          (await answerOfKnown(transaction, event.id, asked, now)) ??
          (await newGuest(transaction, event.id, asked, now));
        const request = await decide(transaction, asked.id, 'accepted', now, guest.id);
        await recordChange(transaction, {
          event_id: event.id,
          at: now,
          by: authorOf(caller),
          subject: 'guest',
          subject_id: guest.id,
          action: 'accepted',
        });
        return { request, guest };
      });
    },

    decline(
      caller: Caller,
      eventId: string,
      requestId: string,
      now: Temporal.Instant,
      through: Kysely<unknown> = db,
    ): Promise<GuestRequest> {
      return inTransaction(through, async (transaction) => {
        const event = await writableEvent(transaction, caller, eventId);
        const asked = await undecided(transaction, event.id, requestId);
        return decide(transaction, asked.id, 'declined', now, null);
      });
    },
  };
}

async function undecided(
  transaction: Kysely<unknown>,
  eventId: string,
  requestId: string,
): Promise<GuestRequest> {
  const { rows } = isUuid(requestId)
    ? await sql<Row>`
        select ${requestColumns} from guest_requests where id = ${requestId} and event_id = ${eventId}`.execute(
        transaction,
      )
    : { rows: [] };
  if (!rows[0]) throw new Refusal(404, 'not_found', messages.noSuchRequest);
  if (rows[0].status !== 'waiting') throw new Refusal(409, 'decided', messages.requestDecided);
  return shown(rows[0]);
}

async function answerOfKnown(
  transaction: Kysely<unknown>,
  eventId: string,
  { phone, email, coming, message }: GuestRequest,
  now: Temporal.Instant,
): Promise<Guest | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from guests where event_id = ${eventId} and (phone = ${phone} or email = ${email})
    order by (phone = ${phone}) desc nulls last limit 1`.execute(transaction);
  const found = rows[0] && (await findGuest(transaction, eventId, rows[0].id));
  if (!found) return undefined;
  const stored = { ...found.guest, ...(await seatOf(transaction, found.guest)) };
  const input = {
    details: message ? { message } : {},
    wish: { rsvp_status: 'confirmed' as const, coming },
  };
  const { changed, freed } = await applyToGuest(transaction, stored, input, 'open_link', now);
  if (freed) await moveUp(transaction, eventId, now);
  return changed.guest;
}

async function newGuest(
  transaction: Kysely<unknown>,
  eventId: string,
  { name, phone, email, language, coming, message }: GuestRequest,
  now: Temporal.Instant,
): Promise<Guest> {
  // By accepting, the organizer invites as many as asked.
  const details: Details = { ...NO_DETAILS, name, phone, email, language, message, party_size: coming };
  const hall = await readHall(transaction, eventId);
  const seat = seatFor(UNANSWERED, { rsvp_status: 'confirmed', coming }, coming, hall, now);
  const row = {
    id: newId(),
    event_id: eventId,
    ...details,
    ...seat,
    answered_at: now,
    answered_via: 'open_link',
    created_at: now,
    updated_at: now,
  };
  const { rows } = await sql<Parameters<typeof present>[0]>`
    insert into guests (${sql.join(Object.keys(row).map((column) => sql.ref(column)))})
    values (${sql.join(Object.values(row).map(parameter))})
    returning ${guestColumns}`.execute(transaction);
  if (!rows[0]) throw new Error('insert returned no row');
  return present(rows[0]).guest;
}

async function decide(
  transaction: Kysely<unknown>,
  id: string,
  status: 'accepted' | 'declined',
  now: Temporal.Instant,
  guestId: string | null,
): Promise<GuestRequest> {
  const { rows } = await sql<Row>`
    update guest_requests set status = ${status}, decided_at = ${parameter(now)}, guest_id = ${guestId}
    where id = ${id} returning ${requestColumns}`.execute(transaction);
  if (!rows[0]) throw new Error('the request is gone');
  return shown(rows[0]);
}

function shown(row: Row): GuestRequest {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}
