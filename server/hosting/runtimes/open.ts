import type { Logger } from '../../kernel/log.ts';
import type { Builder } from '../builds/builder.ts';
import { type BuildSettings, createFolderBuilder } from '../builds/folder-builder.ts';
import type { SiteFolders } from '../builds/site-folders.ts';
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
export const openProcesses: OpenRuntime = async ({ settings, walls, folders, wardens, log }) => ({
  runtime: createProcessRuntime({ walls, folders, wardens, log }),
  builder: createFolderBuilder(settings, { walls, folders, log }),
});
