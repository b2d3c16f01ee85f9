import type { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import { makeAbortable } from '../../kernel/abortable.ts';
import { ConfigError } from '../../kernel/config.ts';
import { isFullDisk } from '../../kernel/full-disk.ts';
import { createKeyedLock, UNTIL_DONE_MS } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { repeatedWarnings } from '../../kernel/repeated-warnings.ts';
import type { AppsRuntime } from '../../kernel/settings.ts';
import { messages as deploymentMessages } from '../deployments/messages.ts';
import { Cancelled, findDeletedEnvironments } from '../model/deployment-rows.ts';
import { createLeaseFence, LeaseLost } from '../model/lease-fence.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { EnvironmentKey } from '../model/site-folders.ts';
import type { Labels, Order } from '../runtimes/runtime.ts';
import type { Contents, VolumeName } from './contents.ts';
import { messages } from './messages.ts';
import { createContentRecords } from './migrating-contents.ts';
import type { OpenedRuntime } from './opened-runtime.ts';

export interface VolumeMigrationParts {
  db: Kysely<unknown>;
  /** Runtime that runs sites now. */
  kind: AppsRuntime;
  here: Pick<OpenedRuntime, 'contents' | 'runtime'>;
  /** Opens a runtime that ran sites before, or may have. Throws ConfigError if it is not available. */
  open: (kind: AppsRuntime) => Promise<OpenedRuntime>;
  log: Logger;
}

/** Time for instances of another runtime to stop. */
const GRACE_MS = 10_000;
const IDENTITY_MS = 10_000;
const FORGOTTEN_MS = 600_000;

const AWAY = 'what ran sites before can’t be reached';
const ALL_AWAY = `${AWAY}, nor what they keep there`;

type Within = (work: () => Promise<void>) => Promise<void>;
type ChangeEnvironment = ReturnType<typeof createLeaseFence>['changeEnvironment'];

export type VolumeMigration = ReturnType<typeof createVolumeMigration>;

/**
 * Contents of volumes, in whichever runtime they are. After a change of the runtime, contents are moved to the new one
 * when a site next starts.
 */
export function createVolumeMigration({ db, kind, here, open, log }: VolumeMigrationParts) {
  const records = createContentRecords(db);
  const withLock = createKeyedLock(UNTIL_DONE_MS);
  const nameOf = ({ environmentId }: EnvironmentKey, content: string) => `${environmentId} ${content}`;
  /** Contents known to be in this runtime, where they stay while this process holds the lease. */
  const contentsHere = new Set<string>();
  const isSpread = here.runtime.capabilities.has('machines');

  const runtimeOf = async ({ environmentId, name }: VolumeName): Promise<AppsRuntime> =>
    (await records.of(environmentId)).get(name) ?? kind;

  const recordHere = (changeEnvironment: ChangeEnvironment, volume: VolumeName) =>
    changeEnvironment(volume.environmentId, (transaction) => records.note(volume, kind, transaction));

  const forget = async (volume: VolumeName): Promise<void> => {
    contentsHere.delete(nameOf(volume, volume.name));
    await records.forget(volume);
  };

  const closeRuntime = async ({ runtime, builder, contents }: OpenedRuntime): Promise<void> => {
    await Promise.all([builder.close(), contents.close(), runtime.close()]);
  };

  /** Opens another runtime. Throws ConfigError if it is not available, or is not the same as before. */
  const openRuntime = async (other: AppsRuntime): Promise<OpenedRuntime> => {
    const works = await open(other);
    try {
      const was = (await records.used()).get(other);
      const is = await works.runtime.identity?.(AbortSignal.timeout(IDENTITY_MS));
      if (was === undefined || is === undefined || was === is) {
        for (const what of [AWAY, ALL_AWAY]) repeatedWarnings(log).clear({ runtime: other }, what);
        return works;
      }
      throw new ConfigError(
        `APPS_RUNTIME is ${other}, and APPS_ENGINE leads to another engine or cluster than sites ran by.`,
      );
    } catch (error) {
      await closeRuntime(works);
      throw error;
    }
  };

  const withRuntime = async <T>(
    opening: Promise<OpenedRuntime>,
    work: (works: OpenedRuntime) => Promise<T>,
  ): Promise<T> => {
    const works = await opening;
    try {
      return await work(works);
    } finally {
      await closeRuntime(works);
    }
  };

  const warnAway = async (other: AppsRuntime, error: unknown): Promise<void> => {
    const why = (error as Error).message.replace('APPS_RUNTIME is', 'APPS_RUNTIME was');
    repeatedWarnings(log).warn({ runtime: other }, (await records.isAnyAt(other)) ? ALL_AWAY : AWAY, why);
  };

  /** Opens another runtime for a request about a content there. */
  const openForRequest = async (volume: VolumeName, other: AppsRuntime): Promise<OpenedRuntime> => {
    const refused = new Refusal(503, 'unhosted', messages.machineAway);
    const works = await openRuntime(other).catch(async (error) => {
      await warnAway(other, error);
      throw refused;
    });
    const where = await works.contents.where(volume, AbortSignal.timeout(IDENTITY_MS)).catch(() => undefined);
    if (where !== undefined) return works;
    await closeRuntime(works);
    throw refused;
  };

  /** Stops what a runtime still runs, because it could write to contents being read. */
  const end = async (
    { runtime }: Pick<OpenedRuntime, 'runtime'>,
    isMeant: (labels: Labels) => boolean = () => true,
  ): Promise<void> => {
    const all = (await runtime.list()).filter(({ labels }) => isMeant(labels));
    await Promise.all(all.map(({ instance }) => runtime.stop(instance, GRACE_MS)));
  };

  /** Stops everything that another runtime still runs, and removes data of deleted environments there. */
  const leave = async (other: AppsRuntime): Promise<void> => {
    try {
      await withRuntime(openRuntime(other), async ({ runtime }) => {
        await runtime.recover();
        await end({ runtime });
        for (const key of await findDeletedEnvironments(db, await runtime.retainedEnvironments()))
          await runtime.forget(key, AbortSignal.timeout(FORGOTTEN_MS));
      });
      await records.leave(other);
    } catch (error) {
      await warnAway(other, error);
    }
  };

  const copy = async (
    volume: VolumeName,
    there: Contents,
    isStillOurs: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> => {
    await isStillOurs();
    // An earlier copy may be incomplete.
    await here.contents.empty(volume);
    const archive = await there.backup(volume);
    const cut = () => archive.destroy(new Error('nobody waits for it any more'));
    signal.addEventListener('abort', cut, { once: true });
    try {
      await here.contents.fill(volume, archive);
    } finally {
      signal.removeEventListener('abort', cut);
      archive.destroy();
    }
  };

  /**
   * Moves a content to this runtime. If the lease is lost meanwhile, the move is not recorded and the source is not
   * deleted; the next lease holder repeats it.
   */
  const bringFrom = async (
    volume: VolumeName,
    there: Contents,
    changeEnvironment: ChangeEnvironment,
    signal: AbortSignal,
  ): Promise<void> => {
    const isStillOurs = () => changeEnvironment(volume.environmentId, async () => {});
    const from = await there.where(volume, signal);
    if (from === undefined) throw new Error('it is not there');
    await here.contents.make(volume, signal);
    // An engine's volume may already be a volume of the cluster.
    const isSame = from === (await here.contents.where(volume, signal));
    if (!isSame) await copy(volume, there, isStillOurs, signal);
    await recordHere(changeEnvironment, volume);
    const about = { environment: volume.environmentId, volume: volume.name };
    log.info(about, 'a volume was moved from the former runtime');
    if (isSame) return;
    await isStillOurs();
    await there
      .empty(volume)
      .catch((error) =>
        log.warn({ err: error, ...about }, 'a moved volume could not be removed from the former runtime'),
      );
  };

  const whyNot = (error: unknown): Reason => {
    if (isFullDisk(error)) return reason('no_room');
    if (error instanceof Refusal && error.code === 'too_large') return reason('kept_too_large');
    return reason('kept_away');
  };

  const bringAll = async (
    key: EnvironmentKey,
    mounts: Order['mounts'],
    {
      forLease: changeEnvironment,
      writeToLog,
    }: { forLease: ChangeEnvironment; writeToLog: (line: string) => void },
    signal: AbortSignal,
  ): Promise<void> => {
    const all = await records.of(key.environmentId);
    for (const { volume: name, at } of mounts) {
      const volume = { ...key, name };
      const there = all.get(name);
      if (there === undefined) {
        // Recorded only after the content exists: a recorded but missing content counts as lost.
        await here.contents.make(volume, signal);
        await recordHere(changeEnvironment, volume);
      } else if (there !== kind) {
        const path = at === 'home' ? '$HOME' : at;
        try {
          await withRuntime(openRuntime(there), async (works) => {
            await end(works, ({ environmentId }) => environmentId === key.environmentId);
            await bringFrom(volume, works.contents, changeEnvironment, signal);
          });
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof Cancelled || error instanceof LeaseLost) throw error;
          if (error instanceof ConfigError) await warnAway(there, error);
          else {
            const from = { from: there };
            // A failure of the runtime, such as a missing image, concerns all contents, so the warning names none.
            const about =
              error instanceof RuntimeFailure
                ? from
                : { ...from, environment: key.environmentId, volume: name };
            const what = 'what is in a volume could not be brought from where sites ran before';
            repeatedWarnings(log).warn(about, what, (error as Error).message);
          }
          throw new RuntimeFailure(
            reason('volume_elsewhere', {
              path,
              runtime: there,
              how: whyNot(error),
            }),
          );
        }
        writeToLog(deploymentMessages.log.brought(path, there));
      }
      contentsHere.add(nameOf(key, name));
    }
  };

  return {
    /** Operations for the lease holder of that generation. */
    forLease(generation: number) {
      const { changeEnvironment } = createLeaseFence(db, generation);
      return {
        /**
         * Moves all contents that an order mounts to this runtime; `tell` writes a line to the owner's log. Throws
         * RuntimeFailure if that is not possible, and the signal's reason when aborted.
         */
        async bring(
          { labels, mounts }: Pick<Order, 'labels' | 'mounts'>,
          signal: AbortSignal,
          writeToLog: (line: string) => void,
        ): Promise<void> {
          const { applicationId, environmentId } = labels;
          const key = { applicationId, environmentId };
          // Home folders of sites without volumes are separate on each machine of a cluster, so they are not moved.
          const isPlaceless = isSpread && mounts.every(({ at }) => at === 'home');
          const isKnown = mounts.every(({ volume }) => contentsHere.has(nameOf(key, volume)));
          if (isPlaceless || isKnown) return;
          await withLock(environmentId, () =>
            bringAll(key, mounts, { forLease: changeEnvironment, writeToLog }, signal),
          );
        },

        /**
         * Called at the beginning of a lease term: stops everything that other runtimes still run, and instances here
         * whose contents are in another runtime. Rejects if the database is unavailable.
         */
        async begin(): Promise<void> {
          contentsHere.clear();
          const used = await records.used();
          for (const other of used.keys()) if (other !== kind) await leave(other);
          // Processes end with their server, so this runtime has no identity to record.
          const identity = await here.runtime.identity?.(AbortSignal.timeout(IDENTITY_MS));
          if (identity === undefined) return;
          // Each of several servers may have an engine of its own.
          if ((used.get(kind) ?? identity) !== identity)
            log.warn(
              'sites were run by another engine before, which has what they keep: it begins empty here',
            );
          await records.use(kind, identity);
          const elsewhere = await records.elsewhere(kind, { homes: !isSpread });
          if (elsewhere.size > 0) await end(here, ({ environmentId }) => elsewhere.has(environmentId));
        },
      };
    },

    /** Size in bytes; null if it can't be measured in time. */
    async size(volume: VolumeName, signal: AbortSignal): Promise<number | null> {
      try {
        const at = await runtimeOf(volume);
        if (at === kind) return await here.contents.size(volume, signal);
        const asked = withRuntime(openForRequest(volume, at), ({ contents }) =>
          contents.size(volume, signal),
        );
        return await makeAbortable(asked, signal);
      } catch (error) {
        if (!signal.aborted && !(error instanceof Refusal))
          log.warn({ err: error }, 'a volume could not be measured');
        return null;
      }
    },

    /** Backup, as in `Contents`. */
    async backup(volume: VolumeName): Promise<Readable> {
      const at = await runtimeOf(volume);
      if (at === kind) return here.contents.backup(volume);
      const works = await openForRequest(volume, at);
      const close = () => void closeRuntime(works).catch(() => {});
      try {
        const archive = await works.contents.backup(volume);
        archive.once('close', close);
        return archive;
      } catch (error) {
        close();
        throw error;
      }
    },

    /** Restore, as in `Contents`. */
    async fill(volume: VolumeName, archive: Readable): Promise<void> {
      await here.contents.fill(volume, archive);
      await records.note(volume, kind);
    },

    /** Empties a volume, as in `Contents`; `within` runs the work while nothing else may change the volume. */
    async empty(volume: VolumeName, within: Within = (work) => work()): Promise<void> {
      const at = await runtimeOf(volume);
      const emptyHere = () => here.contents.empty(volume);
      if (at === kind) await within(emptyHere);
      else {
        await withRuntime(openForRequest(volume, at), ({ contents: there }) =>
          within(async () => {
            await there.empty(volume);
            await emptyHere();
          }),
        );
      }
      await forget(volume);
    },

    close: (): Promise<void> => here.contents.close(),
  };
}
