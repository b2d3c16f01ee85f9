import { type Kysely, sql } from 'kysely';
import type { AppsRuntime } from '../../kernel/config.ts';
import { HOME_CONTENT } from '../model/site-folders.ts';
import type { VolumeName } from './contents.ts';

/** Which runtime has what outlives the releases of environments, and which may run something still. */
export function createMigratingContents(db: Kysely<unknown>) {
  return {
    /** By the names of an environment's contents; what is not among them has never been made. */
    async of(environmentId: string): Promise<Map<string, AppsRuntime>> {
      const { rows } = await sql<{ content: string; runtime: AppsRuntime }>`
        select content, runtime from kept_contents where environment_id = ${environmentId}`.execute(db);
      return new Map(rows.map(({ content, runtime }) => [content, runtime]));
    },

    /** Of which environments another runtime than this one has something; a home alone counts where `homes`. */
    async elsewhere(runtime: AppsRuntime, { homes }: { homes: boolean }): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        select distinct environment_id as id from kept_contents
        where runtime <> ${runtime} and (${homes} or content <> ${HOME_CONTENT})`.execute(db);
      return new Set(rows.map(({ id }) => id));
    },

    /** Whether a runtime has anything of any environment's. */
    async isAnyAt(runtime: AppsRuntime): Promise<boolean> {
      const { rows } = await sql`select from kept_contents where runtime = ${runtime} limit 1`.execute(db);
      return rows.length > 0;
    },

    /** Those that may run or keep something still, with what names them. */
    async used(): Promise<Map<AppsRuntime, string>> {
      const { rows } = await sql<{ runtime: AppsRuntime; identity: string }>`
        select runtime, identity from runtimes_used`.execute(db);
      return new Map(rows.map(({ runtime, identity }) => [runtime, identity]));
    },

    async use(runtime: AppsRuntime, identity: string): Promise<void> {
      await sql`
        insert into runtimes_used (runtime, identity) values (${runtime}, ${identity})
        on conflict (runtime) do update set identity = excluded.identity`.execute(db);
    },

    /** It runs nothing any more: it is asked no more, unless it keeps something. */
    async leave(runtime: AppsRuntime): Promise<void> {
      await sql`
        delete from runtimes_used where runtime = ${runtime}
          and not exists (select from kept_contents where kept_contents.runtime = runtimes_used.runtime)`.execute(
        db,
      );
    },

    /** Nothing where the environment is gone. */
    async note(
      { environmentId, name }: VolumeName,
      runtime: AppsRuntime,
      through: Kysely<unknown> = db,
    ): Promise<void> {
      await sql`
        insert into kept_contents (environment_id, content, runtime)
        select environment_id, ${name}, ${runtime} from environments where environment_id = ${environmentId}
        on conflict (environment_id, content) do update set runtime = excluded.runtime`.execute(through);
    },

    async forget({ environmentId, name }: VolumeName): Promise<void> {
      await sql`
        delete from kept_contents where environment_id = ${environmentId} and content = ${name}`.execute(db);
    },

    /** Nor is it asked again. Gives how many contents there were, and whether it was asked. */
    async forgetAll(runtime: AppsRuntime): Promise<{ contents: number; wasAsked: boolean }> {
      const used = await sql`delete from runtimes_used where runtime = ${runtime}`.execute(db);
      const all = await sql`delete from kept_contents where runtime = ${runtime}`.execute(db);
      return { contents: Number(all.numAffectedRows ?? 0n), wasAsked: (used.numAffectedRows ?? 0n) > 0n };
    },
  };
}
