import { randomBytes } from 'node:crypto';
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
import { textsIn } from '../invitation/words.ts';
import { confirmationWords } from './confirmation-words.ts';
import { messages } from './messages.ts';
import type { Asker, OpenLinkTerms } from './open-link-input.ts';
import { CONFIRMATIONS } from './open-link-limits.ts';
import { hashOf, isToken } from './personal-links.ts';
import type { InvitedEvent } from './store.ts';

/** Event as its open link shows it, with the organizer's conditions for people who come through that link. */
export interface OpenLinkEvent extends InvitedEvent, OpenLinkTerms {
  slug: string;
}

export interface ConfirmationParts {
  mail: Pick<Mail, 'enqueue' | 'stopReasonOf'>;
  publicUrl: string;
}

/** Request to be invited, before its author has confirmed it by mail. The organizer does not see it yet. */
export interface UnconfirmedRequest {
  asker: Asker;
  network: string;
}

/**
 * Stores a request for some hours and sends its author a mail with a link to confirm it. Throws a FieldProblem
 * without an email address, and a 429 if too many requests are unconfirmed or no mail can be sent.
 */
export async function askToConfirm(
  { mail, publicUrl }: ConfirmationParts,
  { transaction, now }: EventWrite<{ id: string }>,
  event: OpenLinkEvent,
  { asker, network }: UnconfirmedRequest,
): Promise<void> {
  if (!asker.email) throw new FieldProblem('email', { kind: 'missing' });
  const { rows } = await sql<{ total: number; of_network: number }>`
    select count(*)::integer as total, count(*) filter (where network = ${bytes(network)})::integer as of_network
    from request_confirmations where event_id = ${event.id} and expires_at > ${toParameter(now)}`.execute(
    transaction,
  );
  const { total, of_network } = rows[0] ?? { total: 0, of_network: 0 };
  if (total >= CONFIRMATIONS.most || of_network >= CONFIRMATIONS.mostOfNetwork) throw tooManyRequests();
  const token = randomBytes(32).toString('base64url');
  const until = now.add({ hours: CONFIRMATIONS.hours });
  await sql`
    insert into request_confirmations (id, event_id, token_hash, network, asker, expires_at)
    values (${newId()}, ${event.id}, ${hashOf(token)}, ${bytes(network)}, ${JSON.stringify(asker)}, ${toParameter(until)})`.execute(
    transaction,
  );
  const sender = await mailSenderOf(transaction, event.id);
  if (await mail.stopReasonOf(transaction, sender.id)) throw tooManyRequests();
  const url = `${publicUrl}/e/${event.slug}/confirm/${token}?lang=${asker.language}`;
  const origin = { urgency: 'requested', sender, topic: event.id, until } as const;
  const id = await mail.enqueue(transaction, letterTo(asker.email, asker, event, url), origin);
  if (id === undefined) throw tooManyRequests();
}

/** True if a mailed token confirms a request to come to the event. */
export async function canConfirmRequest(
  db: Kysely<unknown>,
  eventId: string,
  token: string,
  now: Temporal.Instant,
): Promise<boolean> {
  if (!isToken(token)) return false;
  const { rows } = await sql`
    select from request_confirmations
    where event_id = ${eventId} and token_hash = ${hashOf(token)} and expires_at > ${toParameter(now)}`.execute(
    db,
  );
  return rows.length > 0;
}

/** Removes and returns the unconfirmed request that a mailed token confirms. A token works once. */
export async function takeUnconfirmedRequest(
  { transaction, event, now }: EventWrite<{ id: string }>,
  token: string,
): Promise<UnconfirmedRequest | undefined> {
  if (!isToken(token)) return undefined;
  const { rows } = await sql<UnconfirmedRequest>`
    delete from request_confirmations
    where event_id = ${event.id} and token_hash = ${hashOf(token)} and expires_at > ${toParameter(now)}
    returning asker, encode(network, 'hex') as network`.execute(transaction);
  return rows[0];
}

export async function purgeUnconfirmedRequests(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
  await sql`delete from request_confirmations where expires_at <= ${toParameter(now)}`.execute(db);
}

function letterTo(to: string, { name, language }: Asker, event: OpenLinkEvent, url: string): NewMail {
  const { title, hosts } = textsIn(event, language);
  const say = confirmationWords[language];
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

export function tooManyRequests(): Refusal {
  return new Refusal(429, 'too_many_requests', messages.tooManyRequests);
}
