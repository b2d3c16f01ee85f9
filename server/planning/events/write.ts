import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { type FieldChanges, recordChange } from '../../kernel/writes/history.ts';
import { authorOf, type OpenEvent, writableEvent } from './access.ts';

/** A change of what belongs to an event, under way. */
export interface EventWrite {
  transaction: Kysely<unknown>;
  /** Locked, and open to the caller. */
  event: OpenEvent;
  now: Temporal.Instant;
  /** Writes a line of the event's history in the caller's name. A `changed` without changes is none. */
  note(subject: string, subjectId: string | null, action: string, changes?: FieldChanges): Promise<void>;
}

/**
 * Changes what belongs to an event in one transaction, which is `db`'s own where it is one (inside `once`).
 * `enter` says who may: by default whoever may edit the event, and not once it is cancelled.
 *
 * @example
 * await writeInEvent(db, request.caller, id, clock(), async ({ transaction, event, note, now }) => {
 *   const guest = await store.add(transaction, event.id, input, now);
 *   await note('guest', guest.id, 'created');
 * });
 */
export function writeInEvent<T>(
  db: Kysely<unknown>,
  caller: Caller,
  eventId: string,
  now: Temporal.Instant,
  work: (write: EventWrite) => Promise<T>,
  enter: (transaction: Kysely<unknown>, caller: Caller, id: string) => Promise<OpenEvent> = writableEvent,
): Promise<T> {
  return inTransaction(db, async (transaction) => {
    const event = await enter(transaction, caller, eventId);
    return work({
      transaction,
      event,
      now,
      async note(subject, subjectId, action, changes) {
        if (action === 'changed' && !changes) return;
        await recordChange(transaction, {
          event_id: event.id,
          at: now,
          by: authorOf(caller),
          subject,
          subject_id: subjectId,
          action,
          ...(changes && { changes }),
        });
      },
    });
  });
}
