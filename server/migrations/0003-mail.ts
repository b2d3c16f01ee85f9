import { type Kysely, sql } from 'kysely';

/**
 * Mail on its way out. `content` is sealed and goes when the mail has gone: it carries codes and addresses.
 * `key` is the sender's own name for a mail, and lets it be asked for twice and sent once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mails (
      id uuid primary key,
      key text unique check (key <> ''),
      status text not null default 'queued' check (status in ('queued', 'sent', 'refused')),
      content text check ((content is null) = (status <> 'queued')),
      problem text,
      created_at timestamptz(3) not null,
      settled_at timestamptz(3) check ((settled_at is null) = (status = 'queued'))
    )`.execute(db);
  await sql`create index mails_by_settling on mails (settled_at) where settled_at is not null`.execute(db);
}
