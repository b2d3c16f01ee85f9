import { sql } from 'kysely';
import { insertWhere } from '../../kernel/database/rows.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { mailSenderOf } from '../events/mail-sender.ts';
import type { EventWrite, EventWriter, WriteEntry } from '../events/write.ts';
import { type Hold, holdPlaces } from '../guests/capacity/hold.ts';
import { promoteFromWaitingList, readCapacity } from '../guests/capacity/waiting-list.ts';
import { hasContact } from '../guests/contacts.ts';
import { findGuestBy } from '../guests/rows.ts';
import {
  deleteUnconfirmedRequest,
  findRepeatedRequest,
  findUnconfirmedRequest,
  hasRoomToConfirm,
  isJustMailed,
  keepsPlaces,
  type MailedRequest,
  mailConfirmation,
  mailedUntil,
  noMailNow,
  type OpenLinkEvent,
  type RepeatedRequest,
  removeOtherRequests,
  requireAddress,
  storeUnconfirmedRequest,
  tooManyRequests,
  type UnconfirmedRequest,
} from './confirmations.ts';
import type { Asker } from './open-link-input.ts';
import { decideRequest, type WaitingRequests } from './open-link-limits.ts';
import { acceptRequest } from './open-link-store.ts';
import { lockForLink } from './store.ts';

type Write = EventWrite<{ id: string }>;

export interface OpenLinkParts {
  writer: EventWriter;
  mail: Pick<Mail, 'enqueue' | 'stopReasonOf'>;
  publicUrl: string;
  /** Mails a guest the personal link again. Returns false if no mail can be sent. */
  mailLinkAgain(write: Write, guestId: string, to: LinkRecipient): Promise<boolean>;
}

export interface LinkRecipient {
  /** One of the guest's addresses. */
  address: string;
  /** Network from which the mail was requested. */
  network: string;
  /** Time after which the mail is not sent; by default it may wait. */
  until?: Temporal.Instant;
}

/**
 * Stores a request from the open link, or asks its author to confirm it by mail (`to_confirm`). A request with the
 * address of a guest on the list is not stored: the guest is mailed the personal link again, and the sender sees the
 * same page as everybody, so that nobody learns who is on the list.
 */
export function submitRequest(
  parts: OpenLinkParts,
  event: OpenLinkEvent,
  asked: MailedRequest,
): Promise<'stored' | 'to_confirm'> {
  return parts.writer.enter(entryByOpenLink(event), async (write) => {
    const waits = await findSameRequest(write, asked.asker);
    const waiting = await countWaiting(write, asked.network, waits);
    const isRepeated = waits !== undefined;
    const verdict = decideRequest(waiting, {
      isAsked: event.confirms_address,
      isConfirmed: false,
      isRepeated,
    });
    if (verdict === 'full') throw tooManyRequests();
    const guestId = await findGuestWithAddress(write, asked.asker);
    if (verdict === 'to_confirm') {
      await askToConfirm(parts, write, event, asked, guestId);
      return 'to_confirm';
    }
    if (guestId === undefined) await storeRequest(write, event, asked, waits);
    else await sendLinkAgain(parts, write, asked, guestId);
    return 'stored';
  });
}

/** Stores the request to come that a mailed link confirms. Returns false if the link has no request. */
export function confirmRequest(writer: EventWriter, event: OpenLinkEvent, token: string): Promise<boolean> {
  return writer.enter(entryByOpenLink(event), async (write) => {
    const asked = await findUnconfirmedRequest(write.transaction, event.id, token, write.now);
    if (!asked) return false;
    const waits = await findSameRequest(write, asked.asker);
    const waiting = await countWaiting(write, asked.network, waits);
    const proof = { isAsked: true, isConfirmed: true, isRepeated: waits !== undefined };
    if (decideRequest(waiting, proof) === 'full') throw tooManyRequests();
    await storeRequest(write, event, asked, waits, asked.hold);
    await deleteUnconfirmedRequest(write, asked.id);
    await removeOtherRequests(write, asked);
    await promoteFromWaitingList(write);
    return true;
  });
}

function entryByOpenLink({ id }: OpenLinkEvent): WriteEntry<{ id: string }> {
  return { eventId: id, by: { kind: 'system' }, enter: lockForLink(id) };
}

/**
 * Keeps a request until its author confirms it, with places or a turn on the waiting list if requests are accepted
 * automatically, and mails the link for that. The owner of a guest's address (`guestId`) is mailed the personal link
 * instead. Throws a FieldProblem without an address, and a 429 if too many requests are unconfirmed or no mail can be
 * sent.
 */
