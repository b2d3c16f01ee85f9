import { type Kysely, sql } from 'kysely';

/** Each line of a plan can be set (hosting/plans/plan.ts), and a repository's own default branch is asked for where none is named. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table applications
      alter column branch drop not null,
      add column type text check (type in ('static', 'server', 'auto')),
      add column install text,
      add column publish text,
      add column spa text check (spa in ('true', 'false', 'auto')),
      add column port integer check (port between 1 and 65535)`.execute(db);
}
