import { type RawBuilder, sql } from 'kysely';

export const UUID_PATTERN = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/**
 * SQL for the address of an event's organizer, null where none is known: that of the user, else the one their token
 * carried when they last changed the event. `event` is what the row of `events` goes by.
 */
export function organizerEmail(event: string): RawBuilder<string | null> {
  const id = sql.ref(`${event}.id`);
  const organizer = sql.ref(`${event}.organizer_id`);
  return sql`
    coalesce(
      (
        select email from users
        where verified and user_id = case when ${organizer} ~* ${UUID_PATTERN} then ${organizer}::uuid end
      ),
      (
        select actor_email from history
        where event_id = ${id} and actor_kind = 'organizer' and actor_id = ${organizer} and actor_email is not null
        order by history.id desc limit 1
      )
    )`;
}
