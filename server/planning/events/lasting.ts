import { type Kysely, type RawBuilder, sql } from 'kysely';

/** How long an event is taken to last of which nobody said so. */
export const USUAL_MINUTES = 5 * 60;

/** SQL for how many minutes an event lasts, joined with its row of `invitations` by the name `invitation`. */
export const lastsMinutes: RawBuilder<number> = sql`coalesce(invitation.lasts_minutes, ${sql.lit(USUAL_MINUTES)})`;

/** How long an event lasts, as its organizer said; null where they did not. */
export async function saidDuration(db: Kysely<unknown>, eventId: string): Promise<Temporal.Duration | null> {
  const { rows } = await sql<{ minutes: number | null }>`
    select lasts_minutes as minutes from invitations where event_id = ${eventId}`.execute(db);
  const minutes = rows[0]?.minutes ?? null;
  return minutes === null ? null : Temporal.Duration.from({ minutes });
}