async function askToConfirm(
  parts: OpenLinkParts,
  write: Write,
  event: OpenLinkEvent,
  asked: MailedRequest,
  guestId: string | undefined,
): Promise<void> {
  const address = requireAddress(asked.asker);
  const sender = await mailSenderOf(write.transaction, event.id);
  if (await parts.mail.stopReasonOf(write.transaction, sender.id)) throw noMailNow();
  const repeated = await findRepeatedRequest(write, asked);
  if (repeated && isJustMailed(repeated, write.now)) return;
  const kept = repeated && (await replaceRequest(write, repeated));
  if (!(await hasRoomToConfirm(write, asked))) throw tooManyRequests();
  const hold =
    guestId === undefined ? await holdFor(write, event, asked.asker, kept?.waiting_order) : undefined;
  const token = await storeUnconfirmedRequest(write, asked, hold, kept?.first_at);
  if (guestId === undefined) return mailConfirmation(parts, write, event, asked, token);
  const recipient = { address, network: asked.from, until: mailedUntil(write.now) };
  if (!(await parts.mailLinkAgain(write, guestId, recipient))) throw noMailNow();
}

/**
 * Removes a request that is sent again. Returns it if the new one may keep its places or its turn; otherwise the places
 * go to the next in turn first.
 */
async function replaceRequest(write: Write, repeated: RepeatedRequest): Promise<RepeatedRequest | undefined> {
  await deleteUnconfirmedRequest(write, repeated.id);
  if (keepsPlaces(repeated, write.now)) return repeated;
  if (repeated.held !== null) await promoteFromWaitingList(write);
  return undefined;
}

/**
 * Mails a guest the personal link again, once within some minutes. If the limits allow no mail, nothing happens, as for
 * other requests that need no confirmation.
 */
async function sendLinkAgain(
  parts: OpenLinkParts,
  write: Write,
  asked: MailedRequest,
  guestId: string,
): Promise<void> {
  const repeated = await findRepeatedRequest(write, asked);
  if (repeated && isJustMailed(repeated, write.now)) return;
  const kept = repeated && (await replaceRequest(write, repeated));
  if (!(await hasRoomToConfirm(write, asked))) return;
  await storeUnconfirmedRequest(write, asked, undefined, kept?.first_at);
  const recipient = { address: requireAddress(asked.asker), network: asked.from };
  await parts.mailLinkAgain(write, guestId, recipient);
}

/**
 * Places that are held for a request until it is confirmed. Undefined if the organizer decides about the request, as
 * always if its author may be on the guest list.
 */
async function holdFor(
  { transaction, event }: Write,
  { accept_by_itself }: OpenLinkEvent,
  asker: Asker,
  turn: number | null | undefined,
): Promise<Hold | undefined> {
  if (!accept_by_itself || (await findGuestBy(transaction, event.id, asker))) return undefined;
  return holdPlaces(asker.coming, await readCapacity(transaction, event.id), turn);
}

/**
 * Stores a request to come. It replaces the person's same request that waits already (`waits`). If the organizer
 * accepts requests automatically, it is accepted at once, unless the person is on the list already: anybody who knows a
 * guest's number could answer for them.
 */
async function storeRequest(
  write: Write,
  { id: eventId, accept_by_itself }: OpenLinkEvent,
  { asker, network }: UnconfirmedRequest,
  waits: string | undefined,
  hold?: Hold,
): Promise<void> {
  const { transaction, now, note } = write;
  if (waits) await sql`delete from guest_requests where id = ${waits}`.execute(transaction);
  const id = waits ?? newId();
  const row = { id, event_id: eventId, ...asker, network: `\\x${network}`, created_at: now };
  await insertWhere('guest_requests', row, sql`true`).execute(transaction);
  const isAccepted = accept_by_itself && !(await findGuestBy(transaction, eventId, asker));
  if (isAccepted) await acceptRequest(write, id, hold);
  else note('guest_request', id, 'asked');
}

/**
 * Finds a waiting request with the same name, phone and email. A new request replaces only this one, so that knowing
 * somebody's number is not enough to overwrite their request.
 */
async function findSameRequest(
  { transaction, event }: Write,
  { name, phone, email }: Asker,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from guest_requests
    where event_id = ${event.id} and status = 'waiting' and name_key = guest_name_key(${name})
      and guest_search_form(name) = guest_search_form(${name})
      and phone is not distinct from ${phone} and email is not distinct from ${email}`.execute(transaction);
  return rows[0]?.id;
}

/** Counts waiting requests of an event, except the one that the new request replaces. */
async function countWaiting(
  { transaction, event }: Write,
  network: string,
  except: string | undefined,
): Promise<WaitingRequests> {
  const { rows } = await sql<WaitingRequests>`
    select count(*)::integer as total,
      count(*) filter (where network = decode(${network}, 'hex'))::integer as "ofNetwork"
    from guest_requests
    where event_id = ${event.id} and status = 'waiting' and id is distinct from ${except ?? null}::uuid`.execute(
    transaction,
  );
  return rows[0] ?? { total: 0, ofNetwork: 0 };
}

async function findGuestWithAddress(
  { transaction, event }: Write,
  { email }: Asker,
): Promise<string | undefined> {
  if (!email) return undefined;
  const { rows } = await sql<{ id: string }>`
    select id from guests where event_id = ${event.id} and ${hasContact('email', sql`${email}::text`)}
    limit 1`.execute(transaction);
  return rows[0]?.id;
}
