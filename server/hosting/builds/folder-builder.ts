import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { Config } from '../../kernel/config.ts';
import { foldersWithPages, noPageIn, publishedFolder } from '../detection/source.ts';
import type { Artifact } from '../model/artifact.ts';
import { dockerfileRefusal } from '../model/dockerfile-refusal.ts';
import type { Step } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeReason, reason } from '../model/reasons/reason.ts';
import type { BuildName, SiteFolders } from '../model/site-folders.ts';
import { isEmpty, measureFolders, openUp, removeSpecials } from '../sandbox/disk.ts';
import { folderInside, refuseLinksOutside, uuidsIn } from '../sandbox/folders.ts';
import { measureExcess } from '../sandbox/limits.ts';
import { diskLimit, type RunLimits, type Sandbox, type SandboxTask } from '../sandbox/sandbox.ts';
import { describeProblems } from '../site-rules/site-rules.ts';
import { createMemoryWatch } from './build-memory.ts';
import type { Builder, BuildOrder } from './builder.ts';
import { createCachedFolders } from './cached-folders.ts';
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
/** Maximum number of threads; today's programs have a dozen each. */
const MOST_PROCESSES = 1_000;

/** Version of Node.js for a build, undefined for the server's own, and the time by which all of it must be done. */
interface NodeAndDeadline {
  node: string | undefined;
  deadline: number;
  /** Receives the peak memory of each command, in bytes. */
  onPeak?: (bytes: number) => void;
}

