import type { Kysely } from 'kysely';
import { ConfigError } from '../../kernel/config.ts';
import { createKeyedLock, UNTIL_DONE_MS } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { repeatedWarnings } from '../../kernel/repeated-warnings.ts';
import type { AppsRuntime } from '../../kernel/settings.ts';
import { messages as deploymentMessages } from '../deployments/messages.ts';
import { Cancelled } from '../model/deployment-rows.ts';
import { type LeaseFence, LeaseLost } from '../model/lease-fence.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { EnvironmentKey } from '../model/site-folders.ts';
import type { Order } from '../runtimes/runtime.ts';
import type { ContentRecords } from './content-records.ts';
import type { Contents, VolumeName } from './contents.ts';
import { type FormerRuntimes, stopInstances, withRuntime } from './former-runtimes.ts';
import { moveFailureReason } from './move-failure.ts';

export interface VolumeMoverParts {
  /** Kind of the runtime that runs sites now. */
  kind: AppsRuntime;
  /** Contents of volumes in the runtime that runs sites now. */
  contents: Contents;
  former: FormerRuntimes;
  records: ContentRecords;
  log: Logger;
}

export type ChangeEnvironment = LeaseFence['changeEnvironment'];

/** Move of the contents of an environment's volumes to the current runtime. */
export interface Move {
  key: EnvironmentKey;
  mounts: Order['mounts'];
  /** Changes records of the environment; throws LeaseLost once another server holds the lease. */
  changeEnvironment: ChangeEnvironment;
  /** Writes a line to the log that the site's owner reads. */
  writeToLog: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Moves contents of volumes to the current runtime from the runtimes that ran sites before, one environment after
 * another.
 */
export class VolumeMover {
  readonly #parts: VolumeMoverParts;
  readonly #withLock = createKeyedLock(UNTIL_DONE_MS);
  /**
   * Contents of volumes that are known to be in the current runtime, where they stay while this process holds the
   * lease.
   */
  readonly #here = new Set<string>();

  constructor(parts: VolumeMoverParts) {
    this.#parts = parts;
  }

  /** True if the contents of all mounted volumes are known to be in the current runtime. */
  areHere({ key, mounts }: Pick<Move, 'key' | 'mounts'>): boolean {
    return mounts.every(({ volume }) => this.#here.has(contentId({ ...key, name: volume })));
  }

  /**
   * Forgets which volumes' contents are in the current runtime, because another server may have moved some meanwhile.
   */
  clear(): void {
    this.#here.clear();
  }

  /** Forgets where a volume's content is, because it was removed. */
  forget(volume: VolumeName): void {
    this.#here.delete(contentId(volume));
  }

  /**
   * Moves the contents of all mounted volumes to the current runtime, and creates those that never existed. Throws
   * RuntimeFailure if that is not possible, and the signal's reason when aborted.
   */
  move(move: Move): Promise<void> {
    return this.#withLock(move.key.environmentId, () => this.#moveAll(move));
  }

  async #moveAll(move: Move): Promise<void> {
    const { kind, records } = this.#parts;
    const runtimes = await records.findRuntimes(move.key.environmentId);
    for (const { volume: name, at } of move.mounts) {
      const volume = { ...move.key, name };
      const runtime = runtimes.get(name);
      if (runtime === undefined) await this.#create(volume, move);
      else if (runtime !== kind) await this.#moveOne(volume, runtime, at === 'home' ? '$HOME' : at, move);
      this.#here.add(contentId(volume));
    }
  }

  async #create(volume: VolumeName, { changeEnvironment, signal }: Move): Promise<void> {
    // A volume's content is recorded only after it exists, because a recorded but missing content counts as lost.
    await this.#parts.contents.make(volume, signal);
    await this.#recordHere(volume, changeEnvironment);
  }

  /** Moves a volume's content from another runtime; `path` is the volume's path in the site. */
  async #moveOne(volume: VolumeName, from: AppsRuntime, path: string, move: Move): Promise<void> {
    try {
      await withRuntime(this.#parts.former.open(from), async ({ runtime, contents }) => {
        await stopInstances(runtime, ({ environmentId }) => environmentId === volume.environmentId);
        await this.#bring(volume, contents, move);
      });
    } catch (error) {
      move.signal.throwIfAborted();
      if (error instanceof Cancelled || error instanceof LeaseLost) throw error;
      await this.#logFailure(volume, from, error);
      throw new RuntimeFailure(
        reason('volume_elsewhere', { path, runtime: from, how: moveFailureReason(error) }),
      );
    }
    move.writeToLog(deploymentMessages.log.brought(path, from));
  }

  /**
   * Copies a volume's content from another runtime. If the lease is lost meanwhile, the move is not recorded and the
   * source is not deleted; the next lease holder repeats the move.
   */
  async #bring(volume: VolumeName, source: Contents, move: Move): Promise<void> {
    const { contents, log } = this.#parts;
    const { changeEnvironment, signal } = move;
    const from = await source.where(volume, signal);
    if (from === undefined) throw new Error('it is not there');
    await contents.make(volume, signal);
    // Both runtimes may have the content in the same place: a volume of an engine may already be the volume of the
    // engine's cluster.
    const isSame = from === (await contents.where(volume, signal));
    if (!isSame) await this.#copy(volume, source, move);
    await this.#recordHere(volume, changeEnvironment);
    const about = { environment: volume.environmentId, volume: volume.name };
    log.info(about, 'a volume was moved from the former runtime');
    if (isSame) return;
    await requireLease(volume, changeEnvironment);
    await source
      .empty(volume)
      .catch((error) =>
        log.warn({ err: error, ...about }, 'a moved volume could not be removed from the former runtime'),
      );
  }

  async #copy(volume: VolumeName, source: Contents, { changeEnvironment, signal }: Move): Promise<void> {
    const { contents } = this.#parts;
    await requireLease(volume, changeEnvironment);
    // The volume may have an incomplete content, from an earlier copy that was interrupted.
    await contents.empty(volume);
    const archive = await source.backup(volume);
    const cut = () => archive.destroy(new Error('nobody waits for it any more'));
    signal.addEventListener('abort', cut, { once: true });
    try {
      await contents.fill(volume, archive);
    } finally {
      signal.removeEventListener('abort', cut);
      archive.destroy();
    }
  }

  #recordHere(volume: VolumeName, changeEnvironment: ChangeEnvironment): Promise<void> {
    const { kind, records } = this.#parts;
    return changeEnvironment(volume.environmentId, (transaction: Kysely<unknown>) =>
      records.setRuntime(volume, kind, transaction),
    );
  }

  async #logFailure(volume: VolumeName, from: AppsRuntime, error: unknown): Promise<void> {
    const { former, log } = this.#parts;
    if (error instanceof ConfigError) return former.warnAway(from, error);
    // A failure of the runtime, such as a missing image, concerns the contents of all volumes, so the warning names no
    // volume.
    const which =
      error instanceof RuntimeFailure ? {} : { environment: volume.environmentId, volume: volume.name };
    const warning = 'what is in a volume could not be brought from where sites ran before';
    repeatedWarnings(log).warn({ from, ...which }, warning, (error as Error).message);
  }
}

/** Throws LeaseLost if another server now holds the lease. */
function requireLease({ environmentId }: VolumeName, changeEnvironment: ChangeEnvironment): Promise<void> {
  return changeEnvironment(environmentId, async () => {});
}

function contentId({ environmentId, name }: VolumeName): string {
  return `${environmentId} ${name}`;
}
