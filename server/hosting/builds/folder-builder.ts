import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { Config } from '../../kernel/config.ts';
import { reportsFullDisk } from '../../kernel/full-disk.ts';
import { foldersWithPages, noPageIn, publishedFolder } from '../detection/source.ts';
import type { Artifact } from '../model/artifact.ts';
import { dockerfileRefusal } from '../model/dockerfile-refusal.ts';
import { imageRefusal } from '../model/image-refusal.ts';
import type { Step } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeReason, reason } from '../model/reasons/reason.ts';
import type { BuildName, SiteFolders } from '../model/site-folders.ts';
import { copyTree, isEmpty, measureFolders, openUp, removeSpecials } from '../sandbox/disk.ts';
import { folderInside, refuseLinksOutside, uuidsIn } from '../sandbox/folders.ts';
import { measureExcess } from '../sandbox/limits.ts';
import {
  diskLimit,
  type Limits,
  type RunLimits,
  type Sandbox,
  type SandboxTask,
} from '../sandbox/sandbox.ts';
import { describeProblems } from '../site-rules/site-rules.ts';
import { createMemoryWatch } from './build-memory.ts';
import type { Builder, BuildOrder } from './builder.ts';
import { CachedFolders } from './cached-folders.ts';
import { messages } from './messages.ts';
import type { NodeVersions } from './node-versions.ts';
import { packageSettings } from './package-settings.ts';
import { checkPrograms } from './programs.ts';
import { siteVariables } from './site-variables.ts';
import { runSteps } from './steps.ts';
import type { Trash } from './trash.ts';

export interface FolderBuilderParts {
  sandbox: Sandbox;
  folders: SiteFolders;
  nodes: NodeVersions;
  trash: Trash;
}

export type BuildSettings = Pick<Config, 'appsBuildSeconds' | 'appsBuildMemoryMb' | 'appsDiskMb'>;

const MEBIBYTE = 2 ** 20;
const EMPTY = 'empty';
/** Maximum number of threads of a build; a program often has a dozen. */
const MOST_PROCESSES = 1_000;

/** Version of Node.js for a build (undefined: the server's own), and the time by which the whole build must be done. */
interface NodeAndDeadline {
  node: string | undefined;
  deadline: number;
  /** Called with the peak memory of each command, in bytes. */
  onPeak?: (bytes: number) => void;
}

/** Builder that runs commands in a sandbox on this machine, in the build's own folder. */
export class FolderBuilder implements Builder {
  readonly #settings: BuildSettings;
  readonly #sandbox: FolderBuilderParts['sandbox'];
  readonly #folders: FolderBuilderParts['folders'];
  readonly #nodes: FolderBuilderParts['nodes'];
  readonly #trash: FolderBuilderParts['trash'];
  readonly #build: SiteFolders['build'];
  readonly #builds: SiteFolders['builds'];
  readonly #source: SiteFolders['source'];
  readonly #site: SiteFolders['site'];
  readonly #tmp: SiteFolders['tmp'];
  readonly #completeMarker: SiteFolders['whole'];
  readonly #cache: SiteFolders['cache'];
  readonly #cachedFoldersPath: SiteFolders['buildCaches'];
  readonly #limits: Limits;
  readonly #cachedFolders: CachedFolders;
  readonly dockerfiles = 'off' as const;

