import { sql } from 'kysely';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { MailOrigin } from '../../kernel/mail/origin.ts';
import type { LinkOwner, Links } from '../answers/personal-links.ts';
import { mailSenderOf } from '../events/mail-sender.ts';
import type { EventWrite } from '../events/write.ts';
import { recordCalendarEntries } from './calendar-entries.ts';
import { type ReplyKind, usefulUntil } from './kinds.ts';
import { type Addressee, addresseeColumns, type LetterContext, letterTo } from './letter.ts';

export interface ReplyParts {
  mail: Pick<Mail, 'enqueue'>;
  links: Links;
  /** Host name in the ids of calendar entries. */
  host: string;
}

/**
 * Guest to mail; `address` is one of their addresses, by default the first. `network` is where the mail was requested,
 * and `until` the time after which it is not sent, by default the time after which it is useless.
 */
export interface ReplyRecipient extends Pick<MailOrigin & { urgency: 'requested' }, 'network' | 'until'> {
  id: string;
  address?: string;
}

/**
 * Mails a guest a reply to what they did on a page, with their personal link. Returns false if the guest has no
 * address, or if the mail would be sent too late.
 */
export async function mailReply(
  { mail, links, host }: ReplyParts,
  { transaction, now }: Pick<EventWrite, 'transaction' | 'now'>,
  recipient: ReplyRecipient,
  kind: ReplyKind,
  { meals = [], before = {} }: Partial<Pick<LetterContext, 'meals' | 'before'>> = {},
): Promise<boolean> {
  const { rows } = await sql<Addressee & LinkOwner & { email: string }>`
    select ${addresseeColumns}, guests.email
    from guests join events on events.id = guests.event_id
    left join invitations invitation on invitation.event_id = events.id
    where guests.id = ${recipient.id} and guests.email is not null`.execute(transaction);
  const [guest] = rows;
  if (!guest) return false;
  const [url = ''] = await links.open(transaction, [guest]);
  const content = { kind, subject: null, message: null };
  const addressed = { ...guest, email: recipient.address ?? guest.email };
  const letter = letterTo(addressed, content, { url, before, now, host, meals });
  const { event_id: topic } = guest;
  const sender = await mailSenderOf(transaction, topic);
  const { network, until = usefulUntil(kind, guest) } = recipient;
  const origin = { urgency: 'requested', sender, topic, until, network } as const;
  if ((await mail.enqueue(transaction, letter, origin)) === undefined) return false;
  await recordCalendarEntries(transaction, [{ guestId: recipient.id, mail: letter }]);
  return true;
}
