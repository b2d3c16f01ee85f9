import { type Kysely, sql } from 'kysely';

/**
 * What runs in a cluster is several in one instance, wherever there is room: `numbers` are those that are well, and
 * `targets` where their requests go now, which may be nowhere for a while. Whoever is of the same `cluster` finds and reaches them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table hosting_lease add column cluster text`.execute(db);
  await sql`
    alter table instances
      add column targets jsonb not null default '[]',
      add column numbers integer[] not null default '{1}',
      drop constraint instances_target`.execute(db);
  await sql`
    update instances set numbers = array[number],
      targets = case when target is null then '[]' else jsonb_build_array(target) end`.execute(db);
  await sql`alter table instances drop column target`.execute(db);
}
