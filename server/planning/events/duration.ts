import { type RawBuilder, sql } from 'kysely';

/** Assumed length, in minutes, of an event whose organizer gave none. */
export const USUAL_MINUTES = 5 * 60;

/** SQL for the length of an event in minutes. The query must join its `invitations` row as `invitation`. */
export const durationMinutes: RawBuilder<number> = sql`coalesce(invitation.lasts_minutes, ${sql.lit(USUAL_MINUTES)})`;
