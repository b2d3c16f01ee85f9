import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { NewMail } from '../../kernel/mail/message.ts';
import type { NewText } from '../../kernel/texts/texts.ts';
import type { Links } from '../answers/personal-links.ts';
import { mailSenderOf } from '../events/mail-sender.ts';
import type { EventWriter } from '../events/write.ts';
import type { LeftOutReason } from './audience.ts';
import { recordCalendarEntries } from './calendar-entries.ts';
import { type ChannelName, isSentByServer } from './channels.ts';
import type { MessageQueues } from './deliveries.ts';
import { type Hindrance, hindranceOf, isTimely, type RoundKind, rulesOfKind, usefulUntil } from './kinds.ts';
import { type LetterContext, letterTo, smsTo } from './letter.ts';
import { messageKey } from './message-keys.ts';
import { lockRoundEvent } from './round-event.ts';
import { beginRound, cancelRound, lockScheduledRound } from './store.ts';
import { whatsAppMessageTo } from './templates.ts';
import {
  type BegunRound,
  findBegunRound,
  formerTimeAndPlaceFor,
  notifiedAsOf,
  type WaitingGuest,
  waitingGuests,
} from './waiting-guests.ts';

/**
 * Number of messages written in one transaction. The embedded database has one connection, so other requests run
 * between the transactions.
 */
const AT_ONCE = 25;

export interface WorkParts {
  db: Kysely<unknown>;
  mail: Pick<MessageQueues['mail'], 'enqueueAll'>;
  texts: Pick<MessageQueues['texts'], 'enqueueAll'>;
  writer: EventWriter;
  links: Links;
  clock: Clock;
  /** Host name of this server, which is part of the ids of calendar entries. */
  host: string;
}

/**
 * Does the work of a round: begins the round when it is due, and writes its messages. If interrupted, the next run
 * continues.
 */
export async function workOnRound(parts: WorkParts, roundId: string, signal: AbortSignal): Promise<void> {
  if (await beginIfDue(parts, roundId)) await writeMessages(parts, roundId, signal);
}

/**
 * Begins a round if its time has come; true once the round has begun. A round moved to a later time has a job of its
 * own.
 */
async function beginIfDue({ db, writer }: WorkParts, roundId: string): Promise<boolean> {
  // The database's clock decides whether a round is due, as it does for jobs: a server whose clock is slow would
  // otherwise skip the round.
  const { rows } = await sql<{ event_id: string; begun: boolean; due: boolean; send_at: Date }>`
    select event_id, begun_at is not null as begun, send_at,
      called_off_at is null and send_at <= clock_timestamp() as due
    from rounds where id = ${roundId}`.execute(db);
  const [round] = rows;
  if (!round || round.begun || !round.due) return round?.begun ?? false;
  const eventId = round.event_id;
  const enter = (transaction: Kysely<unknown>) => lockRoundEvent(transaction, eventId);
  return writer.enter(
    { eventId, by: { kind: 'system' }, enter },
    async ({ transaction, event, now, note }) => {
      const scheduled = await lockScheduledRound(transaction, eventId, roundId);
      if (scheduled?.send_at !== round.send_at.toISOString()) return false;
      const hindrance: Hindrance | undefined = event.is_deleted
        ? 'cancelled'
        : hindranceOf(scheduled.kind, event, now);
      if (hindrance) {
        await cancelRound(transaction, roundId, hindrance, now);
        note('round', roundId, 'called_off');
        return false;
      }
      await beginRound(transaction, eventId, roundId, scheduled, now);
      note('round', roundId, 'sent');
      return true;
    },
  );
}

