import { type Kysely, sql } from 'kysely';

/** What an operator lets one owner use in place of the settings (null: as they say), and how much of the disk an application fills. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table owner_budgets (
      account_id uuid primary key references users on delete cascade,
      applications integer check (applications >= 0),
      replicas integer check (replicas >= 0),
      memory_mb integer check (memory_mb >= 0),
      processes integer check (processes >= 0),
      disk_mb integer check (disk_mb >= 0)
    )`.execute(db);
  await sql`alter table applications add column disk_bytes bigint not null default 0`.execute(db);
}
