import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import { FieldProblem } from '../../kernel/fields.ts';
import { newId } from '../../kernel/identifiers.ts';
import { languageCodeOf } from '../../kernel/languages.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { NewMail } from '../../kernel/mail/message.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { mailSenderOf } from '../events/mail-sender.ts';
import type { EventWrite } from '../events/write.ts';
import type { Hold } from '../guests/capacity/hold.ts';
import { textsIn } from '../invitation/words.ts';
import { confirmationWordsFor } from './confirmation-words.ts';
import { messages } from './messages.ts';
import type { Asker, OpenLinkTerms } from './open-link-input.ts';
import { CONFIRMATIONS, canAskToConfirm, NO_MAIL, type UnconfirmedRequests } from './open-link-limits.ts';
import { hashOf, isToken } from './personal-links.ts';
import type { InvitedEvent } from './store.ts';

/** Event as its open link shows it, with the organizer's conditions for people who come through that link. */
export interface OpenLinkEvent extends InvitedEvent, OpenLinkTerms {
  slug: string;
}

/** Request to be invited, before its author has confirmed it by mail. The organizer does not see it yet. */
export interface UnconfirmedRequest {
  asker: Asker;
  /** Fingerprint of the network from which the request was sent, different for each event. */
  network: string;
}

/** Unconfirmed request with the fingerprint of its author's mailbox, which is different for each event. */
export interface MailedRequest extends UnconfirmedRequest {
  mailbox: string;
  /** Network from which the request was sent, for the limits of mail. It is not stored. */
  from: string;
}

type Write = EventWrite<{ id: string }>;

/** Throws a FieldProblem for a request without an email address. */
export function requireAddress({ email }: Asker): string {
  if (!email) throw new FieldProblem('email', { kind: 'missing' });
  return email;
}

/** Unconfirmed request that is equal to a new one. */
export interface RepeatedRequest extends Pick<Hold, 'waiting_order'> {
  id: string;
  first_at: Date;
  mailed_at: Date;
  held: number | null;
}

/**
 * Finds the unconfirmed request that was sent again. A request with other content is another one: the mailed link
 * confirms what its reader wrote, whoever knows the reader's name and mailbox.
 */
export async function findRepeatedRequest(
  { transaction, event, now }: Write,
  { asker, mailbox }: MailedRequest,
): Promise<RepeatedRequest | undefined> {
  const { rows } = await sql<RepeatedRequest & { asker: Asker }>`
    select id, asker, first_at, mailed_at, held, waiting_order from request_confirmations
    where event_id = ${event.id} and mailbox = ${bytes(mailbox)} and expires_at > ${toParameter(now)}`.execute(
    transaction,
  );
  return rows.find((row) => isDeepStrictEqual(withoutMemberIds(row.asker), withoutMemberIds(asker)));
}

/** Request without the ids of its people, which are new each time the form is sent. */
function withoutMemberIds({ members, ...asker }: Asker): object {
  return { ...asker, members: members.map((member) => ({ ...member, id: '' })) };
}

/** True if a request was mailed to its author so recently that sending it again causes no second mail. */
export function isJustMailed({ mailed_at }: RepeatedRequest, now: Temporal.Instant): boolean {
  const since = now.subtract({ minutes: CONFIRMATIONS.minutesBetweenMails });
  return mailed_at.getTime() > since.epochMilliseconds;
}

/** True if a request that is sent again may keep its places or its turn: nobody can hold places for ever. */
export function keepsPlaces({ first_at }: RepeatedRequest, now: Temporal.Instant): boolean {
  const ends = first_at.toTemporalInstant().add({ hours: CONFIRMATIONS.mostHours });
  return Temporal.Instant.compare(expiryOf(now), ends) <= 0;
}

/** Removes the other unconfirmed requests of a person, after one of theirs was confirmed. */
export async function removeOtherRequests(
  { transaction, event }: Write,
  { asker, mailbox }: Pick<MailedRequest, 'asker' | 'mailbox'>,
): Promise<void> {
  await sql`
    delete from request_confirmations
    where event_id = ${event.id} and mailbox = ${bytes(mailbox)}
      and guest_name_key(asker ->> 'name') = guest_name_key(${asker.name})`.execute(transaction);
}

