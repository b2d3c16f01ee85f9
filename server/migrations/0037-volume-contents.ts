import { type Kysely, sql } from 'kysely';

/**
 * By which `content` runtimes know what is in a volume now. What is brought back becomes another content beside it, and takes its
 * place by this alone; one that is no volume's, not yet or not any more, is left over.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table volumes add column content text`.execute(db);
  await sql`update volumes set content = name`.execute(db);
  await sql`alter table volumes alter column content set not null`.execute(db);
  await sql`
    create table volume_leftovers (
      environment_id uuid not null references environments on delete cascade,
      content text not null,
      left_at timestamptz(3) not null default clock_timestamp(),
      primary key (environment_id, content)
    )`.execute(db);
}
