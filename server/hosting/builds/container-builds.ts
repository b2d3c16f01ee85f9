import { posix } from 'node:path';
import semver from 'semver';
import { archiveOfFiles, archiveOfFolders, archiveOfTree, joinArchives } from '../engine/archives.ts';
import { excessReason } from '../engine/disk-usage.ts';
import type { Engine } from '../engine/engine.ts';
import type { Image } from '../engine/image-calls.ts';
import { APP, SITE_USER } from '../engine/site-containers.ts';
import type { Step } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { SiteFolders } from '../model/site-folders.ts';
import { type BaseImages, baseImageOf } from './base-images.ts';
import type { BuildCaches } from './build-caches.ts';
import { BuildContainer, type BuildContainerParts } from './build-container.ts';
import type { BuildOrder } from './builder.ts';
import { type CachedPackages, type LockedPackages, lockedPackages } from './cached-packages.ts';
import { buildSizeExcess, type ExcessCheck, runWithinDiskLimit } from './disk-guard.ts';
import { messages } from './messages.ts';
import { checkPrograms } from './programs.ts';
import { runSteps } from './steps.ts';

export interface ContainerBuildsParts extends BuildContainerParts {
  engine: Engine;
  folders: SiteFolders;
  diskMb: number;
  images: BaseImages;
  caches: BuildCaches;
  packages: CachedPackages;
  /** Ensures that the engine has the base image of a build. */
  bringBase: (name: string, signal: AbortSignal) => Promise<Image>;
}

/** Steps of a build, and the checks before them. */
interface Work {
  /** Checks that run before the steps, in the build's container. */
  first: (signal: AbortSignal) => Promise<void>;
  /** Bytes of the build's start image that count towards the size of the build: the layers above its base image. */
  below: number;
}

/** Builds sources in containers, by the steps of a build plan. */
export class ContainerBuilds {
  readonly #parts: ContainerBuildsParts;

  constructor(parts: ContainerBuildsParts) {
    this.#parts = parts;
  }

  /** Runs all steps of a build. Returns the container with the files that they made. */
  async run(order: BuildOrder, signal: AbortSignal): Promise<BuildContainer> {
    const { caches, folders, packages, bringBase } = this.#parts;
    const base = await bringBase(this.#baseOf(order).image, signal);
    const locked = await lockedPackages(order, { source: folders.source(order), base: base.Id });
    const cached = locked && (await packages.find(order.applicationId, locked, signal));
    const isInstalled = locked !== undefined && !cached;
    const start = isInstalled ? await this.#install(order, { base, locked }, signal) : (cached ?? base);
    const left = locked ? withSteps(order, order.plan.steps.slice(1)) : order;
    const container = new BuildContainer(left, this.#parts);
    const content = () => archiveOfTree(folders.source(order), APP, SITE_USER);
    await container.begin({ image: start.Id, content }, signal);
    const first = async (until: AbortSignal) => {
      if (!isInstalled) await this.#check(left, container, until);
      if (cached)
        await order.buildLog.step('install', async () => order.buildLog.write(messages.packagesCached));
    };
    await this.#runSteps(left, container, { first, below: start.Size - base.Size }, signal);
    await caches.save(order, container, signal);
    return container;
  }

  #baseOf({ plan }: BuildOrder) {
    return baseImageOf(plan, this.#parts.images);
  }

  /** Makes an image from the image `base` with an application's packages installed. */
  async #install(
    order: BuildOrder,
    { base, locked }: { base: Image; locked: LockedPackages },
    signal: AbortSignal,
  ): Promise<Image> {
    const { engine, packages } = this.#parts;
    const { applicationId, root } = order;
    // The user's npm settings are ignored: a file in the shared home must not influence the packages.
    const variables = { ...order.variables, npm_config_userconfig: '/dev/null' };
    const installOrder = { ...withSteps(order, [locked.step]), variables };
    const container = new BuildContainer(installOrder, this.#parts);
    const at = posix.join(APP, root);
    const texts = Object.entries(locked.texts).map(([name, text]) => [posix.join(at, name), text]);
    const content = () =>
      joinArchives(archiveOfFolders(foldersTo(root), SITE_USER), () =>
        archiveOfFiles(Object.fromEntries(texts), SITE_USER),
      );
    await container.begin({ image: base.Id, content }, signal);
    const first = (until: AbortSignal) => this.#check(installOrder, container, until);
    await this.#runSteps(installOrder, container, { first, below: 0 }, signal);
    const made = await packages.save(container.name, applicationId, locked, signal);
    await engine.remove(container.name, signal);
    return made;
  }

  /** Checks that the build's image has the programs that the build plan needs. */
  async #check(order: BuildOrder, container: BuildContainer, signal: AbortSignal): Promise<void> {
    const { node } = order.plan;
    if (node !== undefined) await this.#checkNode(order, container, node, signal);
    await checkPrograms(order, {
      run: (command, output) => container.run({ command }, output, signal),
      missing: ({ name }) => reason('image_program', { name, ...this.#baseOf(order) }),
    });
  }

  /** Checks the version of Node.js: a build's image has only one version, which must be in the range. */
  async #checkNode(
    order: BuildOrder,
    container: BuildContainer,
    range: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { lines } = await container.script('node --version', {}, signal);
    const installed = semver.clean(lines[0] ?? '') ?? undefined;
    if (installed === undefined || !semver.satisfies(installed, range)) {
      const has = installed ?? '?';
      throw new RuntimeFailure(reason('image_node', { ...this.#baseOf(order), wanted: range, has }));
    }
    order.buildLog.write(messages.node(installed));
  }

  /** Runs the steps within the disk limit. Once no process writes any more, measures the files that they made. */
  async #runSteps(
    order: BuildOrder,
    container: BuildContainer,
    { first, below }: Work,
    signal: AbortSignal,
  ): Promise<void> {
    const { caches, diskMb } = this.#parts;
    const work = async (until: AbortSignal) => {
      await container.removePipes(until);
      await first(until);
      await runSteps(order, {
        restoreCaches: () => caches.restore(order, container, until),
        run: (step, output) => container.run(step, output, until),
      });
    };
    await runWithinDiskLimit(this.#excessCheck(order, container), work, signal);
    await container.settle(signal);
    const excess = buildSizeExcess(below + (await container.writtenBytes(signal)), diskMb);
    if (excess) throw new RuntimeFailure(excess);
  }

  /** Measures a build's disk usage while its commands run. */
  #excessCheck({ applicationId }: BuildOrder, container: BuildContainer): ExcessCheck {
    const { caches, diskMb } = this.#parts;
    return async (signal) => {
      const { home, folders } = await caches.sizes(applicationId, signal);
      const how = excessReason(home, diskMb);
      if (how) return reason('home_exceeds', { how });
      return buildSizeExcess(Math.max(await container.writtenBytes(signal), folders), diskMb);
    };
  }
}

/** Copy of a build's request (order) whose plan has only the given steps. */
function withSteps(order: BuildOrder, steps: readonly Step[]): BuildOrder {
  return { ...order, plan: { ...order.plan, steps } };
}

/** All folders on the path to an application's root. */
function foldersTo(root: string): string[] {
  const parts = root.split('/').filter((part) => part !== '');
  return parts.map((_, index) => posix.join(APP, ...parts.slice(0, index + 1)));
}
