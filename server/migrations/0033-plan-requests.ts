import { type Kysely, sql } from 'kysely';

/** What a deployment would do is asked of whoever runs the sites, an environment's one question at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plan_requests (
      plan_id uuid primary key,
      environment_id uuid not null references environments on delete cascade,
      asked_at timestamptz(3) not null,
      answer jsonb
    )`.execute(db);
  await sql`
    create unique index plan_requests_open on plan_requests (environment_id) where answer is null`.execute(
    db,
  );
  await sql`create index plan_requests_environment on plan_requests (environment_id)`.execute(db);
  await sql`
    create trigger plan_requests_announce after insert on plan_requests
    for each row execute function announce_environment()`.execute(db);
}
