import { type Kysely, type RawBuilder, sql } from 'kysely';

export const UUID_PATTERN = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/**
 * Ids of organizers with this email address: the address of the user, or the address in an organizer's access token.
 */
export async function organizersOf(db: Kysely<unknown>, address: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select user_id::text as id from users where verified and lower(email) = ${address.toLowerCase()}
    union
    select actor_id from history where actor_kind = 'organizer' and lower(actor_email) = ${address.toLowerCase()}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Email addresses of organizers by their ids; organizers without a known address are left out. */
export async function addressesOf(
  db: Kysely<unknown>,
  organizers: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; email: string }>`
    select organizer as id, email from unnest(${[...organizers]}::text[]) organizer cross join lateral (
      select coalesce(
        (select email from users where verified and user_id = case when organizer ~* ${UUID_PATTERN} then organizer::uuid end),
        (
          select actor_email from history
          where actor_kind = 'organizer' and actor_id = organizer and actor_email is not null
          order by history.id desc limit 1
        )
      ) as email
    ) known
    where email is not null`.execute(db);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/**
 * SQL for the email address of an event's organizer, or null: the user's, else the address in their access token when
 * they last changed the event. `event` is the alias of the `events` row in the query.
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
