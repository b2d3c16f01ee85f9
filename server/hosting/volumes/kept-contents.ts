import { type Kysely, sql } from 'kysely';
import type { AppsRuntime } from '../../kernel/config.ts';
import { HOME_CONTENT } from '../builds/site-folders.ts';
import type { VolumeName } from './contents.ts';

/** Which runtime has what outlives the releases of environments, and which may run something still. */
export function createKeptContents(db: Kysely<unknown>) {
  return {
    /** By the names of an environment's contents; what is not among them has never been made. */
    async of(environmentId: string): Promise<Map<string, AppsRuntime>> {
      const { rows } = await sql<{ content: string; runtime: AppsRuntime }>`
        select content, runtime from kept_contents where environment_id = ${environmentId}`.execute(db);
      return new Map(rows.map(({ content, runtime }) => [content, runtime]));
    },

    /** Of which environments another runtime than this one has something; of their homes alone where `homes`. */
    async elsewhere(runtime: AppsRuntime, { homes }: { homes: boolean }): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        select distinct environment_id as id from kept_contents
        where runtime <> ${runtime} and (${homes} or content <> ${HOME_CONTENT})`.execute(db);
      return new Set(rows.map(({ id }) => id));
    },

    /** Those that may run something still. */
    async used(): Promise<AppsRuntime[]> {
      const { rows } = await sql<{ runtime: AppsRuntime }>`select runtime from runtimes_used`.execute(db);
      return rows.map(({ runtime }) => runtime);
    },

    async use(runtime: AppsRuntime): Promise<void> {
      await sql`insert into runtimes_used (runtime) values (${runtime}) on conflict do nothing`.execute(db);
    },

    /** It runs nothing any more. */
    async leave(runtime: AppsRuntime): Promise<void> {
      await sql`delete from runtimes_used where runtime = ${runtime}`.execute(db);
    },

    async keepsAny(runtime: AppsRuntime): Promise<boolean> {
      const { rows } = await sql`select from kept_contents where runtime = ${runtime} limit 1`.execute(db);
      return rows.length > 0;
    },

    /** Nothing where the environment is gone. */
    async note({ environmentId, name }: VolumeName, runtime: AppsRuntime): Promise<void> {
      await sql`
        insert into kept_contents (environment_id, content, runtime)
        select environment_id, ${name}, ${runtime} from environments where environment_id = ${environmentId}
        on conflict (environment_id, content) do update set runtime = excluded.runtime`.execute(db);
    },

    async forget({ environmentId, name }: VolumeName): Promise<void> {
      await sql`
        delete from kept_contents where environment_id = ${environmentId} and content = ${name}`.execute(db);
    },

    /** Gives how many there were. */
    async forgetAll(runtime: AppsRuntime): Promise<number> {
      const { numAffectedRows = 0n } =
        await sql`delete from kept_contents where runtime = ${runtime}`.execute(db);
      return Number(numAffectedRows);
    },
  };
}
