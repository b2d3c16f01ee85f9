import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { Texts } from '../../kernel/texts/texts.ts';
import type { Follower } from '../events/write.ts';
import type { LeftOutReason } from './audience.ts';
import { declinedKey, subjectIdsOf } from './automatic-messages.ts';
import { isTimely, ROUND_KINDS } from './kinds.ts';
import { lockRoundEvent } from './round-event.ts';

export interface WithdrawalParts {
  mail: Pick<Mail, 'withdraw' | 'idsOf'>;
  texts: Pick<Texts, 'withdraw'>;
}

/** Withdraws queued messages that a change makes outdated or unwanted; their rounds then leave those guests out. */
export function withdrawOutdated({ mail, texts }: WithdrawalParts): Follower {
  return async ({ transaction, event, now }, lines) => {
    const ofEvent = lines.filter(({ subject }) => subject === 'event');
    if (ofEvent.some(({ action, changes }) => action === 'deleted' || changes?.status)) {
      const occasion = await lockRoundEvent(transaction, event.id);
      const untimely = ROUND_KINDS.filter((kind) => !isTimely(kind, occasion, now));
      await withdraw(transaction, event.id, sql`rounds.kind = any(${untimely}::text[])`, 'not_now');
    }
    const unsubscribed = subjectIdsOf(lines, 'guest', 'unsubscribed');
    if (unsubscribed.length > 0) await withdraw(transaction, event.id, to(unsubscribed), 'unsubscribed');
    // When a guest is deleted, they are also removed from the rounds that had no message for them yet, so a restored
    // guest is not in these rounds.
    const deleted = subjectIdsOf(lines, 'guest', 'deleted');
    if (deleted.length > 0) await withdraw(transaction, event.id, to(deleted), null);
    const erased = lines.filter(({ subject, action }) => subject === 'guest' && action === 'erased');
    if (erased.length === 0) return;
    const isAll = erased.some(({ subject_id }) => subject_id === null);
    const theirs = isAll ? sql`true` : to(subjectIdsOf(erased, 'guest', 'erased'));
    await withdraw(transaction, event.id, theirs, 'erased');
    await sql`
      update round_guests set status = 'left_out', left_out = 'erased'
      from rounds
      where rounds.id = round_id and rounds.event_id = ${event.id} and status = 'waiting' and ${theirs}`.execute(
      transaction,
    );
    if (isAll) await withdrawDeclining(transaction, event.id);
  };

  /**
   * Withdraws the queued mails that decline requests to come: they go to people who are not guests, and belong to no
   * round.
   */
  async function withdrawDeclining(transaction: Kysely<unknown>, eventId: string): Promise<void> {
    const { rows } = await sql<{ id: string }>`
      select id from guest_requests where event_id = ${eventId} and status = 'declined'`.execute(transaction);
    const keys = rows.map(({ id }) => declinedKey(id));
    await mail.withdraw(transaction, await mail.idsOf(transaction, keys));
  }

  /**
   * Withdraws queued messages. `why` is the reason with which their rounds then leave the guests out; with null the
   * guests wait for the message again.
   */
  async function withdraw(
    transaction: Kysely<unknown>,
    eventId: string,
    which: RawBuilder<unknown>,
    why: LeftOutReason | null,
  ): Promise<void> {
    const { rows } = await sql<{ id: string; is_mail: boolean }>`
      select message_id as id, rounds.channel = 'mail' as is_mail
      from round_guests join rounds on rounds.id = round_id
      where rounds.event_id = ${eventId} and message_id is not null and ${which}`.execute(transaction);
    const ids = (isMail: boolean) => rows.filter(({ is_mail }) => is_mail === isMail).map(({ id }) => id);
    const withdrawn = [
      ...(await mail.withdraw(transaction, ids(true))),
      ...(await texts.withdraw(transaction, ids(false))),
    ];
    if (withdrawn.length === 0) return;
    // A guest whose message was withdrawn does not count as notified, so they get no message about later changes
    // either.
    await sql`
      update round_guests set status = ${why ? 'left_out' : 'waiting'}, left_out = ${why},
        message_id = null, told_as_of = null
      from rounds
      where rounds.id = round_id and rounds.event_id = ${eventId} and message_id = any(${withdrawn}::uuid[])`.execute(
      transaction,
    );
  }
}

function to(guestIds: readonly string[]): RawBuilder<unknown> {
  return sql`guest_id = any(${[...guestIds]}::uuid[])`;
}
