import { mkdir } from 'node:fs/promises';
import type { Logger } from '../../kernel/log.ts';
import type { Builder } from '../builds/builder.ts';
import { type BuildSettings, createFolderBuilder } from '../builds/folder-builder.ts';
import { siteFolders } from '../builds/site-folders.ts';
import type { IsolationSettings } from '../walls/confined.ts';
import type { Wardens } from '../walls/limits.ts';
import { openWalls } from '../walls/walls.ts';
import { createProcessRuntime } from './process.ts';
import type { Runtime } from './runtime.ts';

export type RuntimeSettings = IsolationSettings & BuildSettings & { dataDir: string };

/** What runs sites, and what makes the releases that it starts. */
export interface Works {
  runtime: Runtime;
  builder: Builder;
}

export type OpenRuntime = (settings: RuntimeSettings, log: Logger, wardens: Wardens) => Promise<Works>;

/** Sites and builds as processes of this machine. */
export const openProcesses: OpenRuntime = async (settings, log, wardens) => {
  const folders = siteFolders(settings.dataDir);
  await mkdir(folders.base, { recursive: true, mode: 0o700 });
  const walls = await openWalls(settings, folders.base, wardens);
  return {
    runtime: createProcessRuntime({ walls, folders, wardens }),
    builder: createFolderBuilder(settings, { walls, folders, log }),
  };
};
