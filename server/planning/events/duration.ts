import { type RawBuilder, sql } from 'kysely';

/** How long an event is taken to last of which nobody said so. */
export const USUAL_MINUTES = 5 * 60;

/** SQL for how many minutes an event lasts, joined with its row of `invitations` by the name `invitation`. */
export const durationMinutes: RawBuilder<number> = sql`coalesce(invitation.lasts_minutes, ${sql.lit(USUAL_MINUTES)})`;