/** Writes the messages of a round in batches, with one transaction for each batch. Two servers can share the work. */
export async function writeMessages(
  { db, mail, texts, links, clock, host }: Omit<WorkParts, 'writer'>,
  roundId: string,
  signal: AbortSignal,
): Promise<void> {
  for (let written = AT_ONCE; written === AT_ONCE; ) {
    signal.throwIfAborted();
    written = await db.transaction().execute(async (transaction) => {
      // The event stays locked from our read of the guests to our write of their messages. A cancellation of the event,
      // which withdraws queued messages, therefore can't come between the two.
      await sql`
        select from events where id = (select event_id from rounds where id = ${roundId}) for share`.execute(
        transaction,
      );
      const round = await findBegunRound(transaction, roundId);
      if (!round || !isSentByServer(round.channel.name)) return 0;
      const { kind } = round;
      const { rows } = await sql<WaitingGuest>`
        ${waitingGuests(round)} order by meant.guest_id limit ${AT_ONCE}
        for update of meant skip locked`.execute(transaction);
      const now = clock();
      const sendable = rows.filter((one) => one.why === null && isTimely(kind, one, now));
      const messageIds = await write(transaction, sendable, round, now);
      await recordMessages(
        transaction,
        roundId,
        rows.map((guest) => {
          const messageId = messageIds.get(guest.id);
          return {
            guest_id: guest.id,
            message_id: messageId ?? null,
            left_out: messageId ? null : (guest.why ?? (sendable.includes(guest) ? 'too_many' : 'not_now')),
            told_as_of: messageId ? notifiedAsOf(kind, guest) : null,
          };
        }),
      );
      return rows.length;
    });
  }

  /**
   * Writes the messages of a round to these guests; returns the messages' ids by guest. Guests beyond the daily limit
   * have none.
   */
  async function write(
    transaction: Kysely<unknown>,
    guests: WaitingGuest[],
    round: BegunRound,
    now: Temporal.Instant,
  ): Promise<Map<string, string>> {
    if (guests.length === 0) return new Map();
    const { kind, channel, story, organizerId } = round;
    const urls = await links.open(transaction, guests);
    const addressed = guests.map((guest, index) => ({
      guest: { ...guest, kind },
      key: messageKey(roundId, guest.id),
      circumstances: { url: urls[index] ?? '', before: formerTimeAndPlaceFor(guest, story), now, host },
    }));
    if (channel.name === 'mail') return sendMails(transaction, round, addressed);
    const ids = await texts.enqueueAll(transaction, organizerId, addressed.map(textBy(channel.name)));
    return idsByGuest(addressed, ids);
  }

  async function sendMails(
    transaction: Kysely<unknown>,
    { kind, eventId }: BegunRound,
    addressed: readonly MessageOrder[],
  ): Promise<Map<string, string>> {
    const sender = await mailSenderOf(transaction, eventId);
    const [first] = addressed;
    const until = first && usefulUntil(kind, first.guest);
    const sent = new Map<string, string>();
    for (const [urgency, those] of Map.groupBy(addressed, urgencyOf)) {
      const mails = those.map(mailTo);
      const ids = await mail.enqueueAll(transaction, mails, {
        urgency,
        sender,
        topic: eventId,
        until,
      });
      const queued = those.flatMap(({ guest }, index) => {
        const queuedMail = mails[index];
        return queuedMail && ids[index] ? [{ guestId: guest.id, mail: queuedMail }] : [];
      });
      await recordCalendarEntries(transaction, queued);
      for (const [guestId, id] of idsByGuest(those, ids)) sent.set(guestId, id);
    }
    return sent;
  }
}

function idsByGuest(
  addressed: readonly MessageOrder[],
  ids: readonly (string | undefined)[],
): Map<string, string> {
  return new Map(
    addressed.flatMap(({ guest }, index) => (ids[index] ? [[guest.id, ids[index]] as const] : [])),
  );
}

/**
 * Urgency of a round's mail to a guest. A cancellation is urgent only for guests who had mail about the event before.
 */
function urgencyOf({ guest: { kind, had_mail } }: MessageOrder): 'ordinary' | 'requested' | 'cancellation' {
  if (kind === 'cancellation' && had_mail) return 'cancellation';
  return rulesOfKind(kind).requested ? 'requested' : 'ordinary';
}

/** Data of a message that is not written yet: its guest, its key, and the facts for its text. */
interface MessageOrder {
  guest: WaitingGuest & { kind: RoundKind };
  key: string;
  circumstances: LetterContext;
}

function mailTo({ guest, key, circumstances }: MessageOrder): NewMail {
  return { ...letterTo(withEmail(guest), guest, circumstances), key };
}

function textBy(channel: ChannelName): (addressed: MessageOrder) => NewText {
  return ({ guest, key, circumstances }) => {
    const to = withPhone(guest);
    if (channel === 'whatsapp') return { content: whatsAppMessageTo(to, guest, circumstances), key };
    return { content: { channel: 'sms', to: to.phone, text: smsTo(guest, guest, circumstances) }, key };
  };
}

// Guests without an address or a number were left out before, so a guest without one here is an error of the server.
function withEmail(guest: WaitingGuest): WaitingGuest & { email: string } {
  if (guest.email === null) throw new Error('a guest without an address is written to');
  return { ...guest, email: guest.email };
}

function withPhone(guest: WaitingGuest): WaitingGuest & { phone: string } {
  if (guest.phone === null) throw new Error('a guest without a number is written to');
  return { ...guest, phone: guest.phone };
}

interface RecordedMessage {
  guest_id: string;
  message_id: string | null;
  left_out: LeftOutReason | null;
  told_as_of: Date | null;
}

async function recordMessages(
  transaction: Kysely<unknown>,
  roundId: string,
  guests: RecordedMessage[],
): Promise<void> {
  await sql`
    update round_guests set status = case when settled.message_id is null then 'left_out' else 'written' end,
      message_id = settled.message_id, left_out = settled.left_out, told_as_of = settled.told_as_of
    from json_to_recordset(${JSON.stringify(guests)}::json)
      as settled (guest_id uuid, message_id uuid, left_out text, told_as_of timestamptz)
    where round_id = ${roundId} and round_guests.guest_id = settled.guest_id`.execute(transaction);
}