/** True if one more request can wait for its confirmation now. */
export async function hasRoomToConfirm(
  { transaction, event, now }: Write,
  { asker, network, mailbox }: MailedRequest,
): Promise<boolean> {
  const { rows } = await sql<UnconfirmedRequests>`
    select count(*)::integer as total,
      count(*) filter (where mailbox = ${bytes(mailbox)})::integer as "ofMailbox",
      coalesce(sum((asker ->> 'coming')::integer) filter (where network = ${bytes(network)}), 0)::integer
        as "peopleOfNetwork"
    from request_confirmations where event_id = ${event.id} and expires_at > ${toParameter(now)}`.execute(
    transaction,
  );
  return canAskToConfirm(rows[0] ?? { total: 0, ofMailbox: 0, peopleOfNetwork: 0 }, asker.coming);
}

/**
 * Stores a request for some hours, with the places that are held for it or its turn on the waiting list. Returns the
 * token of the link to mail to its author. `firstAt` is the time of the first equal request.
 */
export async function storeUnconfirmedRequest(
  { transaction, event, now }: Write,
  { asker, network, mailbox }: MailedRequest,
  hold: Hold | undefined,
  firstAt: Date | undefined,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const { held = null, waiting_order = null } = hold ?? {};
  await sql`
    insert into request_confirmations (
      id, event_id, token_hash, network, mailbox, asker, held, waiting_order, first_at, mailed_at, expires_at
    ) values (
      ${newId()}, ${event.id}, ${hashOf(token)}, ${bytes(network)}, ${bytes(mailbox)}, ${JSON.stringify(asker)},
      ${held}, ${waiting_order}, ${firstAt ?? toParameter(now)}, ${toParameter(now)}, ${toParameter(expiryOf(now))}
    )`.execute(transaction);
  return token;
}

function expiryOf(now: Temporal.Instant): Temporal.Instant {
  return now.add({ hours: CONFIRMATIONS.hours });
}

/** Latest time for the mail about a request. */
export function mailedUntil(now: Temporal.Instant): Temporal.Instant {
  return now.add({ minutes: CONFIRMATIONS.minutesUntilMailed });
}

/** Mails the author of a request the link that confirms it. Throws a 429 if no mail can be sent soon. */
export async function mailConfirmation(
  { mail, publicUrl }: { mail: Pick<Mail, 'enqueue'>; publicUrl: string },
  { transaction, now }: Write,
  event: OpenLinkEvent,
  { asker, from }: MailedRequest,
  token: string,
): Promise<void> {
  const url = `${publicUrl}/e/${event.slug}/confirm/${token}?lang=${asker.language}`;
  const sender = await mailSenderOf(transaction, event.id);
  const until = mailedUntil(now);
  const origin = { urgency: 'requested', sender, topic: event.id, until, network: from } as const;
  const letter = letterTo(requireAddress(asker), asker, event, url);
  if ((await mail.enqueue(transaction, letter, origin)) === undefined) throw noMailNow();
}

/** Request whose author has the link that confirms it. */
interface ProvedRequest extends Omit<MailedRequest, 'from'> {
  id: string;
  hold: Hold | undefined;
}

/** Finds the request that a token confirms. */
export async function findUnconfirmedRequest(
  db: Kysely<unknown>,
  eventId: string,
  token: string,
  now: Temporal.Instant,
): Promise<ProvedRequest | undefined> {
  if (!isToken(token)) return undefined;
  const { rows } = await sql<
    Omit<ProvedRequest, 'hold'> & { held: number | null } & Pick<Hold, 'waiting_order'>
  >`
    select id, asker, encode(network, 'hex') as network, encode(mailbox, 'hex') as mailbox, held, waiting_order from request_confirmations
    where event_id = ${eventId} and token_hash = ${hashOf(token)} and expires_at > ${toParameter(now)}`.execute(
    db,
  );
  if (!rows[0]) return undefined;
  const { held, waiting_order, ...asked } = rows[0];
  return { ...asked, hold: held === null ? undefined : { held, waiting_order } };
}

export async function deleteUnconfirmedRequest({ transaction }: Write, id: string): Promise<void> {
  await sql`delete from request_confirmations where id = ${id}`.execute(transaction);
}

function letterTo(to: string, { name, language }: Asker, event: OpenLinkEvent, url: string): NewMail {
  const { title, hosts } = textsIn(event, language);
  const say = confirmationWordsFor(event, language);
  const subject = say.subject(title);
  const letter = writeLetter({
    language: languageCodeOf(language),
    title: subject,
    paragraphs: say.lines(name, title),
    action: { label: say.title, url },
    footer: say.footer,
  });
  return { to, language: languageCodeOf(language), subject, ...(hosts && { onBehalfOf: hosts }), ...letter };
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

export function noMailNow(): Refusal {
  return new Refusal(429, NO_MAIL, messages.noMailNow);
}

export function tooManyRequests(): Refusal {
  return new Refusal(429, 'too_many_requests', messages.tooManyRequests);
}
