import { type Kysely, sql } from 'kysely';
import type { Language } from '../../kernel/languages.ts';
import type { Mail, MailStatus } from '../../kernel/mail/mail.ts';
import { mailProblemText } from '../../kernel/mail/messages.ts';
import { textProblemText } from '../../kernel/texts/messages.ts';
import type { TextStatus } from '../../kernel/texts/text.ts';
import type { Texts } from '../../kernel/texts/texts.ts';
import type { ChannelName } from './channels.ts';

/** Queues in which mails and text messages wait to be sent, and their delivery reports. */
export interface MessageQueues {
  mail: Pick<Mail, 'enqueueAll' | 'reports' | 'tally'>;
  texts: Pick<Texts, 'enqueueAll' | 'reports' | 'tally' | 'channels'>;
}

/** Delivery status of a message to a guest. */
export type DeliveryStatus = 'waiting' | 'sent' | 'delivered' | 'read' | 'bounced' | 'unknown';

export interface DeliveryReport {
  delivery: DeliveryStatus;
  /** Reason why the message did not reach the guest; null if there is none. */
  problem: { code: string; say(language: Language): string } | null;
  /** Time at which the server will send a delayed message. */
  waits_until: string | null;
}

/** Delivery reports by message id. Reports of messages whose delivery ended long ago are no longer stored. */
export async function findDeliveryReports(
  db: Kysely<unknown>,
  { mail, texts }: MessageQueues,
  written: readonly { channel: ChannelName; message_ids: readonly string[] }[],
): Promise<Map<string, DeliveryReport>> {
  const ids = (isMail: boolean) =>
    written.flatMap(({ channel, message_ids }) => ((channel === 'mail') === isMail ? message_ids : []));
  const mails = (await mail.reports(db, ids(true))).map(
    ({ id, status, problem, waits_until }) =>
      [id, { ...reportOf(OF_MAIL[status], problem, mailProblemText), waits_until }] as const,
  );
  const others = (await texts.reports(db, ids(false))).map(
    ({ id, status, problem }) => [id, reportOf(OF_TEXT[status], problem, textProblemText)] as const,
  );
  return new Map([...mails, ...others]);
}

/** Numbers of messages of a round, one for each delivery status. */
export type DeliveryTally = Partial<Record<DeliveryStatus, number>>;

/**
 * Numbers of messages by delivery status, for each round by its id. The database counts, because a round may have many
 * thousands of messages.
 */
export async function findDeliveryTallies(
  db: Kysely<unknown>,
  { mail, texts }: MessageQueues,
  rounds: readonly { id: string; channel: ChannelName; written: number }[],
): Promise<Map<string, DeliveryTally>> {
  const tallies = new Map<string, DeliveryTally>();
  const add = (of: string, delivery: DeliveryStatus, count: number) => {
    const tally = tallies.get(of) ?? {};
    tally[delivery] = (tally[delivery] ?? 0) + count;
    tallies.set(of, tally);
  };
  const written = rounds.filter((round) => round.written > 0);
  const [mailed, texted] = [true, false].map((isMail) =>
    written.filter(({ channel }) => (channel === 'mail') === isMail).map(({ id }) => id),
  ) as [string[], string[]];
  const messages = (ids: string[]) => sql`
    select round_id as of, message_id as id from round_guests
    where round_id = any(${ids}::uuid[]) and message_id is not null`;
  if (mailed.length > 0) {
    for (const { of, status, count } of await mail.tally(db, messages(mailed)))
      add(of, OF_MAIL[status], count);
  }
  if (texted.length > 0) {
    for (const { of, status, count } of await texts.tally(db, messages(texted)))
      add(of, OF_TEXT[status], count);
  }
  return tallies;
}

function reportOf<P extends { code: string }>(
  delivery: DeliveryStatus,
  problem: P | null,
  say: (problem: P, language: Language) => string,
): DeliveryReport {
  return {
    delivery,
    problem: problem && { code: problem.code, say: (language) => say(problem, language) },
    waits_until: null,
  };
}

const OF_MAIL: Readonly<Record<MailStatus, DeliveryStatus>> = {
  queued: 'waiting',
  asked: 'waiting',
  unknown: 'unknown',
  sent: 'sent',
  refused: 'bounced',
};
const OF_TEXT: Readonly<Record<TextStatus, DeliveryStatus>> = {
  queued: 'waiting',
  asked: 'waiting',
  unknown: 'unknown',
  sent: 'sent',
  refused: 'bounced',
  delivered: 'delivered',
  read: 'read',
};
