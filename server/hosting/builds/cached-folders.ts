import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describeReason } from '../model/reasons/reason.ts';
import type { SiteFolders } from '../model/site-folders.ts';
import { excessOf } from '../sandbox/limits.ts';
import type { Limits, RunLimits, Sandbox } from '../sandbox/sandbox.ts';
import type { BuildOrder } from './builder.ts';
import { messages } from './messages.ts';
import type { Trash } from './trash.ts';

// Cached folders: a framework keeps files in them that make its next build faster (BuildPlan). Commands in the build's
// sandbox copy them, with the cache as their home: a link in a cached folder leads only where the build may go itself.

/**
 * Shell script that restores cached folders; a folder that the source or its packages already have takes precedence.
 */
export const TAKE_UP = `for folder; do
  if [ -d "$HOME/$folder" ] && [ ! -e "./$folder" ] && [ ! -L "./$folder" ]; then
    mkdir -p "$(dirname "./$folder")" && cp -aT --reflink=auto "$HOME/$folder" "./$folder" && echo "$folder" ||
      rm -rf "./$folder"
  fi
done 2> /dev/null`;
export const KEEP = `for folder; do
  if [ -d "./$folder" ] && [ ! -L "./$folder" ]; then
    mkdir -p "$(dirname "$HOME/$folder")" && cp -aT --reflink=auto "./$folder" "$HOME/$folder" && echo "$folder" || exit 1
  fi
done`;

/** Share of a build's disk limit that cached folders may fill. */
export const SHARE = 1 / 4;

export interface CachedFoldersParts {
  walls: Sandbox;
  folders: SiteFolders;
  trash: Trash;
  limits: Limits;
}

/**
 * Cached folders of applications. Each application has one set, which each successful build replaces as a whole;
 * running builds never share it.
 */
export function createCachedFolders({ walls, folders, trash, limits }: CachedFoldersParts) {
  const most = Math.floor(limits.diskMb * SHARE);

  /** Copies folders with a script. Returns the folders that were copied, and the reason if not all were. */
  const copy = async (order: BuildOrder, script: string, home: string, until: RunLimits) => {
    const wanted = order.plan.caches ?? [];
    const said = new Set<string>();
    const { succeeded, how } = await walls.run(
      {
        confined: {
          command: ['/bin/sh', '-c', script, 'sh', ...wanted],
          folder: folders.source(order),
          below: order.root,
          writable: true,
          home,
          variables: {},
        },
        network: 'none',
        limits,
        filled: [
          { folders: [home], mebibytes: most, ends: (excess) => excess.how },
          { folders: [folders.build(order)], mebibytes: limits.diskMb, ends: (excess) => excess.how },
        ],
        output: (lines) => {
          for (const line of lines) said.add(line);
        },
      },
      until,
    );
    order.signal.throwIfAborted();
    return { copied: wanted.filter((folder) => said.has(folder)), failure: succeeded ? undefined : how };
  };

  return {
    /**
     * Restores cached folders, after packages are installed and before anything is built. Rejects with the signal's
     * reason only.
     */
    async takeUp(order: BuildOrder, until: RunLimits): Promise<void> {
      const kept = folders.buildCaches(order.applicationId);
      if (!order.plan.caches?.length || !existsSync(kept)) return;
      await walls.give(kept, order.signal);
      const { copied } = await copy(order, TAKE_UP, kept, until);
      if (copied.length > 0) order.journal.write(messages.takenUp(copied));
    },

    /**
     * Saves the folders of a successful build, and leaves the build's own unchanged. Rejects with the signal's reason
     * only.
     */
    async keep(order: BuildOrder, until: RunLimits): Promise<void> {
      const { applicationId, journal, signal } = order;
      if (!order.plan.caches?.length) return;
      const kept = folders.buildCaches(applicationId);
      const fresh = await walls.ownFolder(join(folders.build(order), 'kept'), signal);
      try {
        const { copied, failure } = await copy(order, KEEP, fresh, until);
        const excess = await excessOf([fresh], most, signal);
        signal.throwIfAborted();
        if (excess) {
          // Caches over the limit are dropped: a folder that grows with each build would stay over it.
          await trash.discard(kept, signal);
          return journal.write(messages.tooLarge(describeReason(excess.how, 'en')));
        }
        if (failure) return journal.write(messages.notKept(describeReason(failure, 'en')));
        if (copied.length === 0) return;
        await trash.discard(kept, signal);
        // Another build of the application may have saved its cache in the meantime.
        const isKept = await rename(fresh, kept).then(
          () => true,
          () => false,
        );
        if (isKept) journal.write(messages.kept(copied));
      } finally {
        await trash.discard(fresh, signal);
      }
    },
  };
}
