import { type Kysely, sql } from 'kysely';

/** Invitations and reminders by mail: each round of them, and whom it is for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table invitations (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      kind text not null check (kind in ('invitation', 'reminder')),
      message text check (message <> ''),
      without_email integer not null check (without_email >= 0),
      unsubscribed integer not null check (unsubscribed >= 0),
      created_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index invitations_by_event on invitations (event_id, id)`.execute(db);

  // One row a guest and round, so however often a job is worked again there is one mail.
  await sql`
    create table invitation_guests (
      invitation_id uuid not null references invitations on delete cascade,
      guest_id uuid not null references guests on delete cascade,
      status text not null default 'waiting' check (status in ('waiting', 'mailed', 'skipped')),
      mail_id uuid,
      primary key (invitation_id, guest_id),
      check ((mail_id is not null) = (status = 'mailed'))
    )`.execute(db);
  await sql`
    create index invitation_guests_waiting on invitation_guests (invitation_id, guest_id)
    where status = 'waiting'`.execute(db);
  await sql`create index invitation_guests_by_guest on invitation_guests (guest_id)`.execute(db);
}
