import type { Logger } from '../../kernel/log.ts';
import type { Builder } from '../builds/builder.ts';
import { type BuildSettings, createFolderBuilder } from '../builds/folder-builder.ts';
import { createImageBuilder, type ImageBuilderParts } from '../builds/image-builder.ts';
import { createNodeVersions } from '../builds/node-versions.ts';
import type { SiteFolders } from '../builds/site-folders.ts';
import { createTrash } from '../builds/trash.ts';
import { openEngine } from '../engine/engine.ts';
import type { Wardens } from '../walls/limits.ts';
import type { Walls } from '../walls/walls.ts';
import { createContainerRuntime } from './containers.ts';
import { createProcessRuntime } from './process.ts';
import type { Runtime } from './runtime.ts';

const ENGINE_MS = 30_000;

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
export const openProcesses: OpenRuntime = async (parts) => {
  const { walls, folders, wardens } = parts;
  const { trash, nodes, builder } = openFolders(parts);
  return { runtime: createProcessRuntime({ walls, folders, nodes, trash, wardens }), builder };
};

/** Where an engine is, and what there is made on it. */
export interface EngineSettings extends Pick<ImageBuilderParts, 'images' | 'platform'> {
  /** The path of its socket. */
  socket: string;
}

/** Sites and builds as containers of an engine. Throws an EngineAway or an EngineError where there is none that will do. */
export const openContainers =
  ({ socket, platform, images }: EngineSettings): OpenRuntime =>
  async (parts) => {
    const { settings, walls, folders, log } = parts;
    const engine = await openEngine(socket, AbortSignal.timeout(ENGINE_MS));
    const { builder: folderBuilder } = openFolders(parts);
    return {
      runtime: createContainerRuntime({ engine, platform, log }),
      builder: createImageBuilder(settings, { engine, platform, walls, folders, folderBuilder, images }),
    };
  };

function openFolders({ settings, walls, folders, log }: WorksParts) {
  const trash = createTrash(folders.trash, log);
  const nodes = createNodeVersions({ walls, folders, trash, memoryMb: settings.appsBuildMemoryMb });
  return { trash, nodes, builder: createFolderBuilder(settings, { walls, folders, nodes, trash }) };
}
