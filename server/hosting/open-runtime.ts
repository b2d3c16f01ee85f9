import { type Config, ConfigError } from '../kernel/config.ts';
import type { Logger } from '../kernel/log.ts';
import type { AppsRuntime } from '../kernel/settings.ts';
import { baseImageOf } from './builds/base-images.ts';
import { ClusterImages } from './builds/cluster-images.ts';
import { type BuildSettings, FolderBuilder } from './builds/folder-builder.ts';
import { ImageBuilder } from './builds/image-builder.ts';
import { NodeVersions } from './builds/node-versions.ts';
import type { SiteCopies } from './builds/site-copies.ts';
import { createTrash } from './builds/trash.ts';
import { type Connection, connectToEngine } from './engine/connection.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { EngineAway, EngineError } from './engine/errors.ts';
import { createFirewall } from './engine/firewall.ts';
import { createNetworks, prefixOf } from './engine/networks.ts';
import { pullUnlessPresent } from './engine/pull-image.ts';
import { type Registry, registryOf } from './engine/registry.ts';
import { RegistryClient } from './engine/registry-client.ts';
import { ClusterFirewall } from './engine/swarm/cluster-firewall.ts';
import { ClusterEnvironments } from './engine/swarm/environments.ts';
import { awaitingLeader } from './engine/swarm/leader.ts';
import { createMachineImages } from './engine/swarm/machine-images.ts';
import { createNodeJobRunner } from './engine/swarm/node-job.ts';
import { createSwarm } from './engine/swarm/swarm.ts';
import type { SiteFolders } from './model/site-folders.ts';
import { ContainerRuntime } from './runtimes/containers/runtime.ts';
import { ProcessRuntime } from './runtimes/process.ts';
import { SwarmRuntime } from './runtimes/swarm/runtime.ts';
import type { Wardens } from './sandbox/limits.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { ClusterHelpers } from './volumes/cluster-helpers.ts';
import { EngineContents } from './volumes/engine-contents.ts';
import { EngineHelpers } from './volumes/engine-helpers.ts';
import { FolderContents } from './volumes/folder-contents.ts';
import type { VolumeHelpers } from './volumes/helpers.ts';
import type { OpenedRuntime } from './volumes/opened-runtime.ts';

/** Time in which an engine must give its first answer when this server connects to it. */
const ENGINE_MS = 30_000;

export type EngineSettings = Pick<
  Config,
  | 'appsRuntime'
  | 'appsEngine'
  | 'appsImages'
  | 'appsDockerfiles'
  | 'appsSubnets'
  | 'appsRegistry'
  | 'appsIsolation'
  | 'appsAllowNetworks'
>;

export interface RuntimeParts {
  settings: BuildSettings & EngineSettings & { dataDir: string };
  /**
   * Id of the platform: the same for all servers of one database, and for no others. Available once the database is
   * open.
   */
  platform: () => string;
  sandbox: Sandbox;
  folders: SiteFolders;
  /** Copies of static sites' files; undefined outside of a cluster. */
  copies?: SiteCopies | undefined;
  wardens: Wardens;
  log: Logger;
}

/** Opens a runtime for this server. Throws ConfigError if it is not available. */
export type OpenRuntime = (parts: RuntimeParts) => Promise<OpenedRuntime>;

/** Opens the runtime that runs sites and builds as processes of this machine. */
export const openProcesses: OpenRuntime = async (parts) => {
  const { settings, sandbox, folders, wardens, log } = parts;
  const { trash, nodes, builder } = openFolders(parts);
  return {
    runtime: new ProcessRuntime({ sandbox, folders, nodes, trash, wardens }),
    builder,
    contents: new FolderContents({ folders, sandbox, diskMb: settings.appsDiskMb, log }),
  };
};

/**
 * Opens the runtime that runs sites and builds as containers of an engine. Throws ConfigError if no suitable engine is
 * available.
 */
export const openContainers: OpenRuntime = async (parts) => {
  const { folders, log } = parts;
  const engine = createEngine(await connect(parts));
  const { networks, isClosed, platform, image, builder, contentsBy } = openEngineParts(parts, engine);
  return {
    builder,
    contents: contentsBy(new EngineHelpers({ engine, platform, image, log })),
    runtime: new ContainerRuntime({
      engine,
      platform,
      networks,
      image,
      base: folders.base,
      isClosed,
      log,
    }),
  };
};

/**
 * Opens the runtime that runs sites as services of a Docker Swarm, and builds as containers of one of its managers.
 * Throws ConfigError if the engine is no manager.
 */
