import type { Config, DockerfileSupport } from '../../kernel/config.ts';
import { createKeyedLock, UNTIL_DONE_MS } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Engine } from '../engine/engine.ts';
import { withFailureReasons } from '../engine/failure-reasons.ts';
import type { Image } from '../engine/image-calls.ts';
import { ignoreInUse } from '../engine/in-use.ts';
import type { Networks } from '../engine/networks.ts';
import { pullUnlessPresent } from '../engine/pull-image.ts';
import type { Registry } from '../engine/registry.ts';
import { createRegistryImages, type RegistryImages } from '../engine/registry-images.ts';
import { NAME_PREFIX } from '../engine/site-containers.ts';
import type { Artifact } from '../model/artifact.ts';
import { dockerfileRefusal } from '../model/dockerfile-refusal.ts';
import type { BuildPlan } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { BuildName, SiteFolders } from '../model/site-folders.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { ApplicationImages } from './application-images.ts';
import type { BaseImages } from './base-images.ts';
import { BuildCaches } from './build-caches.ts';
import { BuildRemovals } from './build-removals.ts';
import type { Builder, BuildOrder } from './builder.ts';
import { createCachedPackages } from './cached-packages.ts';
import type { ClusterImages } from './cluster-images.ts';
import { ContainerBuilds } from './container-builds.ts';
import { createDerivedBaseImages } from './derived-base-images.ts';
import type { BuildSettings } from './folder-builder.ts';
import { buildIdOf } from './image-names.ts';
import { ImageOutput } from './image-output.ts';
import { BUILD_LABELS, createOrphanedImages } from './orphaned-images.ts';
import type { SiteCopies } from './site-copies.ts';
import { StaticOutput } from './static-output.ts';

export type ImageBuilderSettings = BuildSettings & Pick<Config, 'appsDockerfiles'>;

export interface ImageBuilderParts {
  settings: ImageBuilderSettings;
  engine: Engine;
  platform: () => string;
  folders: SiteFolders;
  /** Builder that provides the source folders, and makes the builds that run no command. */
  folderBuilder: Builder;
  sandbox: Pick<Sandbox, 'changeOwner' | 'isolation'>;
  networks: Networks;
  /** Closes the network of Dockerfile builds, whose network is chosen by the engine. */
  ensureBuildsClosed: (signal: AbortSignal) => Promise<void>;
  images: BaseImages;
  /** Registry to which finished images are pushed; undefined: images stay in the container engine. */
  registry?: Registry;
  /** Images in the registry and on the machines of a cluster. */
  clusterImages?: ClusterImages;
  /** Copies of sites' files on each machine; undefined: files are served on this machine from the build's folder. */
  copies?: SiteCopies | undefined;
  log: Logger;
}

const CLEAR_AFTER_MS = 3_000;
const NEVER = new AbortController().signal;

/** Builder that runs steps in containers and makes images of them. */
export class ImageBuilder implements Builder {
  readonly dockerfiles: DockerfileSupport;
  readonly #parts: ImageBuilderParts;
  readonly #registryImages: RegistryImages | undefined;
  readonly #images: ApplicationImages;
  readonly #orphanedImages: ReturnType<typeof createOrphanedImages>;
  readonly #removals: BuildRemovals;
  readonly #containerBuilds: ContainerBuilds;
  readonly #staticOutput: StaticOutput;
  readonly #imageOutput: ImageOutput;
  /** Lock under which an application's Dockerfile builds run one after the other. */
  readonly #withLock = createKeyedLock(UNTIL_DONE_MS);

