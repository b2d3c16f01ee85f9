import { type Kysely, sql } from 'kysely';

/** Which runtime has what outlives an environment's releases, its home and its volumes: whoever runs it otherwise brings that along. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kept_contents (
      environment_id uuid not null references environments on delete cascade,
      content text not null,
      runtime text not null,
      primary key (environment_id, content)
    )`.execute(db);
}
