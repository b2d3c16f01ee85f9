import { type Kysely, sql } from 'kysely';
import { insertInto } from '../../kernel/database/rows.ts';
import { newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { lockApplication } from '../model/deployment-rows.ts';
import type { Volume } from '../model/volume.ts';
import type { VolumeName } from './contents.ts';
import { MOST_VOLUMES } from './fields.ts';
import { messages } from './messages.ts';

export interface VolumeRow extends Volume {
  created_at: Date;
}

/** What is brought back is there sooner, or never. */
const MOST_FILLED_MS = 1_800_000;
/** Longer, by far. */
const KEPT_MS = 3_600_000;
const MOST_LEFTOVERS = 100;

export type VolumeStore = ReturnType<typeof createVolumeStore>;

/** The volumes of environments. What changes them throws Cancelled when the environment is gone. */
export function createVolumeStore(db: Kysely<unknown>) {
  const columns = sql`name, path, content, created_at`;
  return {
    /** In the order of their names. */
    async list(environmentId: string): Promise<VolumeRow[]> {
      const { rows } = await sql<VolumeRow>`
        select ${columns} from volumes where environment_id = ${environmentId} order by name`.execute(db);
      return rows;
    },

    async find(environmentId: string, name: string): Promise<VolumeRow | undefined> {
      const { rows } = await sql<VolumeRow>`
        select ${columns} from volumes where environment_id = ${environmentId} and name = ${name}`.execute(
        db,
      );
      return rows[0];
    },

    /** Throws a 409 where its name or path is taken, or there are too many. */
    add(
      environmentId: string,
      volume: Omit<Volume, 'content'>,
      now: Temporal.Instant,
      through: Kysely<unknown>,
    ): Promise<VolumeRow> {
      return lockApplication(through, environmentId, async (transaction) => {
        const { rows: there } = await sql<Omit<Volume, 'content'>>`
          select name, path from volumes where environment_id = ${environmentId}`.execute(transaction);
        if (there.some(({ name, path }) => name === volume.name || overlap(path, volume.path)))
          throw new Refusal(409, 'volume_taken', messages.taken);
        if (there.length >= MOST_VOLUMES)
          throw new Refusal(409, 'too_many_volumes', messages.tooMany(MOST_VOLUMES));
        const content = newContent(volume.name);
        const row = { environment_id: environmentId, ...volume, content, created_at: now };
        const { rows } = await sql<VolumeRow>`
          ${insertInto('volumes', row)} returning ${columns}`.execute(transaction);
        const [added] = rows;
        if (!added) throw new Error('insert returned no row');
        return added;
      });
    },

    /**
     * Does `work` while nothing of the environment runs, or begins to: throws a 409 where its site is not stopped, or a command runs. `work` is in
     * the transaction.
     */
    whileStopped<T>(environmentId: string, work: (transaction: Kysely<unknown>) => Promise<T>): Promise<T> {
      return lockApplication(db, environmentId, async (transaction) => {
        const { rows } = await sql<{ runs: boolean; command: boolean; ends: boolean }>`
          select exists (select from sites where environment_id = ${environmentId} and state <> 'stopped')
              or exists (select from deployments where environment_id = ${environmentId} and status = 'starting') as runs,
            exists (select from runs where environment_id = ${environmentId} and status in ('waiting', 'running')) as command,
            exists (select from instances where environment_id = ${environmentId}) as ends`.execute(
          transaction,
        );
        const [{ runs, command, ends } = {}] = rows;
        if (runs) throw new Refusal(409, 'site_runs', messages.running);
        if (command) throw new Refusal(409, 'command_runs', messages.commandRuns);
        if (ends) throw new Refusal(409, 'site_ends', messages.ending);
        return work(transaction);
      });
    },

    /** Gives a volume another content, which was left over till now; the one before is. Throws where it was so for too long. */
    async replace(
      environmentId: string,
      { name, content }: VolumeRow,
      fresh: string,
      transaction: Kysely<unknown>,
    ): Promise<void> {
      const { numAffectedRows: taken = 0n } = await sql`
        delete from volume_leftovers where environment_id = ${environmentId} and content = ${fresh}
          and left_at > clock_timestamp() - ${MOST_FILLED_MS} * interval '1 millisecond'`.execute(
        transaction,
      );
      const { numAffectedRows: given = 0n } = await sql`
        update volumes set content = ${fresh} where environment_id = ${environmentId} and name = ${name}
          and content = ${content}`.execute(transaction);
      if (taken === 0n || given === 0n) throw new Refusal(409, 'volume_changed', messages.changed);
      await leave(environmentId, content, transaction);
    },

    /** A content that is no volume's, and is written into by nobody for more than an hour at most. */
    leave: (environmentId: string, content: string) => leave(environmentId, content, db),

    /** Contents that nobody writes into any more. */
    async leftovers(): Promise<VolumeName[]> {
      const { rows } = await sql<VolumeName>`
        select application_uuid as "applicationId", environment_id as "environmentId", content as name
        from volume_leftovers join environments using (environment_id)
        where left_at < clock_timestamp() - ${KEPT_MS} * interval '1 millisecond' limit ${sql.lit(MOST_LEFTOVERS)}`.execute(
        db,
      );
      return rows;
    },

    async forget({ environmentId, name }: Pick<VolumeName, 'environmentId' | 'name'>): Promise<void> {
      await sql`delete from volume_leftovers where environment_id = ${environmentId} and content = ${name}`.execute(
        db,
      );
    },

    /** Its content is left over. */
    async remove(
      environmentId: string,
      { name, content }: VolumeRow,
      transaction: Kysely<unknown>,
    ): Promise<void> {
      const { numAffectedRows: removed = 0n } = await sql`
        delete from volumes where environment_id = ${environmentId} and name = ${name}
          and content = ${content}`.execute(transaction);
      if (removed > 0n) await leave(environmentId, content, transaction);
    },
  };
}

async function leave(environmentId: string, content: string, through: Kysely<unknown>): Promise<void> {
  await insertInto('volume_leftovers', { environment_id: environmentId, content }).execute(through);
}

/** A name that no content of the volume had before. */
export function newContent(volume: string): string {
  return `${volume}.${newId()}`;
}

/** One within the other would hide it, or be hidden. */
function overlap(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}