/** Builder that runs commands in a sandbox on this machine, in the build's own folder. */
export function createFolderBuilder(
  settings: BuildSettings,
  { sandbox, folders, nodes, trash }: FolderBuilderParts,
): Builder {
  const {
    build,
    builds,
    source,
    site,
    tmp,
    whole: completeMarker,
    cache,
    buildCaches: cachedFoldersPath,
  } = folders;
  const limits = {
    memoryMb: settings.appsBuildMemoryMb,
    processes: MOST_PROCESSES,
    isBackground: true,
    diskMb: settings.appsDiskMb,
  };
  const cachedFolders = createCachedFolders({ sandbox, folders, trash, limits });

  const runLimits = ({ signal }: BuildOrder, deadline: number): RunLimits => ({
    mostMs: Math.max(0, deadline - performance.now()),
    lateReason: reason('too_slow', { seconds: settings.appsBuildSeconds }),
    signal,
  });

  /** Runs a command in the sandbox of a build, until the deadline. */
  const runInSandbox = async (
    order: BuildOrder,
    { command, at = order.root }: Pick<Step, 'command' | 'at'>,
    output: SandboxTask['output'],
    { node, deadline, onPeak }: NodeAndDeadline,
  ) => {
    const { applicationId, signal, plan } = order;
    const home = await sandbox.ownFolder(cache(applicationId), signal);
    const variables = {
      ...siteVariables(order.facts),
      ...packageSettings(sandbox.isolation),
      ...plan.variables,
      CI: 'true',
    };
    const memory = createMemoryWatch(settings.appsBuildMemoryMb, output);
    const task: SandboxTask = {
      confined: {
        command,
        folder: source(order),
        below: at,
        writable: true,
        home,
        tmp: await sandbox.ownFolder(tmp(order), signal),
        variables: { ...variables, ...order.variables },
        tools: nodes.toolsOf(node),
      },
      limits,
      diskLimits: [
        diskLimit(build(order), 'release_exceeds', settings.appsDiskMb),
        diskLimit(home, 'home_exceeds', settings.appsDiskMb),
      ],
      output: memory.output,
    };
    const end = await order.effect(() => sandbox.run(task, runLimits(order, deadline)));
    signal.throwIfAborted();
    if (end.peakBytes !== undefined) onPeak?.(end.peakBytes);
    return memory.explain(end);
  };

  /** Installs the version of Node.js that the plan asks for; undefined if it asks for none. */
  const ensureNode = async (order: BuildOrder, deadline: number): Promise<string | undefined> => {
    const { plan, buildLog } = order;
    const { node: range } = plan;
    if (range === undefined) return undefined;
    return buildLog.step('node', async () => {
      const version = await nodes.ensure(range, runLimits(order, deadline));
      buildLog.write(messages.node(version));
      return version;
    });
  };

  /**
   * Runs all commands of the plan, with the preparations they need. Returns the version of Node.js. Temporary files are
   * removed in any case.
   */
  const runCommands = async (order: BuildOrder, deadline: number): Promise<string | undefined> => {
    let peakBytes = 0;
    const onPeak = (bytes: number) => {
      peakBytes = Math.max(peakBytes, bytes);
    };
    try {
      const node = await ensureNode(order, deadline);
      await checkPrograms(order, {
        run: (command, output) => runInSandbox(order, { command }, output, { node, deadline }),
        missing: ({ name, package: packageName }) =>
          reason('program_missing', { name, command: `apt-get install ${packageName}` }),
      });
      await runSteps(order, {
        restoreCaches: () => cachedFolders.restore(order, runLimits(order, deadline)),
        run: (step, output) => runInSandbox(order, step, output, { node, deadline, onPeak }),
      });
      return node;
    } finally {
      await trash.discard(tmp(order), order.signal);
      if (peakBytes > 0) {
        const peak = Math.ceil(peakBytes / MEBIBYTE);
        order.buildLog.write(messages.memory(peak, settings.appsBuildMemoryMb));
      }
    }
  };

  /** Removes special files that earlier builds have left for this one. */
  const removePipes = async ({ applicationId, signal }: BuildOrder): Promise<void> => {
    for (const path of [cache(applicationId), cachedFoldersPath(applicationId)])
      await removeSpecials(path, signal);
  };

  /** Empties the cache when it is over half its limit: the next build must have room and is watched. */
  const emptyLargeCache = async ({ applicationId, buildLog, signal }: BuildOrder): Promise<void> => {
    const excess = await measureExcess([cache(applicationId)], settings.appsDiskMb / 2, signal);
    if (!excess || signal.aborted) return;
    await trash.discard(cache(applicationId), signal);
    if (signal.aborted) return;
    buildLog.write(messages.cacheCleared(describeReason(excess.how, 'en')));
  };

  /**
   * Marks a build as complete. Nothing is started from an incomplete folder, because mounts depend on its content. An
   * empty build is marked too: otherwise each start would build it again.
   */
  const markComplete = async (name: BuildName): Promise<void> => {
    await writeFile(completeMarker(name), (await hasContent(source(name))) ? '' : EMPTY);
  };
  const isComplete = async (name: BuildName): Promise<boolean> => {
    const note = await readFile(completeMarker(name), 'utf8').catch(() => undefined);
    // A folder that was emptied by hand no longer counts as complete.
    return note === EMPTY || (note === '' && (await hasContent(source(name))));
  };

  /** Keeps the files to serve and removes everything else that the build left. */
  const keepFiles = async (order: BuildOrder, candidates: readonly string[]): Promise<Artifact> => {
    const root = await folderInside(source(order), order.root);
    const chosen = await publishedFolder(root, candidates);
    if (chosen === undefined) throw noPageIn(candidates, await foldersWithPages(root));
    const folder = await folderInside(root, chosen);
    if (order.plan.steps.length > 0) await openUp(folder, order.signal);
    await rename(folder, site(order));
    // Links are checked after the move: a relative link may lead elsewhere from the new place.
    await refuseLinksOutside(site(order), order.signal);
    for (const line of await describeProblems(site(order))) order.buildLog.write(line);
    await trash.discard(source(order), order.signal);
    order.signal.throwIfAborted();
    return { kind: 'files' };
  };

  return {
    dockerfiles: 'off',

    async recover() {
      await nodes.recover();
      await trash.sweep();
    },

    async workspace(name, signal) {
      await trash.discard(build(name), signal);
      signal.throwIfAborted();
      await mkdir(builds(name.applicationId), { recursive: true, mode: 0o700 });
      // The folder must not exist: leftover files would become part of the site.
      await mkdir(build(name), { mode: 0o700 });
      await mkdir(source(name), { mode: 0o700 });
      return source(name);
    },

    discard: (name, signal) => trash.discard(build(name), signal),

    async build(order) {
      const { plan, signal } = order;
      if (plan.dockerfile) throw new RuntimeFailure(dockerfileRefusal('off', plan.dockerfile.file));
      const deadline = performance.now() + settings.appsBuildSeconds * 1_000;
      const hasSteps = plan.steps.length > 0;
      if (hasSteps || plan.kind === 'server') await sandbox.changeOwner(source(order), signal);
      let node: string | undefined;
      if (hasSteps) await removePipes(order);
      try {
        node = await runCommands(order, deadline);
        // Builds without steps are the source alone, which was measured when it was fetched.
        if (hasSteps) {
          const excess = await measureExcess([build(order)], settings.appsDiskMb, signal);
          signal.throwIfAborted();
          if (excess) throw new RuntimeFailure(reason('build_exceeds', { how: excess.how }));
          await cachedFolders.save(order, runLimits(order, deadline));
        }
      } finally {
        if (hasSteps) await emptyLargeCache(order);
      }
      if (plan.kind === 'static') return keepFiles(order, plan.publish);
      await markComplete(order);
      return { kind: 'folder', below: order.root, ...(node !== undefined && { node }) };
    },

    async has(name, artifact) {
      if (artifact.kind === 'folder' && !nodes.has(artifact.node)) return false;
      switch (artifact.kind) {
        case 'files':
          return hasContent(site(name));
        case 'folder':
          return isComplete(name);
        case 'image':
          return false;
      }
    },

    builds: (applicationId) => uuidsIn(builds(applicationId)),

    async prune(applicationId, gone, signal) {
      for (const buildId of gone) await trash.discard(build({ applicationId, buildId }), signal);
    },

    async size(applicationId, signal) {
      const size = await measureFolders([folders.application(applicationId)], signal);
      return 'bytes' in size ? size.bytes : undefined;
    },

    pruneNodes: (inUse, signal) => nodes.prune(inUse, signal),

    forget: (applicationId, signal) => trash.discard(folders.application(applicationId), signal),
    applications: () => uuidsIn(folders.base),
    close: () => trash.close(),
  };
}

/**
 * True if a folder has content. Every build leaves at least a page or a program; a folder that was emptied by hand no
 * longer counts.
 */
async function hasContent(folder: string): Promise<boolean> {
  return (await isEmpty(folder)) === false;
}
