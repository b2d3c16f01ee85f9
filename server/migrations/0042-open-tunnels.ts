import { type Kysely, sql } from 'kysely';

/** A gateway has WebSockets open to an instance that it sends no requests to any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table instances_let_go add column has_tunnels boolean not null default false`.execute(db);
}
