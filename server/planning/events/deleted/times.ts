import { toParameter } from '../../../kernel/database/transaction.ts';

/** Number of days in which a deleted event, or a record deleted from an event, can be restored. */
export const RESTORE_DAYS = 30;

/** Time of a deletion, and the time until which the deletion can be undone. */
export function deletionTimesOf(deletedAt: Date): { deleted_at: string; until: string } {
  const until = deletedAt.toTemporalInstant().add({ hours: RESTORE_DAYS * 24 });
  return { deleted_at: deletedAt.toISOString(), until: toParameter(until) };
}

/** Earliest time of a deletion that can still be undone now. */
export function earliestRestorable(now: Temporal.Instant): string {
  return toParameter(now.subtract({ hours: RESTORE_DAYS * 24 }));
}
