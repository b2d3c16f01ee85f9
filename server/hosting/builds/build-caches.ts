import { createKeyedLock, UNTIL_DONE_MS } from '../../kernel/keyed-lock.ts';
import type { ContainerMount } from '../engine/container-calls.ts';
import type { Engine } from '../engine/engine.ts';
import { ignoreInUse } from '../engine/in-use.ts';
import type { Labels } from '../engine/labels.ts';
import { HOME } from '../engine/site-containers.ts';
import { describeReason, reason } from '../model/reasons/reason.ts';
import type { BuildOrder } from './builder.ts';
import { CACHE_SHARE, RESTORE_SCRIPT, SAVE_SCRIPT } from './cached-folders.ts';
import { messages } from './messages.ts';

/** Folder in the container for an application's cached folders (cached-folders.ts). */
export const CACHE_FOLDER = '/kept';

const MEBIBYTE = 2 ** 20;
const NEVER = new AbortController().signal;
const CURRENT = `${CACHE_FOLDER}/now`;
const TOO_LARGE = 9;
/**
 * Shell script that replaces the cache $2 with its fresh copy $1. If the copy is larger than $3 kibibytes, the cache is
 * emptied instead.
 */
const SWAP_SCRIPT = `[ -d "$1" ] || exit 0
size=$(du -skx "$1") || exit 1
rm -rf "$2"
if [ "\${size%%[!0-9]*}" -gt "$3" ]; then rm -rf "$1"; exit ${TOO_LARGE}; fi
mv "$1" "$2"`;

/** Container of a build, in which scripts copy cached folders. */
interface ScriptRunner {
  script(
    text: string,
    options: { args?: readonly string[]; home?: string },
    signal: AbortSignal,
  ): Promise<{ code: number; lines: string[] }>;
}

export interface BuildCachesParts {
  engine: Engine;
  /** Maximum size of each of an application's two cache volumes, in mebibytes. */
  diskMb: number;
}

/**
 * Files of an application's builds that its next build finds again: the home folder of the build's commands, and the
 * folders in which its framework caches files.
 */
export class BuildCaches {
  readonly #engine: Engine;
  readonly #diskMb: number;
  readonly #withVolumes = createKeyedLock(UNTIL_DONE_MS);

  constructor({ engine, diskMb }: BuildCachesParts) {
    this.#engine = engine;
    this.#diskMb = diskMb;
  }

  mountsOf(applicationId: string): ContainerMount[] {
    const { home, folders } = volumesOf(applicationId);
    return [
      { Type: 'volume', Source: home, Target: HOME },
      { Type: 'volume', Source: folders, Target: CACHE_FOLDER },
    ];
  }

  /**
   * Makes the volumes, then the container that uses them. Both happen under a lock: a volume that is removed before the
   * container uses it would be made again without labels.
   */
  async withVolumes(
    applicationId: string,
    labels: Labels,
    create: () => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#withVolumes(applicationId, async () => {
      const volumes = Object.values(volumesOf(applicationId));
      await Promise.all(volumes.map((volume) => this.#engine.createVolume(volume, labels, signal)));
      await create();
    });
  }

  /** Restores the cached folders of the application's last build. */
  async restore({ plan, buildLog }: BuildOrder, container: ScriptRunner, signal: AbortSignal): Promise<void> {
    const { caches = [] } = plan;
    if (caches.length === 0) return;
    const { lines } = await container.script(RESTORE_SCRIPT, { args: caches, home: CURRENT }, signal);
    const copied = caches.filter((one) => lines.includes(one));
    if (copied.length > 0) buildLog.write(messages.cachesRestored(copied));
  }

  /** Copies the cached folders of a successful build into the cache; the build's own folders stay unchanged. */
  async save(order: BuildOrder, container: ScriptRunner, signal: AbortSignal): Promise<void> {
    const { plan, buildId, buildLog } = order;
    const { caches = [] } = plan;
    if (caches.length === 0) return;
    const fresh = `${CACHE_FOLDER}/${buildId}`;
    const mebibytes = Math.floor(this.#diskMb * CACHE_SHARE);
    const { code, lines } = await container.script(SAVE_SCRIPT, { args: caches, home: fresh }, signal);
    const swapArgs = [fresh, CURRENT, String(mebibytes * 1_024)];
    const swap = await container.script(SWAP_SCRIPT, { args: swapArgs, home: fresh }, signal);
    if (swap.code === TOO_LARGE) {
      const how = describeReason(reason('disk_full', { mebibytes }), 'en');
      return buildLog.write(messages.cachesTooLarge(how));
    }
    if (code !== 0 || swap.code !== 0) {
      const how = describeReason(reason('exited', { code: code || swap.code }), 'en');
      return buildLog.write(messages.cachesNotSaved(how));
    }
    const copied = caches.filter((one) => lines.includes(one));
    if (copied.length > 0) buildLog.write(messages.cachesSaved(copied));
  }

  /** Sizes of an application's cache volumes, in bytes. */
  async sizes(applicationId: string, signal: AbortSignal): Promise<{ home: number; folders: number }> {
    const { home, folders } = volumesOf(applicationId);
    const { volumes } = await this.#engine.usage(signal);
    return { home: volumes.get(home) ?? 0, folders: volumes.get(folders) ?? 0 };
  }

  /** Removes an application's cache volumes that are over half their size limit, so that the next build has room. */
  async emptyLarge(applicationId: string): Promise<void> {
    const { volumes } = await this.#engine.usage(NEVER);
    const most = (this.#diskMb / 2) * MEBIBYTE;
    const large = Object.values(volumesOf(applicationId)).filter((one) => (volumes.get(one) ?? 0) > most);
    await this.#withVolumes(applicationId, async () => {
      // A large volume that another build uses now stays, and is checked again after that build.
      for (const volume of large) await this.#engine.removeVolume(volume, NEVER).catch(ignoreInUse);
    });
  }
}

/** Names of the volumes that builds of an application share. */
function volumesOf(applicationId: string): { home: string; folders: string } {
  return { home: `simcha-${applicationId}-cache`, folders: `simcha-${applicationId}-kept` };
}
