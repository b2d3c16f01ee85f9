import { type Kysely, sql } from 'kysely';

/**
 * Mail and texts to phones on their way out. `content` is sealed and goes when the mail has gone: it carries codes and addresses.
 * `problem` is a code with parameters. `key` is the sender's own name for a mail, and lets it be asked for twice and sent once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mails (
      id uuid primary key,
      key text unique check (key <> ''),
      status text not null default 'queued' check (status in ('queued', 'asked', 'unknown', 'sent', 'refused')),
      content text check ((content is null) = (status not in ('queued', 'asked'))),
      problem jsonb,
      created_at timestamptz(3) not null,
      settled_at timestamptz(3) check ((settled_at is null) = (status in ('queued', 'asked')))
    )`.execute(db);
  await sql`create index mails_by_settling on mails (settled_at) where settled_at is not null`.execute(db);

  await sql`
    create table texts (
      id uuid primary key,
      key text not null unique check (key <> ''),
      channel text not null check (channel in ('sms', 'whatsapp')),
      -- Who is counted for it.
      on_behalf_of text not null check (on_behalf_of <> ''),
      status text not null default 'queued'
        check (status in ('queued', 'asked', 'unknown', 'sent', 'refused', 'delivered', 'read')),
      content text check ((content is null) = (status not in ('queued', 'asked'))),
      problem jsonb,
      created_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index texts_by_whom on texts (on_behalf_of, created_at)`.execute(db);
  await sql`create index texts_by_age on texts (created_at)`.execute(db);
}
