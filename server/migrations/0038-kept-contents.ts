import { type Kysely, sql } from 'kysely';

/**
 * Which runtime has what outlives an environment's releases, its home and its volumes, and which may run something still, by what
 * names it: whoever
 * runs sites otherwise brings the one along and ends the other. By `sites_identity` a server knows a folder of its own again, whatever
 * becomes of this database's key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kept_contents (
      environment_id uuid not null references environments on delete cascade,
      content text not null,
      runtime text not null,
      primary key (environment_id, content)
    )`.execute(db);
  await sql`
    create table runtimes_used (
      runtime text primary key,
      identity text not null
    )`.execute(db);
  await sql`
    create table sites_identity (
      is_the_one boolean primary key default true check (is_the_one),
      id uuid not null default gen_random_uuid()
    )`.execute(db);
}
