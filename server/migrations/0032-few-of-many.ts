import { type Kysely, sql } from 'kysely';

/** Few lines of a long history, and few messages of many, are found without a look at the others: those of other events among them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Answers that guests gave, and what came of them, by their times.
  await sql`
    create index history_answers on history (event_id, at, subject_id)
    where subject = 'guest' and (
      action = 'moved_up'
      or (action = 'answered' and actor_kind = 'guest')
      or (action = 'accepted' and actor_kind = 'system')
    )`.execute(db);
  // How its time and place came to be so, and the address that its organizer last had.
  await sql`
    create index history_of_events on history (event_id, id) where subject = 'event' and action = 'changed'`.execute(
    db,
  );
  await sql`
    create index history_addresses on history (event_id, actor_id, id) include (actor_email)
    where actor_kind = 'organizer' and actor_email is not null`.execute(db);
  // What did not arrive, by the sender's own names for it, letter by letter whatever the database's locale.
  await sql`
    create index mails_refused on mails (key collate "C") include (id) where status = 'refused'`.execute(db);
  await sql`
    create index texts_refused on texts (key collate "C") include (id) where status = 'refused'`.execute(db);
}
