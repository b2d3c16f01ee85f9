import type { Logger } from '../../kernel/log.ts';
import type { Builder } from '../builds/builder.ts';
import { type BuildSettings, createFolderBuilder } from '../builds/folder-builder.ts';
import { createNodeVersions } from '../builds/node-versions.ts';
import type { SiteFolders } from '../builds/site-folders.ts';
import { createTrash } from '../builds/trash.ts';
import type { Wardens } from '../walls/limits.ts';
import type { Walls } from '../walls/walls.ts';
import { createProcessRuntime } from './process.ts';
import type { Runtime } from './runtime.ts';

export interface WorksParts {
  settings: BuildSettings & { dataDir: string };
  walls: Walls;
  folders: SiteFolders;
  wardens: Wardens;
  log: Logger;
}

/** What runs sites, and what makes the releases that it starts. */
export interface Works {
  runtime: Runtime;
  builder: Builder;
}

export type OpenRuntime = (parts: WorksParts) => Promise<Works>;

/** Sites and builds as processes of this machine. */
export const openProcesses: OpenRuntime = async ({ settings, walls, folders, wardens, log }) => {
  const trash = createTrash(folders.trash, log);
  const nodes = createNodeVersions({ walls, folders, trash, memoryMb: settings.appsBuildMemoryMb });
  return {
    runtime: createProcessRuntime({ walls, folders, nodes, trash, wardens }),
    builder: createFolderBuilder(settings, { walls, folders, nodes, trash }),
  };
};
