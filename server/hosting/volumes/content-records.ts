import { type Kysely, sql } from 'kysely';
import type { AppsRuntime } from '../../kernel/settings.ts';
import { HOME_CONTENT } from '../model/site-folders.ts';
import type { VolumeName } from './contents.ts';

/** Records of which runtime has each volume's content, and of the runtimes that may still run instances. */
export class ContentRecords {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  /**
   * Finds the runtimes that have an environment's contents, by content name. A content without a record was never
   * created.
   */
  async findRuntimes(environmentId: string): Promise<Map<string, AppsRuntime>> {
    const { rows } = await sql<{ content: string; runtime: AppsRuntime }>`
      select content, runtime from kept_contents where environment_id = ${environmentId}`.execute(this.#db);
    return new Map(rows.map(({ content, runtime }) => [content, runtime]));
  }

  /**
   * Environments whose volumes have contents in a runtime other than `runtime`. With `homes`, home folders are counted
   * too.
   */
  async findEnvironmentsElsewhere(runtime: AppsRuntime, { homes }: { homes: boolean }): Promise<Set<string>> {
    const { rows } = await sql<{ id: string }>`
      select distinct environment_id as id from kept_contents
      where runtime <> ${runtime} and (${homes} or content <> ${HOME_CONTENT})`.execute(this.#db);
    return new Set(rows.map(({ id }) => id));
  }

  /** True if a runtime has the content of any environment's volume. */
  async hasContentsIn(runtime: AppsRuntime): Promise<boolean> {
    const { rows } = await sql`select from kept_contents where runtime = ${runtime} limit 1`.execute(
      this.#db,
    );
    return rows.length > 0;
  }

  /** Runtimes that may still run instances or have contents of volumes, each with the id of its engine or cluster. */
  async findUsedRuntimes(): Promise<Map<AppsRuntime, string>> {
    const { rows } = await sql<{ runtime: AppsRuntime; identity: string }>`
      select runtime, identity from runtimes_used`.execute(this.#db);
    return new Map(rows.map(({ runtime, identity }) => [runtime, identity]));
  }

  /** Records that a runtime is used from now on. */
  async addUsedRuntime(runtime: AppsRuntime, identity: string): Promise<void> {
    await sql`
      insert into runtimes_used (runtime, identity) values (${runtime}, ${identity})
      on conflict (runtime) do update set identity = excluded.identity`.execute(this.#db);
  }

  /** Records that a runtime runs no instances any more. Its record stays as long as it has contents of volumes. */
  async removeUsedRuntime(runtime: AppsRuntime): Promise<void> {
    await sql`
      delete from runtimes_used where runtime = ${runtime}
        and not exists (select from kept_contents where kept_contents.runtime = runtimes_used.runtime)`.execute(
      this.#db,
    );
  }

  /** Records which runtime has a volume's content; does nothing if the environment no longer exists. */
  async setRuntime(
    { environmentId, name }: VolumeName,
    runtime: AppsRuntime,
    through: Kysely<unknown> = this.#db,
  ): Promise<void> {
    await sql`
      insert into kept_contents (environment_id, content, runtime)
      select environment_id, ${name}, ${runtime} from environments where environment_id = ${environmentId}
      on conflict (environment_id, content) do update set runtime = excluded.runtime`.execute(through);
  }

  /** Deletes the record of a volume's content. */
  async forget({ environmentId, name }: VolumeName): Promise<void> {
    await sql`
      delete from kept_contents where environment_id = ${environmentId} and content = ${name}`.execute(
      this.#db,
    );
  }

  /**
   * Deletes all records of a runtime. Returns the number of volume contents that it had, and true in `wasUsed` if it
   * had a record.
   */
  async forgetRuntime(runtime: AppsRuntime): Promise<{ contents: number; wasUsed: boolean }> {
    const used = await sql`delete from runtimes_used where runtime = ${runtime}`.execute(this.#db);
    const all = await sql`delete from kept_contents where runtime = ${runtime}`.execute(this.#db);
    return { contents: Number(all.numAffectedRows ?? 0n), wasUsed: (used.numAffectedRows ?? 0n) > 0n };
  }
}
