import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { insertInto } from '../../kernel/database/rows.ts';
import { newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { lockEnvironment } from '../model/deployment-rows.ts';
import type { Volume } from '../model/volume.ts';
import type { VolumeName } from './contents.ts';
import { MOST_VOLUMES } from './fields.ts';
import { messages } from './messages.ts';

export interface VolumeRow extends Volume {
  created_at: Date;
  /** Time at which a whole backup was last downloaded; null: never. */
  backed_up_at: Date | null;
  /** Size of the last downloaded backup's archive. */
  backup_bytes: number | null;
}

/** Time limit for restoring a volume, counted from the moment when its new content was recorded. */
const MOST_FILLED_MS = 1_800_000;
/** Age from which on orphaned contents of volumes are removed; more than any restore takes. */
const KEPT_MS = 3_600_000;
/** Maximum number of orphaned contents of volumes that are removed at a time. */
const MOST_ORPHANS = 100;

/** Volumes of environments. Changes throw Cancelled if the environment no longer exists. */
export class VolumeStore {
  readonly #db: Kysely<unknown>;
  readonly #columns = sql`
    name, path, content, created_at, backed_up_at, backup_bytes::float8 as backup_bytes`;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  /** Volumes of an environment, ordered by name. */
  async list(environmentId: string): Promise<VolumeRow[]> {
    const { rows } = await sql<VolumeRow>`
        select ${this.#columns} from volumes where environment_id = ${environmentId} order by name`.execute(
      this.#db,
    );
    return rows;
  }

  async find(environmentId: string, name: string): Promise<VolumeRow | undefined> {
    const { rows } = await sql<VolumeRow>`
        select ${this.#columns} from volumes where environment_id = ${environmentId} and name = ${name}`.execute(
      this.#db,
    );
    return rows[0];
  }

  /** Adds a volume. Throws a 409 if its name or path is taken, or if the environment has too many volumes. */
  add(
    environmentId: string,
    volume: Omit<Volume, 'content'>,
    now: Temporal.Instant,
    through: Kysely<unknown>,
  ): Promise<VolumeRow> {
    return lockEnvironment(through, environmentId, async (transaction) => {
      const { rows: there } = await sql<Omit<Volume, 'content'>>`
          select name, path from volumes where environment_id = ${environmentId}`.execute(transaction);
      if (there.some(({ name, path }) => name === volume.name || overlap(path, volume.path)))
        throw new Refusal(409, 'volume_taken', messages.taken);
      if (there.length >= MOST_VOLUMES)
        throw new Refusal(409, 'too_many_volumes', messages.tooMany(MOST_VOLUMES));
      const content = newContent(volume.name);
      const row = { environment_id: environmentId, ...volume, content, created_at: now };
      const { rows } = await sql<VolumeRow>`
          ${insertInto('volumes', row)} returning ${this.#columns}`.execute(transaction);
      const [added] = rows;
      if (!added) throw new Error('insert returned no row');
      return added;
    });
  }

  /**
   * Runs `work` in a transaction during which no process of the environment runs or can start. Throws a 409 if its site
   * is not stopped, or a command is running.
   */
  whileStopped<T>(environmentId: string, work: (transaction: Kysely<unknown>) => Promise<T>): Promise<T> {
    return lockEnvironment(this.#db, environmentId, async (transaction) => {
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
  }

  /**
   * Gives a volume the new content that a restore has filled, and records the former content as orphaned instead of the
   * new one. Throws a 409 if the volume has changed meanwhile, or if the restore took so long that the new content may
   * have been removed.
   */
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
    await recordOrphan(environmentId, content, transaction);
  }

  /**
   * Records a volume's content as orphaned: it belongs to no volume. A restore may still write to it, for less than
   * `KEPT_MS`.
   */
  recordOrphan(environmentId: string, content: string) {
    return recordOrphan(environmentId, content, this.#db);
  }

  /** Orphaned contents of volumes to which no restore writes any more. */
  async orphans(): Promise<VolumeName[]> {
    const { rows } = await sql<VolumeName>`
        select application_uuid as "applicationId", environment_id as "environmentId", content as name
        from volume_leftovers join environments using (environment_id)
        where left_at < clock_timestamp() - ${KEPT_MS} * interval '1 millisecond' limit ${sql.lit(MOST_ORPHANS)}`.execute(
      this.#db,
    );
    return rows;
  }

  /** Deletes the record of an orphaned content of a volume. */
  async forget({ environmentId, name }: Pick<VolumeName, 'environmentId' | 'name'>): Promise<void> {
    await sql`delete from volume_leftovers where environment_id = ${environmentId} and content = ${name}`.execute(
      this.#db,
    );
  }

  /** Records that a whole backup of a volume was downloaded. */
  async noteBackup(
    environmentId: string,
    { name, content }: VolumeRow,
    bytes: number,
    now: Temporal.Instant,
  ): Promise<void> {
    await sql`
      update volumes set backed_up_at = ${toTimestamp(now)}, backup_bytes = ${bytes}
      where environment_id = ${environmentId} and name = ${name} and content = ${content}`.execute(this.#db);
  }

  /** Deletes a volume; its content becomes orphaned. */
  async remove(
    environmentId: string,
    { name, content }: VolumeRow,
    transaction: Kysely<unknown>,
  ): Promise<void> {
    const { numAffectedRows: removed = 0n } = await sql`
        delete from volumes where environment_id = ${environmentId} and name = ${name}
          and content = ${content}`.execute(transaction);
    if (removed > 0n) await recordOrphan(environmentId, content, transaction);
  }
}

async function recordOrphan(environmentId: string, content: string, through: Kysely<unknown>): Promise<void> {
  await insertInto('volume_leftovers', { environment_id: environmentId, content }).execute(through);
}

/** Name for a new content of a volume, which no earlier content had. */
export function newContent(volume: string): string {
  return `${volume}.${newId()}`;
}

/** True if one path lies within the other: volumes at both paths would hide each other's files. */
function overlap(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}