  constructor(parts: ImageBuilderParts) {
    const { settings, engine, platform, folders, networks, registry, copies, log } = parts;
    const { appsDiskMb: diskMb, appsBuildMemoryMb: memoryMb } = settings;
    const registryImages = registry && createRegistryImages({ engine, registry, log });
    const images = new ApplicationImages({ engine, platform, registry });
    const caches = new BuildCaches({ engine, diskMb });
    const derivedBaseImages = createDerivedBaseImages({ engine, platform, log });
    const labelsOf = (applicationId: string) => ({ ...images.labelsOf(applicationId), ...BUILD_LABELS });
    // Podman runs Dockerfile builds in the machine's own network, to which access can't be closed.
    this.dockerfiles = engine.isPodman ? 'off' : settings.appsDockerfiles;
    this.#parts = parts;
    this.#images = images;
    this.#registryImages = registryImages;
    this.#orphanedImages = createOrphanedImages({
      engine,
      platform,
      namesOf: (image) => images.namesOf(image),
    });
    this.#removals = new BuildRemovals({ engine, caches, log });
    this.#containerBuilds = new ContainerBuilds({
      engine,
      folders,
      caches,
      memoryMb,
      diskMb,
      labelsOf,
      images: parts.images,
      packages: createCachedPackages({
        engine,
        labelsOf: (applicationId) => images.labelsOf(applicationId),
        repositoryOf: (applicationId) => images.repositoryOf(applicationId),
        imagesOf: (applicationId, signal) => images.list(applicationId, signal),
      }),
      network: (applicationId, signal) =>
        networks.ensure(`${NAME_PREFIX}${applicationId}-builds`, labelsOf(applicationId), signal),
      async bringBase(name, signal): Promise<Image> {
        await pullUnlessPresent({ engine, log }, name, signal, registry?.headersFor(name));
        return derivedBaseImages(name, signal);
      },
    });
    const output = { ...parts, images, registryImages, copies, diskMb };
    this.#staticOutput = new StaticOutput(output);
    this.#imageOutput = new ImageOutput(output);
  }

  recover(): Promise<void> {
    return this.#parts.folderBuilder.recover();
  }

  workspace(name: BuildName, signal: AbortSignal): Promise<string> {
    return this.#parts.folderBuilder.workspace(name, signal);
  }

  discard(name: BuildName, signal: AbortSignal): Promise<void> {
    return this.#parts.folderBuilder.discard(name, signal);
  }

  async build(order: BuildOrder): Promise<Artifact> {
    const { plan, applicationId } = order;
    if (plan.dockerfile && this.dockerfiles !== 'built')
      throw new RuntimeFailure(dockerfileRefusal(this.dockerfiles, plan.dockerfile.file));
    // Static files that need no build are served without an engine.
    if (servesSourceFiles(plan) && !this.#parts.copies) return this.#parts.folderBuilder.build(order);
    const build = () => this.#buildInTime(order);
    return plan.dockerfile ? this.#withLock(applicationId, build) : build();
  }

  async has(name: BuildName, artifact: Artifact, signal = NEVER): Promise<boolean> {
    const { engine, registry, copies, folderBuilder } = this.#parts;
    const registryImages = this.#registryImages;
    if (artifact.kind === 'folder') return false;
    if (artifact.kind === 'files') return copies ? copies.has(name) : folderBuilder.has(name, artifact);
    const { image } = artifact;
    return withFailureReasons(async () =>
      registry && registryImages
        ? image.startsWith(registry.prefix) && registryImages.has(image, signal)
        : (await engine.image(image, signal)) !== undefined,
    );
  }

  async copy(from: BuildName, to: BuildName, artifact: Artifact, signal: AbortSignal): Promise<Artifact> {
    const { copies, folderBuilder } = this.#parts;
    if (artifact.kind === 'image')
      return withFailureReasons(() => this.#imageOutput.copy(artifact, to, signal));
    if (!copies) return folderBuilder.copy(from, to, artifact, signal);
    return withFailureReasons(() => this.#staticOutput.copy(from, to, artifact, signal));
  }

  async builds(applicationId: string): Promise<string[]> {
    const { folderBuilder, clusterImages } = this.#parts;
    const images = await this.#images.list(applicationId, NEVER);
    const here = images.flatMap(({ tag }) => buildIdOf(tag) ?? []);
    const further = (await clusterImages?.builds(applicationId, NEVER)) ?? [];
    return [...new Set([...(await folderBuilder.builds(applicationId)), ...here, ...further])];
  }

  async size(applicationId: string, signal: AbortSignal): Promise<number | undefined> {
    return this.#parts.folderBuilder.size?.(applicationId, signal);
  }

  async prune(applicationId: string, builds: readonly string[], signal: AbortSignal): Promise<void> {
    const { engine, folderBuilder, clusterImages } = this.#parts;
    await folderBuilder.prune(applicationId, builds, signal);
    const gone = new Set(builds);
    for (const { name, tag } of await this.#images.list(applicationId, signal))
      if (gone.has(buildIdOf(tag) ?? '')) await engine.removeName(name, signal).catch(ignoreInUse);
    await clusterImages?.prune(applicationId, builds, signal);
  }

  pruneNodes(inUse: () => Promise<ReadonlySet<string>>, signal: AbortSignal): Promise<void> {
    return this.#parts.folderBuilder.pruneNodes(inUse, signal);
  }

  async forget(applicationId: string, signal: AbortSignal): Promise<void> {
    const { folderBuilder, clusterImages, copies } = this.#parts;
    await folderBuilder.forget(applicationId, signal);
    await this.#removals.finish(applicationId);
    // Images in the registry are removed first: as long as the registry has some, the engine's local images show that
    // there is something left to remove.
    await clusterImages?.forget(applicationId, signal);
    await copies?.forget(applicationId, signal);
    await this.#orphanedImages.forget(applicationId, signal);
  }

  async applications(): Promise<string[]> {
    const { folderBuilder, copies } = this.#parts;
    const here = [...(await folderBuilder.applications()), ...((await copies?.applications()) ?? [])];
    return [...new Set([...here, ...(await this.#orphanedImages.applications(NEVER))])];
  }

  async close(): Promise<void> {
    await Promise.all([this.#parts.folderBuilder.close(), this.#parts.clusterImages?.close()]);
  }

  /** Builds a source within the time limit, and removes the build's container. */
  async #buildInTime(order: BuildOrder): Promise<Artifact> {
    const { appsBuildSeconds: seconds } = this.#parts.settings;
    const timeout = AbortSignal.timeout(seconds * 1_000);
    const signal = AbortSignal.any([order.signal, timeout]);
    try {
      const artifact = await withFailureReasons(() => this.#make(order, signal));
      // The container is removed later, so that a release waits neither for its removal nor for an engine that is busy
      // with it.
      void this.#removals.remove(order, CLEAR_AFTER_MS);
      return artifact;
    } catch (error) {
      await this.#removals.remove(order);
      order.signal.throwIfAborted();
      if (timeout.aborted) throw new RuntimeFailure(reason('too_slow', { seconds }));
      throw error;
    }
  }

  async #make(order: BuildOrder, signal: AbortSignal): Promise<Artifact> {
    const { plan } = order;
    if (plan.image) {
      const artifact = await this.#imageOutput.pull(order, plan.image, signal);
      await this.#imageOutput.push(order, artifact.image, signal);
      return artifact;
    }
    if (plan.kind === 'static' && !plan.dockerfile) {
      const files = await this.#makeFiles(order, signal);
      return this.#staticOutput.share(order, files, signal);
    }
    const artifact = plan.dockerfile
      ? await this.#imageOutput.build(order, plan.dockerfile, signal)
      : await this.#imageOutput.commit(order, await this.#containerBuilds.run(order, signal), signal);
    await this.#imageOutput.push(order, artifact.image, signal);
    return artifact;
  }

  async #makeFiles(order: BuildOrder, signal: AbortSignal): Promise<Artifact> {
    if (servesSourceFiles(order.plan)) return this.#parts.folderBuilder.build(order);
    const container = await this.#containerBuilds.run(order, signal);
    return this.#staticOutput.take(order, container, signal);
  }
}

/** True if the gateway serves the source's files as they are, because the plan has no build steps. */
function servesSourceFiles({ kind, steps }: BuildPlan): boolean {
  return kind === 'static' && steps.length === 0;
}
