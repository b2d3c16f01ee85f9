import { type Kysely, sql } from 'kysely';
import type { AppsRuntime } from '../../kernel/config.ts';
import type { VolumeName } from './contents.ts';

/** Which runtime has what outlives the releases of environments. */
export function createKeptContents(db: Kysely<unknown>) {
  return {
    /** By the names of an environment's contents; what is not among them has never been made. */
    async of(environmentId: string): Promise<Map<string, AppsRuntime>> {
      const { rows } = await sql<{ content: string; runtime: AppsRuntime }>`
        select content, runtime from kept_contents where environment_id = ${environmentId}`.execute(db);
      return new Map(rows.map(({ content, runtime }) => [content, runtime]));
    },

    async runtimes(): Promise<AppsRuntime[]> {
      const { rows } = await sql<{
        runtime: AppsRuntime;
      }>`select distinct runtime from kept_contents`.execute(db);
      return rows.map(({ runtime }) => runtime);
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
