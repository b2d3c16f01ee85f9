import { type Kysely, sql } from 'kysely';
import { type LanguageName, languageCodeOf } from '../../kernel/languages.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { MailSender } from '../../kernel/mail/origin.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import { isChannelOpen } from '../../kernel/texts/channels.ts';
import type { Texts } from '../../kernel/texts/texts.ts';
import type { Change } from '../../kernel/writes/history.ts';
import { mailSenderOf } from '../events/mail-sender.ts';
import type { EventWrite, Follower } from '../events/write.ts';
import type { NoticeChannel } from '../notices/fields.ts';
import { findNotices } from '../notices/store.ts';
import { ALL_GUESTS } from './fields.ts';
import { hindranceOf, type RoundKind } from './kinds.ts';
import { type Sender, senderColumns, senderFieldsOf } from './letter.ts';
import { declinedWords, letterFoot } from './letter-words.ts';
import { lockRoundEvent } from './round-event.ts';
import { addRound, removeRoundIfEmpty, removeUnreachable, selectGuests } from './store.ts';

/** Enqueues the job that sends a round of messages. The job starts once the transaction commits. */
export type EnqueueRound = (transaction: Kysely<unknown>, roundId: string) => Promise<unknown>;

export interface AutomaticMessageParts {
  mail: Pick<Mail, 'enqueue'>;
  texts: Pick<Texts, 'channels'>;
  enqueue: EnqueueRound;
}

/**
 * Makes the follower that notifies guests of a change's effect on them: they got places from the waiting list, or their
 * request to come was accepted or declined.
 */
export function sendAutomaticMessages({ mail, texts, enqueue }: AutomaticMessageParts): Follower {
  return async (write, lines) => {
    const notified = [
      ['moved_up', subjectIdsOf(lines, 'guest', 'moved_up')],
      ['accepted', subjectIdsOf(lines, 'guest', 'accepted')],
    ] as const;
    const declined = subjectIdsOf(lines, 'guest_request', 'declined');
    if (declined.length === 0 && notified.every(([, ids]) => ids.length === 0)) return;
    const { transaction, event, now } = write;
    const { notices } = await findNotices(transaction, event.id);
    const occasion = await lockRoundEvent(transaction, event.id);
    for (const [kind, guests] of notified) {
      if (!notices[kind] || guests.length === 0 || hindranceOf(kind, occasion, now)) continue;
      const channels = openChannelsAmong(notices.channels, texts);
      await sendAutomaticRound(write, { kind, guests, channels }, enqueue);
    }
    if (notices.declined && !hindranceOf('message', occasion, now)) {
      const sender = declined.length > 0 && (await mailSenderOf(transaction, event.id));
      if (sender) for (const id of declined) await decline(transaction, id, { sender, topic: event.id });
    }
  };

  /** Mails a person whose request to come was declined. They are no guest, so the mail belongs to no round. */
  async function decline(
    transaction: Kysely<unknown>,
    requestId: string,
    about: { sender: MailSender; topic: string },
  ): Promise<void> {
    const readBy = sql`coalesce(asked.language, events.language_pref)`;
    const { rows } = await sql<Declined>`
      select asked.name, asked.email, ${readBy} as language, ${senderColumns(readBy)}
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
      language: languageCodeOf(language),
      title: subject,
      paragraphs: [foot.hello(name), ...say.lines(title)],
      footer: foot.because(hosts),
    });
    const key = declinedKey(requestId);
    await mail.enqueue(
      transaction,
      { to, language: languageCodeOf(language), subject, ...senderFieldsOf(asked), ...letter, key },
      { urgency: 'ordinary', ...about },
    );
  }
}

/** Key that identifies the mail that declines a request to come. */
export function declinedKey(requestId: string): string {
  return `declined:${requestId}`;
}

/** Channels in which an event's automatic messages are sent and that this server has set up; mail if there are none. */
export function openChannelsAmong(
  channels: readonly NoticeChannel[],
  texts: Pick<Texts, 'channels'>,
): readonly NoticeChannel[] {
  const open = channels.filter((channel) => isChannelOpen(channel, texts));
  return open.length > 0 ? open : ['mail'];
}

/**
 * Sends an automatic message at once: one round for each channel, each to the guests whom the earlier channels can't
 * reach.
 */
export async function sendAutomaticRound(
  { transaction, event, now, note }: EventWrite<{ id: string }>,
  { kind, guests, channels }: { kind: RoundKind; guests: string[]; channels: readonly NoticeChannel[] },
  enqueue: EnqueueRound,
): Promise<void> {
  let left = guests;
  for (const [index, channel] of channels.entries()) {
    const round = { ...ALL_GUESTS, kind, guest_ids: left, channel, automatic: true } as const;
    const unsaid = { subject: null, message: null, send_at: null };
    const id = await addRound(transaction, event.id, { ...round, ...unsaid }, now);
    await selectGuests(transaction, event.id, id, round);
    // Guests whom no channel can reach stay in the round of the last channel, with the reason for it.
    left = index === channels.length - 1 ? [] : await removeUnreachable(transaction, id);
    if (await removeRoundIfEmpty(transaction, id)) continue;
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

/** Ids of the records that an event's history lines with this subject and action are about. */
export function subjectIdsOf(lines: readonly Change[], subject: string, action: string): string[] {
  const found = lines.filter((line) => line.subject === subject && line.action === action);
  return [...new Set(found.flatMap(({ subject_id }) => subject_id ?? []))];
}
