import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import { forgetAnswersAbout, forgetAnswersTo } from '../../kernel/writes/idempotency.ts';
import { eraseMessages } from '../../webhooks/outbox.ts';
import type { EventWrite } from '../events/write.ts';
import { promoteFromWaitingList } from '../guests/capacity/waiting-list.ts';
import { hasContact } from '../guests/contacts.ts';
import { NO_DETAILS, personalFields } from '../guests/fields.ts';
import { guestParameters } from '../guests/rows.ts';
import { ERASED_NAME } from './messages.ts';

/** Number of guests erased in one statement, few enough to stay well within the statement time limit. */
const BATCH = 5_000;

/**
 * Erases all personal data of the guests of a locked event, everywhere it is stored. Returns the number of guests
 * erased. Their rows stay, with answers and meals, so that the counts remain correct.
 */
export async function eraseGuests({
  transaction,
  event,
  now,
  note,
  runFollowers,
}: EventWrite<{ id: string }>): Promise<number> {
  const eventId = event.id;
  note('guest', null, 'erased');
  await runFollowers();
  let erased = 0;
  for (let batch = BATCH; batch === BATCH; erased += batch) {
    batch = await eraseBatch(transaction, sql`event_id = ${eventId}`, now);
  }
  await sql`
    update round_calls set note = null
    where note is not null and guest_id in (select id from guests where event_id = ${eventId})`.execute(
    transaction,
  );
  await sql`delete from guest_links where event_id = ${eventId}`.execute(transaction);
  await sql`delete from deleted_guests where event_id = ${eventId}`.execute(transaction);
  await sql`delete from guest_requests where event_id = ${eventId}`.execute(transaction);
  await sql`delete from request_confirmations where event_id = ${eventId}`.execute(transaction);
  await sql`delete from answer_confirmations where event_id = ${eventId}`.execute(transaction);
  await sql`
    update history set changes = null
    where event_id = ${eventId} and starts_with(subject, 'guest') and changes is not null`.execute(
    transaction,
  );
  await forgetAnswersAbout(transaction, eventId);
  await eraseMessages(transaction, eventId);
  await sql`
    insert into event_retention (event_id, erased_at) values (${eventId}, ${toParameter(now)})
    on conflict (event_id) do update set erased_at = excluded.erased_at`.execute(transaction);
  return erased;
}

/**
 * Erases all data of one guest at their request. Before the event the guest is deleted, and freed places go to the
 * waiting list; after the event (`isOver`) an anonymous row stays for the counts.
 */
export async function eraseGuest(
  write: EventWrite<{ id: string }>,
  guestId: string,
  { isOver }: { isOver: boolean },
): Promise<void> {
  const { transaction, event, now, note, runFollowers } = write;
  note('guest', guestId, isOver ? 'erased' : 'deleted');
  await runFollowers();
  const guest = sql`id = ${guestId} and event_id = ${event.id}`;
  await sql`
    delete from guest_requests request using guests
    where guests.id = ${guestId} and request.event_id = ${event.id}
      and (request.guest_id = guests.id or ${hasContact('phone', sql`request.phone`)} or ${hasContact('email', sql`request.email`)})`.execute(
    transaction,
  );
  await sql`
    delete from request_confirmations asked using guests
    where guests.id = ${guestId} and asked.event_id = ${event.id}
      and (${hasContact('phone', sql`(asked.asker ->> 'phone')`)} or ${hasContact('email', sql`(asked.asker ->> 'email')`)})`.execute(
    transaction,
  );
  await sql`
    update history set changes = null
    where event_id = ${event.id} and subject = 'guest' and subject_id = ${guestId} and changes is not null`.execute(
    transaction,
  );
  await forgetAnswersTo(transaction, { about: event.id, caller: guestCallerId(guestId), names: guestId });
  await eraseMessages(transaction, event.id, guestId);
  if (isOver) {
    await sql`update round_calls set note = null where guest_id = ${guestId}`.execute(transaction);
    await sql`delete from guest_links where guest_id = ${guestId}`.execute(transaction);
    await sql`delete from answer_confirmations where guest_id = ${guestId}`.execute(transaction);
    await eraseBatch(transaction, guest, now);
    return;
  }
  await sql`delete from guests where ${guest}`.execute(transaction);
  await promoteFromWaitingList(write);
}

/** Caller id under which the idempotency keys of a guest's own requests are stored. */
export function guestCallerId(guestId: string): string {
  return `guest ${guestId}`;
}

async function eraseBatch(
  transaction: Kysely<unknown>,
  which: RawBuilder<unknown>,
  now: Temporal.Instant,
): Promise<number> {
  const empty = guestParameters(NO_DETAILS);
  const set = personalFields.map((field) => sql`${sql.ref(field)} = ${empty[field]}`);
  const left = personalFields.map((field) => sql`${sql.ref(field)} is distinct from ${empty[field]}`);
  const { numAffectedRows = 0n } = await sql`
    update guests set name = ${ERASED_NAME}, ${sql.join(set)},
      link_version = link_version + 1, updated_at = ${toParameter(now)}
    where id in (
      select id from guests
      where ${which} and (name <> ${ERASED_NAME} or ${sql.join(left, sql` or `)})
      limit ${BATCH}
    )`.execute(transaction);
  return Number(numAffectedRows);
}