  constructor(settings: BuildSettings, parts: FolderBuilderParts) {
    this.#settings = settings;
    this.#sandbox = parts.sandbox;
    this.#folders = parts.folders;
    this.#nodes = parts.nodes;
    this.#trash = parts.trash;
    this.#build = parts.folders.build;
    this.#builds = parts.folders.builds;
    this.#source = parts.folders.source;
    this.#site = parts.folders.site;
    this.#tmp = parts.folders.tmp;
    this.#completeMarker = parts.folders.whole;
    this.#cache = parts.folders.cache;
    this.#cachedFoldersPath = parts.folders.buildCaches;
    this.#limits = {
      memoryMb: this.#settings.appsBuildMemoryMb,
      processes: MOST_PROCESSES,
      isBackground: true,
      diskMb: this.#settings.appsDiskMb,
    };
    this.#cachedFolders = new CachedFolders({
      sandbox: this.#sandbox,
      folders: this.#folders,
      trash: this.#trash,
      limits: this.#limits,
    });
  }

  async recover(): Promise<void> {
    await this.#nodes.recover();
    await this.#trash.sweep();
  }

  async workspace(name: BuildName, signal: AbortSignal): Promise<string> {
    await this.#trash.discard(this.#build(name), signal);
    signal.throwIfAborted();
    await mkdir(this.#builds(name.applicationId), { recursive: true, mode: 0o700 });
    // The workspace must not exist yet: leftover files in it would become part of the site.
    await mkdir(this.#build(name), { mode: 0o700 });
    await mkdir(this.#source(name), { mode: 0o700 });
    return this.#source(name);
  }

  discard(name: BuildName, signal: AbortSignal): Promise<void> {
    return this.#trash.discard(this.#build(name), signal);
  }

  async build(order: BuildOrder): Promise<Artifact> {
    const { plan, signal } = order;
    if (plan.image) throw new RuntimeFailure(imageRefusal('no_engine'));
    if (plan.dockerfile) throw new RuntimeFailure(dockerfileRefusal('off', plan.dockerfile.file));
    const deadline = performance.now() + this.#settings.appsBuildSeconds * 1_000;
    const hasSteps = plan.steps.length > 0;
    if (hasSteps || plan.kind === 'server') await this.#sandbox.changeOwner(this.#source(order), signal);
    let node: string | undefined;
    if (hasSteps) await this.#removePipes(order);
    try {
      node = await this.#runCommands(order, deadline);
      // A build without steps consists of the source alone, which was measured when it was fetched.
      if (hasSteps) {
        const excess = await measureExcess([this.#build(order)], this.#settings.appsDiskMb, signal);
        signal.throwIfAborted();
        if (excess) throw new RuntimeFailure(reason('build_exceeds', { how: excess.how }));
        await this.#cachedFolders.save(order, this.#runLimits(order, deadline));
      }
    } finally {
      if (hasSteps) await this.#emptyLargeCache(order);
    }
    if (plan.kind === 'static') return this.#keepFiles(order, plan.publish);
    await this.#markComplete(order);
    return { kind: 'folder', below: order.root, ...(node !== undefined && { node }) };
  }

  async has(name: BuildName, artifact: Artifact): Promise<boolean> {
    if (artifact.kind === 'folder' && !this.#nodes.has(artifact.node)) return false;
    switch (artifact.kind) {
      case 'files':
        return hasContent(this.#site(name));
      case 'folder':
        return this.#isComplete(name);
      case 'image':
        return false;
    }
  }

  async copy(from: BuildName, to: BuildName, artifact: Artifact, signal: AbortSignal): Promise<Artifact> {
    await mkdir(this.#builds(to.applicationId), { recursive: true, mode: 0o700 });
    const problem = await copyTree(this.#build(from), this.#build(to), signal);
    signal.throwIfAborted();
    if (problem !== undefined && reportsFullDisk(problem)) throw new RuntimeFailure(reason('no_room'));
    if (!(await this.has(to, artifact))) throw new RuntimeFailure(reason('release_gone'));
    if (problem !== undefined) throw new Error(`a build could not be copied: ${problem}`);
    return artifact;
  }

  builds(applicationId: string): Promise<string[]> {
    return uuidsIn(this.#builds(applicationId));
  }

  async prune(applicationId: string, gone: readonly string[], signal: AbortSignal): Promise<void> {
    for (const buildId of gone) await this.#trash.discard(this.#build({ applicationId, buildId }), signal);
  }

  async size(applicationId: string, signal: AbortSignal): Promise<number | undefined> {
    const size = await measureFolders([this.#folders.application(applicationId)], signal);
    return 'bytes' in size ? size.bytes : undefined;
  }

  pruneNodes(inUse: () => Promise<ReadonlySet<string>>, signal: AbortSignal): Promise<void> {
    return this.#nodes.prune(inUse, signal);
  }

  forget(applicationId: string, signal: AbortSignal): Promise<void> {
    return this.#trash.discard(this.#folders.application(applicationId), signal);
  }

  applications(): Promise<string[]> {
    return uuidsIn(this.#folders.base);
  }

  close(): Promise<void> {
    return this.#trash.close();
  }

  #runLimits({ signal }: BuildOrder, deadline: number): RunLimits {
    return {
      mostMs: Math.max(0, deadline - performance.now()),
      lateReason: reason('too_slow', { seconds: this.#settings.appsBuildSeconds }),
      signal,
    };
  }

  /** Runs a command in the sandbox of a build, until the deadline. */
  async #runInSandbox(
    order: BuildOrder,
    { command, at = order.root }: Pick<Step, 'command' | 'at'>,
    output: SandboxTask['output'],
    { node, deadline, onPeak }: NodeAndDeadline,
  ) {
    const { applicationId, signal, plan } = order;
    const home = await this.#sandbox.ownFolder(this.#cache(applicationId), signal);
    const variables = {
      ...siteVariables(order.facts),
      ...packageSettings(this.#sandbox.isolation),
      ...plan.variables,
      CI: 'true',
    };
    const memory = createMemoryWatch(this.#settings.appsBuildMemoryMb, output);
    const task: SandboxTask = {
      confined: {
        command,
        folder: this.#source(order),
        below: at,
        writable: true,
        home,
        tmp: await this.#sandbox.ownFolder(this.#tmp(order), signal),
        variables: { ...variables, ...order.variables },
        tools: this.#nodes.toolsOf(node),
      },
      limits: this.#limits,
      diskLimits: [
        diskLimit(this.#build(order), 'release_exceeds', this.#settings.appsDiskMb),
        diskLimit(home, 'home_exceeds', this.#settings.appsDiskMb),
      ],
      output: memory.output,
    };
    const end = await order.effect(() => this.#sandbox.run(task, this.#runLimits(order, deadline)));
    signal.throwIfAborted();
    if (end.peakBytes !== undefined) onPeak?.(end.peakBytes);
    return memory.explain(end);
  }

  /** Installs the version of Node.js that the plan requests; undefined if it requests none. */
  async #ensureNode(order: BuildOrder, deadline: number): Promise<string | undefined> {
    const { plan, buildLog } = order;
    const { node: range } = plan;
    if (range === undefined) return undefined;
    return buildLog.step('node', async () => {
      const version = await this.#nodes.ensure(range, this.#runLimits(order, deadline));
      buildLog.write(messages.node(version));
      return version;
    });
  }

  /**
   * Runs all commands of the plan, with the preparations they need. Returns the version of Node.js. Temporary files are
   * removed in any case.
   */
  async #runCommands(order: BuildOrder, deadline: number): Promise<string | undefined> {
    let peakBytes = 0;
    const onPeak = (bytes: number) => {
      peakBytes = Math.max(peakBytes, bytes);
    };
    try {
      const node = await this.#ensureNode(order, deadline);
      await checkPrograms(order, {
        run: (command, output) => this.#runInSandbox(order, { command }, output, { node, deadline }),
        missing: ({ name, package: packageName }) =>
          reason('program_missing', { name, command: `apt-get install ${packageName}` }),
      });
      await runSteps(order, {
        restoreCaches: () => this.#cachedFolders.restore(order, this.#runLimits(order, deadline)),
        run: (step, output) => this.#runInSandbox(order, step, output, { node, deadline, onPeak }),
      });
      return node;
    } finally {
      await this.#trash.discard(this.#tmp(order), order.signal);
      if (peakBytes > 0) {
        const peak = Math.ceil(peakBytes / MEBIBYTE);
        order.buildLog.write(messages.memory(peak, this.#settings.appsBuildMemoryMb));
      }
    }
  }

  /**
   * Removes named pipes and other special files that earlier builds left in the cache: a program that opens one could
   * wait forever.
   */
  async #removePipes({ applicationId, signal }: BuildOrder): Promise<void> {
    for (const path of [this.#cache(applicationId), this.#cachedFoldersPath(applicationId)])
      await removeSpecials(path, signal);
  }

  /** Empties the cache of an application's builds if it is over half its size limit: the next build must have room. */
  async #emptyLargeCache({ applicationId, buildLog, signal }: BuildOrder): Promise<void> {
    const excess = await measureExcess([this.#cache(applicationId)], this.#settings.appsDiskMb / 2, signal);
    if (!excess || signal.aborted) return;
    await this.#trash.discard(this.#cache(applicationId), signal);
    if (signal.aborted) return;
    buildLog.write(messages.cacheCleared(describeReason(excess.how, 'en')));
  }

  /**
   * Marks a build as complete. Nothing is started from an incomplete folder, because mounts depend on its content. An
   * empty build is marked too: otherwise each start would build it again.
   */
  async #markComplete(name: BuildName): Promise<void> {
    await writeFile(this.#completeMarker(name), (await hasContent(this.#source(name))) ? '' : EMPTY);
  }

  async #isComplete(name: BuildName): Promise<boolean> {
    const note = await readFile(this.#completeMarker(name), 'utf8').catch(() => undefined);
    // A build's folder that was emptied by hand no longer counts as complete.
    return note === EMPTY || (note === '' && (await hasContent(this.#source(name))));
  }

  /** Keeps the files to serve and removes everything else that the build left. */
  async #keepFiles(order: BuildOrder, candidates: readonly string[]): Promise<Artifact> {
    const root = await folderInside(this.#source(order), order.root);
    const chosen = await publishedFolder(root, candidates);
    if (chosen === undefined) throw noPageIn(candidates, await foldersWithPages(root));
    const folder = await folderInside(root, chosen);
    if (order.plan.steps.length > 0) await openUp(folder, order.signal);
    await rename(folder, this.#site(order));
    // Links are checked after the build's files were moved: a relative link may lead elsewhere from the new place.
    await refuseLinksOutside(this.#site(order), order.signal);
    for (const line of await describeProblems(this.#site(order))) order.buildLog.write(line);
    await this.#trash.discard(this.#source(order), order.signal);
    order.signal.throwIfAborted();
    return { kind: 'files' };
  }
}

/**
 * True if a build's folder has content. Every build leaves at least a page or a program, so an empty folder was emptied
 * by hand and does not count as a build.
 */
async function hasContent(folder: string): Promise<boolean> {
  return (await isEmpty(folder)) === false;
}
