import { type Kysely, sql } from 'kysely';

/** A deleted event is cancelled as well; brought back, it stands where it stood before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table events
      add column deleted_as text check (deleted_as in ('draft', 'published', 'cancelled', 'completed')),
      add check (deleted_as is null or deleted_at is not null)`.execute(db);
  await sql`
    create index events_deleted on events (organizer_id, deleted_at desc) where deleted_at is not null`.execute(
    db,
  );
}
