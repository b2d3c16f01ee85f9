import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describeReason } from '../model/reasons/reason.ts';
import type { SiteFolders } from '../model/site-folders.ts';
import { measureExcess } from '../sandbox/limits.ts';
import type { Limits, RunLimits, Sandbox } from '../sandbox/sandbox.ts';
import type { BuildOrder } from './builder.ts';
import { messages } from './messages.ts';
import type { Trash } from './trash.ts';

// Cached folders: a framework keeps files in them that make its next build faster (BuildPlan). Commands in the build's
// sandbox copy them. The home folder of these commands is the cache, so a link in a cached folder can lead only to
// places that the build may access.

/**
 * Shell script that restores cached folders; a folder that the source or its packages already have takes precedence.
 */
export const RESTORE_SCRIPT = `for folder; do
  if [ -d "$HOME/$folder" ] && [ ! -e "./$folder" ] && [ ! -L "./$folder" ]; then
    mkdir -p "$(dirname "./$folder")" && cp -aT --reflink=auto "$HOME/$folder" "./$folder" && echo "$folder" ||
      rm -rf "./$folder"
  fi
done 2> /dev/null`;
export const SAVE_SCRIPT = `for folder; do
  if [ -d "./$folder" ] && [ ! -L "./$folder" ]; then
    mkdir -p "$(dirname "$HOME/$folder")" && cp -aT --reflink=auto "./$folder" "$HOME/$folder" && echo "$folder" || exit 1
  fi
done`;

/** Share of a build's disk limit that cached folders may fill. */
export const CACHE_SHARE = 1 / 4;

export interface CachedFoldersParts {
  sandbox: Sandbox;
  folders: SiteFolders;
  trash: Trash;
  limits: Limits;
}

/**
 * Cached folders of applications. Each application has one set, which each successful build replaces as a whole;
 * running builds never share it.
 */
export class CachedFolders {
  readonly #sandbox: CachedFoldersParts['sandbox'];
  readonly #folders: CachedFoldersParts['folders'];
  readonly #trash: CachedFoldersParts['trash'];
  readonly #limits: CachedFoldersParts['limits'];
  readonly #most: number;

  constructor(parts: CachedFoldersParts) {
    this.#sandbox = parts.sandbox;
    this.#folders = parts.folders;
    this.#trash = parts.trash;
    this.#limits = parts.limits;
    this.#most = Math.floor(this.#limits.diskMb * CACHE_SHARE);
  }

  /**
   * Restores cached folders, after packages are installed and before anything is built. Rejects with the signal's
   * reason only.
   */
  async restore(order: BuildOrder, until: RunLimits): Promise<void> {
    const cacheFolder = this.#folders.buildCaches(order.applicationId);
    if (!order.plan.caches?.length || !existsSync(cacheFolder)) return;
    await this.#sandbox.changeOwner(cacheFolder, order.signal);
    const { copied } = await this.#copy(order, RESTORE_SCRIPT, cacheFolder, until);
    if (copied.length > 0) order.buildLog.write(messages.cachesRestored(copied));
  }

  /**
   * Copies the cached folders of a successful build into the cache; the build's own folders stay unchanged. Rejects
   * with the signal's reason only.
   */
  async save(order: BuildOrder, until: RunLimits): Promise<void> {
    const { applicationId, buildLog, signal } = order;
    if (!order.plan.caches?.length) return;
    const cacheFolder = this.#folders.buildCaches(applicationId);
    const fresh = await this.#sandbox.ownFolder(join(this.#folders.build(order), 'kept'), signal);
    try {
      const { copied, failure } = await this.#copy(order, SAVE_SCRIPT, fresh, until);
      const excess = await measureExcess([fresh], this.#most, signal);
      signal.throwIfAborted();
      if (excess) {
        // Caches over the limit are dropped: a folder that grows with each build would stay over it.
        await this.#trash.discard(cacheFolder, signal);
        return buildLog.write(messages.cachesTooLarge(describeReason(excess.how, 'en')));
      }
      if (failure) return buildLog.write(messages.cachesNotSaved(describeReason(failure, 'en')));
      if (copied.length === 0) return;
      await this.#trash.discard(cacheFolder, signal);
      // Another build of the application may have saved its cache in the meantime.
      const isSaved = await rename(fresh, cacheFolder).then(
        () => true,
        () => false,
      );
      if (isSaved) buildLog.write(messages.cachesSaved(copied));
    } finally {
      await this.#trash.discard(fresh, signal);
    }
  }

  /** Copies cached folders with a shell script. Returns the copied folders, and the reason if some were not copied. */
  async #copy(order: BuildOrder, script: string, home: string, until: RunLimits) {
    const cachedFolders = order.plan.caches ?? [];
    const copiedLines = new Set<string>();
    const { succeeded, how } = await this.#sandbox.run(
      {
        confined: {
          command: ['/bin/sh', '-c', script, 'sh', ...cachedFolders],
          folder: this.#folders.source(order),
          below: order.root,
          writable: true,
          home,
          variables: {},
        },
        network: 'none',
        limits: this.#limits,
        diskLimits: [
          { folders: [home], mebibytes: this.#most, reasonOf: (excess) => excess.how },
          {
            folders: [this.#folders.build(order)],
            mebibytes: this.#limits.diskMb,
            reasonOf: (excess) => excess.how,
          },
        ],
        output: (lines) => {
          for (const line of lines) copiedLines.add(line);
        },
      },
      until,
    );
    order.signal.throwIfAborted();
    return {
      copied: cachedFolders.filter((folder) => copiedLines.has(folder)),
      failure: succeeded ? undefined : how,
    };
  }
}
