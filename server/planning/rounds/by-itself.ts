import { type Kysely, sql } from 'kysely';
import { codeOf, type LanguageName } from '../../kernel/languages.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { MailSender } from '../../kernel/mail/origin.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import { isOpen } from '../../kernel/texts/closed.ts';
import type { Texts } from '../../kernel/texts/texts.ts';
import type { Change } from '../../kernel/writes/history.ts';
import { mailSenderOf } from '../events/mail-sender.ts';
import type { EventWrite, Follower } from '../events/write.ts';
import type { NoticeChannel } from '../notices/fields.ts';
import { findNotices } from '../notices/store.ts';
import { EVERYBODY } from './fields.ts';
import { hindranceOf, type Kind } from './kinds.ts';
import { inNameOf, type Sender, sender } from './letter.ts';
import { declinedWords, letterFoot } from './letter-words.ts';
import { lockOccasion } from './occasion.ts';
import { addRound, choose, removeIfEmpty, takeUnreached } from './store.ts';

/** Has a round worked on once the transaction commits. */
export type Enqueue = (transaction: Kysely<unknown>, roundId: string) => Promise<unknown>;

export interface ByItselfParts {
  mail: Pick<Mail, 'enqueue'>;
  texts: Pick<Texts, 'channels'>;
  enqueue: Enqueue;
}

/** Tells guests what a change means for them: a place from the waiting list, the answer to a request to come. */
export function tellByItself({ mail, texts, enqueue }: ByItselfParts): Follower {
  return async (write, lines) => {
    const told = [
      ['moved_up', idsOf(lines, 'guest', 'moved_up')],
      ['accepted', idsOf(lines, 'guest', 'accepted')],
    ] as const;
    const declined = idsOf(lines, 'guest_request', 'declined');
    if (declined.length === 0 && told.every(([, ids]) => ids.length === 0)) return;
    const { transaction, event, now } = write;
    const { notices } = await findNotices(transaction, event.id);
    const occasion = await lockOccasion(transaction, event.id);
    for (const [kind, guests] of told) {
      if (!notices[kind] || guests.length === 0 || hindranceOf(kind, occasion, now)) continue;
      const channels = openAmong(notices.channels, texts);
      await tellGuests(write, { kind, guests, channels }, enqueue);
    }
    if (notices.declined && !hindranceOf('message', occasion, now)) {
      const sender = declined.length > 0 && (await mailSenderOf(transaction, event.id));
      if (sender) for (const id of declined) await decline(transaction, id, { sender, topic: event.id });
    }
  };

  /** They are nobody's guest, so that it is a mail of no round. */
  async function decline(
    transaction: Kysely<unknown>,
    requestId: string,
    about: { sender: MailSender; topic: string },
  ): Promise<void> {
    const readBy = sql`coalesce(asked.language, events.language_pref)`;
    const { rows } = await sql<Declined>`
      select asked.name, asked.email, ${readBy} as language, ${sender(readBy)}
      from guest_requests asked
      join events on events.id = asked.event_id
      left join invitations invitation on invitation.event_id = events.id
      where asked.id = ${requestId}`.execute(transaction);
    const [asked] = rows;
    if (!asked?.email) return;
    const { name, email: to, language, title, hosts } = asked;
    const say = declinedWords[language];
    const foot = letterFoot[language];
    const subject = say.subject(title);
    const letter = writeLetter({
      language: codeOf(language),
      title: subject,
      paragraphs: [foot.hello(name), ...say.lines(title)],
      footer: foot.because(hosts),
    });
    const key = declinedKey(requestId);
    await mail.enqueue(
      transaction,
      { to, language: codeOf(language), subject, ...inNameOf(asked), ...letter, key },
      { urgency: 'ordinary', ...about },
    );
  }
}

/** What the mail that declines a request is known by. */
export function declinedKey(requestId: string): string {
  return `declined:${requestId}`;
}

/** Those of an event's channels that are open here; without any, mail. */
export function openAmong(
  channels: readonly NoticeChannel[],
  texts: Pick<Texts, 'channels'>,
): readonly NoticeChannel[] {
  const open = channels.filter((channel) => isOpen(channel, texts));
  return open.length > 0 ? open : ['mail'];
}

/** A round that nobody asked for, at once: by each channel one, to those whom none before it reaches. */
export async function tellGuests(
  { transaction, event, now, note }: EventWrite<{ id: string }>,
  { kind, guests, channels }: { kind: Kind; guests: string[]; channels: readonly NoticeChannel[] },
  enqueue: Enqueue,
): Promise<void> {
  let left = guests;
  for (const [index, channel] of channels.entries()) {
    const round = { ...EVERYBODY, kind, guest_ids: left, channel, automatic: true } as const;
    const unsaid = { subject: null, message: null, send_at: null };
    const id = await addRound(transaction, event.id, { ...round, ...unsaid }, now);
    await choose(transaction, event.id, id, round);
    // The last one has whom nothing reaches, too, and says why.
    left = index === channels.length - 1 ? [] : await takeUnreached(transaction, id);
    if (await removeIfEmpty(transaction, id)) continue;
    await enqueue(transaction, id);
    note('round', id, 'sent', undefined, { kind: 'system' });
    if (left.length === 0) return;
  }
}

interface Declined extends Sender {
  name: string;
  email: string | null;
  language: LanguageName;
}

/** Of whom lines of a change say it. */
export function idsOf(lines: readonly Change[], subject: string, action: string): string[] {
  const found = lines.filter((line) => line.subject === subject && line.action === action);
  return [...new Set(found.flatMap(({ subject_id }) => subject_id ?? []))];
}
