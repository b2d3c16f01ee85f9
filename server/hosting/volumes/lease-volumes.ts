import type { Logger } from '../../kernel/log.ts';
import type { AppsRuntime } from '../../kernel/settings.ts';
import type { Order } from '../runtimes/runtime.ts';
import type { ContentRecords } from './content-records.ts';
import { type FormerRuntimes, IDENTITY_MS, stopInstances } from './former-runtimes.ts';
import type { OpenedRuntime } from './opened-runtime.ts';
import type { ChangeEnvironment, VolumeMover } from './volume-mover.ts';

export interface LeaseVolumesParts {
  /** Kind of the runtime that runs sites now. */
  kind: AppsRuntime;
  runtime: OpenedRuntime['runtime'];
  former: FormerRuntimes;
  mover: VolumeMover;
  records: ContentRecords;
  changeEnvironment: ChangeEnvironment;
  log: Logger;
}

/** Contents of volumes for the holder of the lease, during one lease term. */
export class LeaseVolumes {
  readonly #parts: LeaseVolumesParts;

  constructor(parts: LeaseVolumesParts) {
    this.#parts = parts;
  }

  /**
   * Called at the beginning of the lease term: stops all instances of former runtimes, and those instances of the
   * current runtime whose volumes' contents are in another one. Rejects if the database is unavailable.
   */
  async begin(): Promise<void> {
    const { kind, runtime, former, mover, records } = this.#parts;
    mover.clear();
    const used = await records.findUsedRuntimes();
    for (const other of used.keys()) if (other !== kind) await former.retire(other);
    // Processes end with their server, so the runtime with processes has no identity to record.
    const identity = await runtime.identity?.(AbortSignal.timeout(IDENTITY_MS));
    if (identity === undefined) return;
    this.#warnIfOtherEngine(used.get(kind), identity);
    await records.addUsedRuntime(kind, identity);
    const elsewhere = await records.findEnvironmentsElsewhere(kind, { homes: !this.#isSpread() });
    if (elsewhere.size > 0) await stopInstances(runtime, ({ environmentId }) => elsewhere.has(environmentId));
  }

  /**
   * Moves the contents of all volumes that an instance needs to the current runtime; `writeToLog` writes a line to the
   * owner's log. Throws RuntimeFailure if that is not possible, and the signal's reason when aborted.
   */
  async bring(
    { labels, mounts }: Pick<Order, 'labels' | 'mounts'>,
    signal: AbortSignal,
    writeToLog: (line: string) => void,
  ): Promise<void> {
    const { mover, changeEnvironment } = this.#parts;
    const { applicationId, environmentId } = labels;
    const move = { key: { applicationId, environmentId }, mounts, changeEnvironment, writeToLog, signal };
    // Home folders of sites without volumes are separate on each machine of a cluster, so they are not moved.
    const isPlaceless = this.#isSpread() && mounts.every(({ at }) => at === 'home');
    if (isPlaceless || mover.areHere(move)) return;
    await mover.move(move);
  }

  /** True if the current runtime runs instances on several machines. */
  #isSpread(): boolean {
    return this.#parts.runtime.capabilities.has('machines');
  }

  /**
   * Logs a warning if the engine that runs the sites is not the one that ran them before, as may happen if servers that
   * share a database have different engines.
   */
  #warnIfOtherEngine(was: string | undefined, identity: string): void {
    if ((was ?? identity) === identity) return;
    this.#parts.log.warn(
      'sites were run by another engine before, which has what they keep: it begins empty here',
    );
  }
}
