import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '../model/reasons/reason.ts';
import type { SiteFolders } from '../model/site-folders.ts';
import { excessOf } from '../sandbox/limits.ts';
import type { Limits, RunLimits, Sandbox } from '../sandbox/sandbox.ts';
import type { BuildOrder } from './builder.ts';
import { messages } from './messages.ts';
import type { Trash } from './trash.ts';

// Folders in which a framework keeps what its next build is faster by (BuildPlan). They are copied by commands within walls,
// as the build is run, which see them as their home: a link in them leads nowhere that the build could not go itself.

/** What the source or its packages have by that name goes before what was kept. */
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

/** Of what a build may fill on the disk. */
export const SHARE = 1 / 4;

export interface CachedFoldersParts {
  walls: Sandbox;
  folders: SiteFolders;
  trash: Trash;
  limits: Limits;
}

/** One set for each application, replaced as a whole by each build that succeeds; builds never share it. */
export function createCachedFolders({ walls, folders, trash, limits }: CachedFoldersParts) {
  const most = Math.floor(limits.diskMb * SHARE);

  /** Gives the folders that were copied, and why not all were. */
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
    /** Once packages are installed, and before anything is built. Rejects with the signal's reason alone. */
    async takeUp(order: BuildOrder, until: RunLimits): Promise<void> {
      const kept = folders.kept(order.applicationId);
      if (!order.plan.caches?.length || !existsSync(kept)) return;
      await walls.give(kept, order.signal);
      const { copied } = await copy(order, TAKE_UP, kept, until);
      if (copied.length > 0) order.journal.write(messages.takenUp(copied));
    },

    /** Of a build that has succeeded, which keeps its own as they are. Rejects with the signal's reason alone. */
    async keep(order: BuildOrder, until: RunLimits): Promise<void> {
      const { applicationId, journal, signal } = order;
      if (!order.plan.caches?.length) return;
      const kept = folders.kept(applicationId);
      const fresh = await walls.ownFolder(join(folders.build(order), 'kept'), signal);
      try {
        const { copied, failure } = await copy(order, KEEP, fresh, until);
        const excess = await excessOf([fresh], most, signal);
        signal.throwIfAborted();
        if (excess) {
          // What grows with each build would be too large for good.
          await trash.discard(kept, signal);
          return journal.write(messages.tooLarge(say(excess.how, 'en')));
        }
        if (failure) return journal.write(messages.notKept(say(failure, 'en')));
        if (copied.length === 0) return;
        await trash.discard(kept, signal);
        // Another build of the application may have come before it meanwhile.
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
