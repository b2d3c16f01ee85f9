import { type Kysely, sql } from 'kysely';
import { insertInto } from '../../kernel/database/rows.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Volume } from '../applications/store.ts';
import { inTurn } from '../deployments/rows.ts';
import { MOST_VOLUMES } from './fields.ts';
import { messages } from './messages.ts';

export interface VolumeRow extends Volume {
  created_at: Date;
}

export type VolumeStore = ReturnType<typeof createVolumeStore>;

/** The volumes of environments. What changes them throws Cancelled when the environment is gone. */
export function createVolumeStore(db: Kysely<unknown>) {
  const columns = sql`name, path, created_at`;
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
      volume: Volume,
      now: Temporal.Instant,
      through: Kysely<unknown>,
    ): Promise<VolumeRow> {
      return inTurn(through, environmentId, async (transaction) => {
        const { rows: there } = await sql<Volume>`
          select name, path from volumes where environment_id = ${environmentId}`.execute(transaction);
        if (there.some(({ name, path }) => name === volume.name || overlap(path, volume.path)))
          throw new Refusal(409, 'volume_taken', messages.taken);
        if (there.length >= MOST_VOLUMES)
          throw new Refusal(409, 'too_many_volumes', messages.tooMany(MOST_VOLUMES));
        const row = { environment_id: environmentId, ...volume, created_at: now };
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
      return inTurn(db, environmentId, async (transaction) => {
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

    async remove(environmentId: string, name: string, transaction: Kysely<unknown>): Promise<void> {
      await sql`
        delete from volumes where environment_id = ${environmentId} and name = ${name}`.execute(transaction);
    },
  };
}

/** One within the other would hide it, or be hidden. */
function overlap(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}
