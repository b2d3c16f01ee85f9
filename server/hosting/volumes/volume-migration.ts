import type { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import { makeAbortable } from '../../kernel/abortable.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { AppsRuntime } from '../../kernel/settings.ts';
import { createLeaseFence } from '../model/lease-fence.ts';
import { ContentRecords } from './content-records.ts';
import type { VolumeName } from './contents.ts';
import { closeRuntime, FormerRuntimes, withRuntime } from './former-runtimes.ts';
import { LeaseVolumes } from './lease-volumes.ts';
import type { OpenedRuntime } from './opened-runtime.ts';
import { VolumeMover } from './volume-mover.ts';

export interface VolumeMigrationParts {
  db: Kysely<unknown>;
  /** Kind of the runtime that runs sites now. */
  kind: AppsRuntime;
  /** The runtime that runs sites now, opened for use. */
  current: Pick<OpenedRuntime, 'contents' | 'runtime'>;
  /** Opens a runtime that ran sites before, or may have run some. Throws ConfigError if it is not available. */
  openRuntime: (kind: AppsRuntime) => Promise<OpenedRuntime>;
  log: Logger;
}

/** Function that runs the given work; until the work ends, no other work can change the volume. */
type Within = (work: () => Promise<void>) => Promise<void>;

/**
 * Contents of volumes, in whichever runtime they are. When the operator has changed the runtime, a site's contents are
 * moved to the new one when the site next starts.
 */
export class VolumeMigration {
  readonly #parts: VolumeMigrationParts;
  readonly #records: ContentRecords;
  readonly #former: FormerRuntimes;
  readonly #mover: VolumeMover;

  constructor(parts: VolumeMigrationParts) {
    const { db, kind, current, openRuntime, log } = parts;
    const records = new ContentRecords(db);
    const former = new FormerRuntimes({ db, records, openRuntime, log });
    this.#parts = parts;
    this.#records = records;
    this.#former = former;
    this.#mover = new VolumeMover({ kind, contents: current.contents, former, records, log });
  }

  /** Operations on volumes for the server that holds the lease; `generation` is the number of its lease. */
  forLease(generation: number): LeaseVolumes {
    const { db, kind, current, log } = this.#parts;
    const fence = createLeaseFence(db, generation);
    return new LeaseVolumes({
      kind,
      runtime: current.runtime,
      former: this.#former,
      mover: this.#mover,
      records: this.#records,
      changeEnvironment: fence.changeEnvironment,
      log,
    });
  }

  /** Size of a volume's content in bytes; null if it can't be measured in time. */
  async size(volume: VolumeName, signal: AbortSignal): Promise<number | null> {
    const { kind, current, log } = this.#parts;
    try {
      const runtime = await this.#findRuntime(volume);
      if (runtime === kind) return await current.contents.size(volume, signal);
      const size = withRuntime(this.#former.openForRequest(volume, runtime), ({ contents }) =>
        contents.size(volume, signal),
      );
      return await makeAbortable(size, signal);
    } catch (error) {
      if (!signal.aborted && !(error instanceof Refusal))
        log.warn({ err: error }, 'a volume could not be measured');
      return null;
    }
  }

  /** Streams a volume's content as a tar archive, from whichever runtime has it. */
  async backup(volume: VolumeName): Promise<Readable> {
    const { kind, current } = this.#parts;
    const runtime = await this.#findRuntime(volume);
    if (runtime === kind) return current.contents.backup(volume);
    const opened = await this.#former.openForRequest(volume, runtime);
    const close = () => void closeRuntime(opened).catch(() => {});
    try {
      const archive = await opened.contents.backup(volume);
      archive.once('close', close);
      return archive;
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Creates a volume's content in the current runtime from an archive. */
  async fill(volume: VolumeName, archive: Readable): Promise<void> {
    const { kind, current } = this.#parts;
    await current.contents.fill(volume, archive);
    await this.#records.setRuntime(volume, kind);
  }

  /** Empties a volume. `within` runs the emptying while no other work may change the volume. */
  async empty(volume: VolumeName, within: Within = (work) => work()): Promise<void> {
    const { kind, current } = this.#parts;
    const runtime = await this.#findRuntime(volume);
    if (runtime === kind) await within(() => current.contents.empty(volume));
    else {
      await withRuntime(this.#former.openForRequest(volume, runtime), ({ contents }) =>
        within(async () => {
          await contents.empty(volume);
          await current.contents.empty(volume);
        }),
      );
    }
    this.#mover.forget(volume);
    await this.#records.forget(volume);
  }

  close(): Promise<void> {
    return this.#parts.current.contents.close();
  }

  async #findRuntime({ environmentId, name }: VolumeName): Promise<AppsRuntime> {
    return (await this.#records.findRuntimes(environmentId)).get(name) ?? this.#parts.kind;
  }
}
