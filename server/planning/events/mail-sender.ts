import { type Kysely, sql } from 'kysely';
import type { MailSender } from '../../kernel/mail/origin.ts';
import { UUID_PATTERN } from './organizer-email.ts';

/**
 * The organizer whose mail budget pays for mails about an event. `since` is their registration or their first event,
 * whichever is earlier; the budget is smaller on the first day.
 */
export async function mailSenderOf(db: Kysely<unknown>, eventId: string): Promise<MailSender> {
  const { rows } = await sql<{ id: string; since: Date }>`
    select organizer_id as id, least(
      (
        select registered_at from users
        where verified and user_id = case when organizer_id ~* ${UUID_PATTERN} then organizer_id::uuid end
      ),
      (select min(created_at) from events own where own.organizer_id = events.organizer_id)
    ) as since
    from events where id = ${eventId}`.execute(db);
  if (!rows[0]) throw new Error('an event is never removed');
  return { id: rows[0].id, since: rows[0].since.toTemporalInstant() };
}