export const openSwarm: OpenRuntime = async (parts) => {
  const { settings, folders, log } = parts;
  if (!settings.appsRegistry) throw new ConfigError('APPS_RUNTIME is swarm, and APPS_REGISTRY is not set.');
  const registry = registryOf(settings.appsRegistry);
  const connection = awaitingLeader(await connect(parts));
  const swarm = createSwarm(connection, registry.headers);
  const cluster = await swarm.cluster(AbortSignal.timeout(ENGINE_MS));
  if (cluster === undefined) {
    connection.close();
    throw new ConfigError(
      `APPS_RUNTIME is swarm, and the engine at ${settings.appsEngine} (APPS_ENGINE) is no manager of one: docker swarm init.`,
    );
  }
  const engine = createEngine(connection);
  const { platform } = parts;
  const { image } = baseImageOf({}, settings.appsImages);
  const runNodeJob = createNodeJobRunner({ swarm, platform, image });
  const clusterImages = new ClusterImages({
    client: new RegistryClient(settings.appsRegistry),
    repositoryOf: registry.repositoryOf,
    machines: createMachineImages({ runNodeJob, platform }),
    log,
  });
  const { isClosed, builder, contentsBy } = openEngineParts(parts, engine, { registry, clusterImages });
  const allowed = settings.appsAllowNetworks;
  const firewall = isClosed ? new ClusterFirewall({ swarm, platform, image, allowed }) : undefined;
  const environments = new ClusterEnvironments({ swarm, engine, registry, platform, firewall });
  return {
    builder,
    contents: contentsBy(new ClusterHelpers({ swarm, engine, platform, environments, image, log })),
    runtime: new SwarmRuntime({
      swarm,
      engine,
      cluster,
      registry,
      platform,
      firewall,
      environments,
      runNodeJob,
      base: folders.base,
      log,
    }),
  };
};

/** Connects to the engine. Throws ConfigError if none answers, or if its version is not supported. */
async function connect({ settings: { appsEngine: socket, appsRuntime } }: RuntimeParts): Promise<Connection> {
  try {
    return await connectToEngine(socket, AbortSignal.timeout(ENGINE_MS));
  } catch (error) {
    if (!(error instanceof EngineAway || error instanceof EngineError)) throw error;
    throw new ConfigError(
      `APPS_RUNTIME is ${appsRuntime}, and no engine that will do answers at ${socket} (APPS_ENGINE): ${error.message}.`,
    );
  }
}

/**
 * Opens the components that both runtimes with an engine need: networks, images, the builder, and contents of volumes.
 */
function openEngineParts(
  parts: RuntimeParts,
  engine: Engine,
  { registry, clusterImages }: { registry?: Registry; clusterImages?: ClusterImages } = {},
) {
  const { settings, platform, sandbox, folders, copies, log } = parts;
  const { appsImages: images, appsDiskMb: diskMb } = settings;
  /** Pulls the image of helper containers, unless the engine has it. Returns its name. */
  const image = async (signal: AbortSignal) => {
    const base = baseImageOf({}, images);
    await pullUnlessPresent({ engine, log }, base.image, signal, registry?.headersFor(base.image));
    return base.image;
  };
  const prefix = () => prefixOf(platform());
  const isClosed = settings.appsIsolation !== 'none';
  const firewallParts = { engine, platform, prefix, image, allowed: settings.appsAllowNetworks };
  const networks = createNetworks({
    engine,
    prefix,
    subnets: settings.appsSubnets,
    ensureClosed: isClosed ? createFirewall(firewallParts) : async () => {},
  });
  const device = (signal: AbortSignal) => engine.defaultBridge(signal);
  const { builder: folderBuilder } = openFolders(parts);
  return {
    networks,
    isClosed,
    platform,
    image,
    builder: new ImageBuilder({
      settings,
      engine,
      platform,
      networks,
      ensureBuildsClosed: isClosed ? createFirewall({ ...firewallParts, device }) : async () => {},
      images,
      ...(registry && { registry }),
      ...(clusterImages && { clusterImages }),
      sandbox,
      folders,
      folderBuilder,
      copies,
      log,
    }),
    contentsBy: (helpers: VolumeHelpers) => new EngineContents({ helpers, folders, sandbox, diskMb, log }),
  };
}

/** Functions that open a runtime, by the values of the setting APPS_RUNTIME. */
export const RUNTIMES: Readonly<Record<AppsRuntime, OpenRuntime>> = {
  process: openProcesses,
  docker: openContainers,
  swarm: openSwarm,
};

/** Opens the builder that makes builds as folders on this machine, and its components. */
function openFolders({ settings, sandbox, folders, log }: RuntimeParts) {
  const trash = createTrash(folders.trash, log);
  const nodes = new NodeVersions({ sandbox, folders, trash, memoryMb: settings.appsBuildMemoryMb });
  return { trash, nodes, builder: new FolderBuilder(settings, { sandbox, folders, nodes, trash }) };
}
