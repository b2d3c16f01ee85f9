import { parameter } from '../../../kernel/database/transaction.ts';

/** How long an event that was deleted, or what was deleted from one, may come back. */
export const KEPT_DAYS = 30;

/** When something was deleted, and until when it may come back. */
export function timesOf(deletedAt: Date): { deleted_at: string; until: string } {
  const until = deletedAt.toTemporalInstant().add({ hours: KEPT_DAYS * 24 });
  return { deleted_at: deletedAt.toISOString(), until: parameter(until) };
}

/** From when on what was deleted may still come back. */
export function oldest(now: Temporal.Instant): string {
  return parameter(now.subtract({ hours: KEPT_DAYS * 24 }));
}
