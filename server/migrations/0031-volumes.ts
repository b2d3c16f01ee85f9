import { type Kysely, sql } from 'kysely';

/** Folders of an environment that outlive its releases, and where its processes find them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table volumes (
      environment_id uuid not null references environments on delete cascade,
      name text not null,
      path text not null,
      created_at timestamptz(3) not null,
      primary key (environment_id, name),
      unique (environment_id, path)
    )`.execute(db);
}
