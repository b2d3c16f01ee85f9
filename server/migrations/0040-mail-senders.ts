import { type Kysely, sql } from 'kysely';

/** Who causes a mail, to which mailbox it goes, and when: counts and pauses are kept by them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `sender`: an organizer's or a user's id. `topic`: an event. `mailbox`: a keyed hash. `waits`: no job has it yet.
  await sql`
    alter table mails
      add column sender text check (sender <> ''),
      add column topic uuid,
      add column mailbox bytea check (length(mailbox) = 32),
      add column urgency text not null default 'ordinary'
        check (urgency in ('ordinary', 'requested', 'service', 'cancellation')),
      add column due_at timestamptz(3),
      add column waits boolean not null default false check (not waits or status = 'queued')`.execute(db);
  await sql`update mails set due_at = created_at`.execute(db);
  await sql`alter table mails alter column due_at set not null`.execute(db);
  await sql`create index mails_by_sender on mails (sender, due_at) where sender is not null`.execute(db);
  await sql`create index mails_by_mailbox on mails (mailbox, due_at)`.execute(db);
  await sql`create index mails_not_settled on mails (status) where settled_at is null`.execute(db);
  await sql`create index mails_that_wait on mails (due_at) where waits`.execute(db);
  await sql`
    create index mails_by_sender_settled on mails (sender, settled_at)
    where sender is not null and settled_at is not null`.execute(db);

  await sql`
    create table mail_senders (
      sender text primary key check (sender <> ''),
      stopped_at timestamptz(3),
      stopped_because text check (stopped_because in ('refused', 'complaint', 'operator')),
      -- When the operator last let the mail go again: what was refused before then is not held against the sender.
      released_at timestamptz(3),
      check ((stopped_because is null) = (stopped_at is null))
    )`.execute(db);
}
