import { type Kysely, sql } from 'kysely';
import type { AppsRuntime } from '../../kernel/settings.ts';
import { HOME_CONTENT } from '../model/site-folders.ts';
import type { VolumeName } from './contents.ts';

/** Records of which runtime has the contents of environments, and which runtimes may still run something. */
export function createContentRecords(db: Kysely<unknown>) {
  return {
    /** Runtimes by content name; contents that are missing here were never created. */
    async of(environmentId: string): Promise<Map<string, AppsRuntime>> {
      const { rows } = await sql<{ content: string; runtime: AppsRuntime }>`
        select content, runtime from kept_contents where environment_id = ${environmentId}`.execute(db);
      return new Map(rows.map(({ content, runtime }) => [content, runtime]));
    },

    /** Environments with contents in a runtime other than this one; home folders count only with `homes`. */
    async elsewhere(runtime: AppsRuntime, { homes }: { homes: boolean }): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        select distinct environment_id as id from kept_contents
        where runtime <> ${runtime} and (${homes} or content <> ${HOME_CONTENT})`.execute(db);
      return new Set(rows.map(({ id }) => id));
    },

    /** True if a runtime has any content of any environment. */
    async isAnyAt(runtime: AppsRuntime): Promise<boolean> {
      const { rows } = await sql`select from kept_contents where runtime = ${runtime} limit 1`.execute(db);
      return rows.length > 0;
    },

    /** Runtimes that may still run or keep something, with their identities. */
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

    /** Records that a runtime runs nothing any more; it is kept on record while it has contents. */
    async leave(runtime: AppsRuntime): Promise<void> {
      await sql`
        delete from runtimes_used where runtime = ${runtime}
          and not exists (select from kept_contents where kept_contents.runtime = runtimes_used.runtime)`.execute(
        db,
      );
    },

    /** Records a content's runtime; does nothing if the environment no longer exists. */
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

    /** Deletes all records of a runtime. Returns the number of its contents, and whether it was on record. */
    async forgetAll(runtime: AppsRuntime): Promise<{ contents: number; wasAsked: boolean }> {
      const used = await sql`delete from runtimes_used where runtime = ${runtime}`.execute(db);
      const all = await sql`delete from kept_contents where runtime = ${runtime}`.execute(db);
      return { contents: Number(all.numAffectedRows ?? 0n), wasAsked: (used.numAffectedRows ?? 0n) > 0n };
    },
  };
}
