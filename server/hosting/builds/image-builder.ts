import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import semver from 'semver';
import type { Config } from '../../kernel/config.ts';
import { createKeyedLock, UNTIL_DONE_MS } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { noPageIn, PAGES } from '../detection/source.ts';
import {
  archiveOfFiles,
  archiveOfFolders,
  archiveOfTree,
  joinArchives,
  TooLarge,
  unpackArchive,
} from '../engine/archives.ts';
import type { ContainerOrder } from '../engine/container-calls.ts';
import { runInContainer, scriptCommand, WAIT_COMMAND } from '../engine/container-commands.ts';
import { deriveImage } from '../engine/derived-images.ts';
import { excessReason } from '../engine/disk-usage.ts';
import type { Engine } from '../engine/engine.ts';
import { withFailureReasons } from '../engine/failure-reasons.ts';
import { type Image, type ListedImage, splitImageName } from '../engine/image-calls.ts';
import { ignoreInUse } from '../engine/in-use.ts';
import type { Networks } from '../engine/networks.ts';
import { pullUnlessPresent } from '../engine/pull-image.ts';
import type { Registry } from '../engine/registry.ts';
import { createRegistryImages } from '../engine/registry-images.ts';
import {
  APP,
  APPLICATION,
  containerLimits,
  discardContainer,
  environmentList,
  HOME,
  NAME_PREFIX,
  PLATFORM,
  SITE_USER,
  USER,
} from '../engine/site-containers.ts';
import { placeFolders } from '../engine/volume-folders.ts';
import type { Artifact, OwnImage } from '../model/artifact.ts';
import { dockerfileRefusal } from '../model/dockerfile-refusal.ts';
import type { BuildPlan, DockerfilePlan, Step } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeReason, reason } from '../model/reasons/reason.ts';
import type { BuildName, SiteFolders } from '../model/site-folders.ts';
import type { Variables } from '../model/variables.ts';
import type { End } from '../sandbox/command.ts';
import { openUp } from '../sandbox/disk.ts';
import { SPECIALS } from '../sandbox/helper-processes.ts';
import { createLineReader, LONGEST_LINE, type Output } from '../sandbox/lines.ts';
import { createLogRateLimit } from '../sandbox/log-rate-limit.ts';
import { withHeapLimit } from '../sandbox/node-heap.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { programPath } from '../sandbox/shell.ts';
import { describeCode } from '../sandbox/spawning.ts';
import { type BaseImages, baseImageOf } from './base-images.ts';
import { createMemoryWatch } from './build-memory.ts';
import type { Builder, BuildOrder } from './builder.ts';
import { CACHE_SHARE, RESTORE_SCRIPT, SAVE_SCRIPT } from './cached-folders.ts';
import { createCachedPackages, type LockedPackages, lockedPackages } from './cached-packages.ts';
import type { ClusterImages } from './cluster-images.ts';
import { createDerivedBaseImages } from './derived-base-images.ts';
import { buildSizeExcess, type ExcessCheck, runWithinDiskLimit } from './disk-guard.ts';
import { buildByDockerfile } from './dockerfile-image.ts';
import { siteVariables } from './facts.ts';
import type { BuildSettings } from './folder-builder.ts';
import { buildIdOf, createImageNames, type NamedImage } from './image-names.ts';
import { messages } from './messages.ts';
import { BUILD_LABELS, createOrphanedImages, stageIn, stageLabel } from './orphaned-images.ts';
import { checkPrograms } from './programs.ts';
import { IN_IMAGE, type SiteCopies } from './site-copies.ts';
import { runSteps } from './steps.ts';

export interface ImageBuilderParts {
  engine: Engine;
  platform: () => string;
  folders: SiteFolders;
  /** Builder that provides the sources, and that builds without any command. */
  folderBuilder: Builder;
  sandbox: Pick<Sandbox, 'changeOwner' | 'isolation'>;
  networks: Networks;
  /** Closes the network of Dockerfile builds, which the engine chooses. */
  ensureBuildsClosed: (signal: AbortSignal) => Promise<void>;
  images: BaseImages;
  /** Registry for finished images; undefined: they stay in the engine. */
  registry?: Registry;
  /** Images in the registry and on the machines of a cluster. */
  clusterImages?: ClusterImages;
  /** Copies of sites' files on each machine; undefined: files are served on this machine from the build's folder. */
  copies?: SiteCopies | undefined;
  log: Logger;
}

const MEBIBYTE = 2 ** 20;
const MOST_PROCESSES = 1_000;
/** CPU weight of a build: a quarter of a site's. */
const CPU_SHARES = 256;
/** Temporary folder, which not every image has. */
const TMP = '/tmp';
const CLEAR_AFTER_MS = 3_000;
const NEVER = new AbortController().signal;
/** Shell script that prints the first of the folders with a start page; `*` matches any one folder. */
const CHOOSE_SCRIPT = `IFS=
has() { ${PAGES.map((page) => `[ -f "./$1/${page}" ]`).join(' || ')}; }
for wanted; do
  if [ -z "$wanted" ]; then has . && exit 0; fi
  for folder in $wanted; do
    if has "$folder"; then printf %s "$folder"; exit 0; fi
  done
done
exit 1`;
/** Shell command that lists further folders with a start page, one a line. */
const FIND_PAGES = `find . -maxdepth 5 \\( -name node_modules -o -name '.?*' \\) -prune -o -type f \\( ${PAGES.map((page) => `-name ${page}`).join(' -o ')} \\) -print | head -n 20`;
/** Folder in the container for an application's cached folders (cached-folders.ts). */
const CACHE_FOLDER = '/kept';
const TOO_LARGE = 9;
/**
 * Shell script that makes $1, a fresh copy, the cache $2, unless it is larger than $3 kibibytes: then the cache is
 * emptied.
 */
const SWAP_SCRIPT = `[ -d "$1" ] || exit 0
size=$(du -skx "$1") || exit 1
rm -rf "$2"
if [ "\${size%%[!0-9]*}" -gt "$3" ]; then rm -rf "$1"; exit ${TOO_LARGE}; fi
mv "$1" "$2"`;
/**
 * Builder that runs in a container and makes an image from it. Variables go to each command and not to the container,
 * so the image does not contain them.
 */
export function createImageBuilder(
  settings: BuildSettings & Pick<Config, 'appsDockerfiles'>,
  parts: ImageBuilderParts,
): Builder {
  const { engine, platform, networks, folders, folderBuilder, sandbox, images, log } = parts;
  const { registry, clusterImages, copies } = parts;
  const atRegistry = registry && createRegistryImages({ engine, registry, log });
  const { repositoryOf, imageOf, readName } = createImageNames(
    () => registry?.prefix ?? `simcha/${platform()}`,
  );
  /** Names of an image here. A registry may be shared by several platforms. */
  const namesIn = ({ RepoTags, Labels, Created: created }: ListedImage): NamedImage[] => {
    const whose = stageIn(Labels)?.platform ?? Labels?.[PLATFORM];
    if (registry && whose !== platform()) return [];
    return (RepoTags ?? []).flatMap((name) => {
      const read = readName(name);
      return read ? [{ name, created, ...read }] : [];
    });
  };
  const imagesOf = async (applicationId: string, signal: AbortSignal): Promise<NamedImage[]> =>
    (await engine.images({}, signal)).flatMap(namesIn).filter((one) => one.applicationId === applicationId);
  const nameOf = ({ buildId }: BuildName) => `${NAME_PREFIX}build-${buildId}`;
  const labelsOf = (applicationId: string) => ({ [PLATFORM]: platform(), [APPLICATION]: applicationId });

  const orphanedImages = createOrphanedImages({ engine, platform, namesOf: namesIn });
  const derivedBaseImages = createDerivedBaseImages({ engine, platform, log });
  const packages = createCachedPackages({ engine, labelsOf, repositoryOf, imagesOf });
  const baseOf = ({ plan }: BuildOrder) => baseImageOf(plan, images);

  const buildLabels = (applicationId: string) => ({ ...labelsOf(applicationId), ...BUILD_LABELS });

  /** Names of the volumes that builds of an application share. */
  const volumesOf = (applicationId: string) => ({
    cache: `simcha-${applicationId}-cache`,
    kept: `simcha-${applicationId}-kept`,
  });

  const withVolumes = createKeyedLock(UNTIL_DONE_MS);

  /** Network that builds of an application share: making one takes an engine as long as building a small site. */
  const buildNetwork = ({ applicationId }: BuildName, signal: AbortSignal): Promise<string> =>
    networks.ensure(`${NAME_PREFIX}${applicationId}-builds`, buildLabels(applicationId), signal);

  /** Image that a build starts from when no packages are cached. */
  const bringBase = async (order: BuildOrder, signal: AbortSignal): Promise<Image> => {
    const { image: name } = baseOf(order);
    await pullUnlessPresent(parts, name, signal, registry?.headersFor(name));
    return derivedBaseImages(name, signal);
  };

  const begin = async (
    order: BuildOrder,
    { image, content }: { image: string; content: () => Readable },
    signal: AbortSignal,
  ): Promise<void> => {
    const { applicationId } = order;
    const labels = buildLabels(applicationId);
    const { cache, kept: cached } = volumesOf(applicationId);
    const mounts = [
      { Type: 'volume', Source: cache, Target: HOME },
      { Type: 'volume', Source: cached, Target: CACHE_FOLDER },
    ] as const;
    const container: ContainerOrder = {
      Image: image,
      Entrypoint: WAIT_COMMAND,
      Cmd: [],
      User: USER,
      WorkingDir: APP,
      Labels: labels,
      HostConfig: {
        ...containerLimits({ memoryMb: settings.appsBuildMemoryMb, processes: MOST_PROCESSES }),
        // Temporary files go to the disk, where they are measured: installers unpack there.
        Tmpfs: {},
        Mounts: mounts,
        CpuShares: CPU_SHARES,
        NetworkMode: needsContainer(order.plan) ? await buildNetwork(order, signal) : 'none',
      },
    };
    // Volumes are made under a lock: one that is removed before the container uses it would be made again without
    // labels.
    await withVolumes(applicationId, async () => {
      await Promise.all(mounts.map(({ Source }) => engine.createVolume(Source, labels, signal)));
      await engine.create(nameOf(order), container, signal);
    });
    const own = archiveOfFolders([APP, HOME, CACHE_FOLDER, TMP], SITE_USER);
    await engine.putFiles(nameOf(order), '/', joinArchives(own, content), signal);
    if (needsContainer(order.plan)) await engine.start(nameOf(order), signal);
  };

  const runStep = async (
    order: BuildOrder,
    { command, at = order.root }: Pick<Step, 'command' | 'at'>,
    output: Output,
    signal: AbortSignal,
  ): Promise<End> => {
    const variables: Variables = {
      ...withHeapLimit(
        { ...siteVariables(order.facts), ...order.plan.variables, CI: 'true', ...order.variables },
        settings.appsBuildMemoryMb,
      ),
      HOME,
      PATH: programPath({ command, below: at }, APP, '/usr/local/sbin'),
    };
    const rateLimit = createLogRateLimit(() => performance.now());
    const memory = createMemoryWatch(settings.appsBuildMemoryMb, output);
    const readers = {
      out: createLineReader(LONGEST_LINE, rateLimit, memory.output),
      error: createLineReader(LONGEST_LINE, rateLimit, memory.output),
    };
    const code = await order.effect(() =>
      engine.exec(
        nameOf(order),
        {
          Cmd: ['/bin/sh', '-c', command],
          Env: environmentList(variables),
          WorkingDir: posix.join(APP, at),
          User: USER,
        },
        (bytes, from) => readers[from].push(bytes),
        signal,
      ),
    );
    for (const reader of Object.values(readers)) reader.end();
    if (code === 0) return { succeeded: true, how: describeCode(code) };
    const found = await engine.inspect(nameOf(order), signal);
    const ranOutOfMemory = found?.State.OOMKilled;
    const mebibytes = settings.appsBuildMemoryMb;
    return memory.explain({
      succeeded: false,
      how: ranOutOfMemory ? reason('too_much_memory', { mebibytes }) : describeCode(code),
    });
  };

  /** Runs a script of ours; no shell interprets its arguments. Returns its exit code and its lines of output. */
  const script = async (
    order: BuildOrder,
    text: string,
    args: readonly string[],
    home: string,
    signal: AbortSignal,
  ): Promise<{ code: number; said: string[] }> => {
    const execOrder = {
      Cmd: scriptCommand(text, args),
      Env: [`HOME=${home}`],
      WorkingDir: posix.join(APP, order.root),
      User: USER,
    };
    const { code, output } = await runInContainer(engine, nameOf(order), execOrder, signal);
    return { code, said: output.split('\n').filter((line) => line !== '') };
  };

  /** Checks the version of Node.js: an image has only one, which must be in the range. */
  const checkNode = async (order: BuildOrder, range: string, signal: AbortSignal): Promise<void> => {
    const { said: output } = await script(order, 'node --version', [], HOME, signal);
    const installed = semver.clean(output[0] ?? '') ?? undefined;
    if (installed === undefined || !semver.satisfies(installed, range)) {
      throw new RuntimeFailure(
        reason('image_node', { ...baseOf(order), wanted: range, has: installed ?? '?' }),
      );
    }
    order.buildLog.write(messages.node(installed));
  };

  /** Restores the cached folders of the application's last build. */
  const restoreCaches = async (order: BuildOrder, signal: AbortSignal): Promise<void> => {
    const caches = order.plan.caches ?? [];
    if (caches.length === 0) return;
    const { said: output } = await script(order, RESTORE_SCRIPT, caches, `${CACHE_FOLDER}/now`, signal);
    const copied = caches.filter((one) => output.includes(one));
    if (copied.length > 0) order.buildLog.write(messages.cachesRestored(copied));
  };

  /** Saves the folders of a successful build, and leaves the build's own unchanged. */
  const saveCaches = async (order: BuildOrder, signal: AbortSignal): Promise<void> => {
    const caches = order.plan.caches ?? [];
    if (caches.length === 0) return;
    const fresh = `${CACHE_FOLDER}/${order.buildId}`;
    const most = Math.floor(settings.appsDiskMb * CACHE_SHARE);
    const { code, said: output } = await script(order, SAVE_SCRIPT, caches, fresh, signal);
    const copied = caches.filter((one) => output.includes(one));
    const swap = await script(
      order,
      SWAP_SCRIPT,
      [fresh, `${CACHE_FOLDER}/now`, String(most * 1_024)],
      fresh,
      signal,
    );
    if (swap.code === TOO_LARGE) {
      return order.buildLog.write(
        messages.cachesTooLarge(describeReason(reason('disk_full', { mebibytes: most }), 'en')),
      );
    }
    if (code !== 0 || swap.code !== 0) {
      const how = reason('exited', { code: code || swap.code });
      return order.buildLog.write(messages.cachesNotSaved(describeReason(how, 'en')));
    }
    if (copied.length > 0) order.buildLog.write(messages.cachesSaved(copied));
  };

  /** Copies the files to serve out of the container; the gateway needs nothing else. */
  const keepFiles = async (order: BuildOrder, signal: AbortSignal): Promise<Artifact> => {
    const { publish } = order.plan;
    const { code, said: output } = await script(order, CHOOSE_SCRIPT, publish, HOME, signal);
    if (code !== 0) {
      const { said: pages } = await script(order, FIND_PAGES, [], HOME, signal);
      const folders = pages.map((page) => posix.dirname(posix.normalize(page)));
      throw noPageIn(
        publish,
        [...new Set(folders)].filter((folder) => folder !== '.'),
      );
    }
    const published = posix.join(APP, order.root, output[0] ?? '');
    const archive = await engine.files(nameOf(order), published, signal);
    if (!archive) throw noPageIn(publish, []);
    const into = await folderBuilder.workspace(order, signal);
    await sandbox.changeOwner(into, signal);
    const mebibytes = settings.appsDiskMb;
    await unpackArchive(archive, into, {
      account: sandbox.isolation.account,
      mostBytes: mebibytes * MEBIBYTE,
      signal,
    }).catch((error) => {
      if (!(error instanceof TooLarge)) throw error;
      throw new RuntimeFailure(reason('build_exceeds', { how: reason('disk_full', { mebibytes }) }));
    });
    await openUp(into, signal);
    // The remaining build has no steps: it only checks and keeps the files.
    return folderBuilder.build({ ...order, root: '', plan: { ...order.plan, steps: [], publish: [''] } });
  };

  /** Containers of builds that wait for removal, by application; `hurry` removes them at once. */
  const removals = new Map<string, { all: Promise<unknown>; hurry: () => void }>();
  const removeContainer = (order: BuildOrder, afterMs = 0): Promise<void> => {
    const { applicationId } = order;
    const before = removals.get(applicationId);
    const hurrying = new AbortController();
    const work = async () => {
      await sleep(afterMs, undefined, { signal: hurrying.signal, ref: false }).catch(() => {});
      await discardContainer(engine, nameOf(order), log);
    };
    const warn = (error: unknown) => log.warn({ err: error }, 'what built could not be removed');
    const gone = work().catch(warn);
    const emptied = gone.then(() => emptyLargeCaches(applicationId)).catch(warn);
    const all = Promise.all([before?.all, emptied]).then(() => {
      if (removals.get(applicationId)?.all === all) removals.delete(applicationId);
    });
    const hurry = () => {
      before?.hurry();
      hurrying.abort();
    };
    removals.set(applicationId, { all, hurry });
    return gone;
  };

  /**
   * Adds the home folder to an application's own image: otherwise each machine's engine would need another image with
   * it.
   */
  const addHome = async (
    order: BuildOrder,
    { lacksCommand = false }: OwnImage,
    signal: AbortSignal,
  ): Promise<void> => {
    const image = imageOf(order);
    const labels = labelsOf(order.applicationId);
    const put = (container: string) =>
      placeFolders(engine, container, { folders: [HOME], isOwnImage: true }, signal);
    try {
      await deriveImage(parts, { image, newName: image, keepsCommand: !lacksCommand, labels }, put, signal);
    } catch (error) {
      await engine.removeImage(image, NEVER).catch(ignoreInUse);
      throw error;
    }
  };

  const buildDockerfile = async (
    order: BuildOrder,
    dockerfile: DockerfilePlan,
    signal: AbortSignal,
  ): Promise<Artifact> => {
    const image = imageOf(order);
    const { appsBuildMemoryMb: memoryMb, appsDiskMb: diskMb } = settings;
    const dockerfileParts = {
      engine,
      log,
      image,
      source: folders.source(order),
      limits: { memoryMb, diskMb, cpuShares: CPU_SHARES },
      stage: stageLabel({ platform: platform(), applicationId: order.applicationId }),
      ensureClosed: parts.ensureBuildsClosed,
    };
    const own = await buildByDockerfile(order, dockerfile, dockerfileParts, signal);
    if (registry) await addHome(order, own, signal);
    await folderBuilder.discard(order, signal);
    return { kind: 'image', image, below: '', own, ...(registry && { hasHome: true }) };
  };

  const makeAndPush = async (order: BuildOrder, signal: AbortSignal): Promise<Artifact> => {
    const artifact = await make(order, signal);
    if (atRegistry && artifact.kind === 'image') {
      await order.buildLog.step('push', () => atRegistry.push(artifact.image, signal));
    }
    return artifact.kind === 'files' ? shareFiles(order, artifact, signal) : artifact;
  };

  /** Shares a static site's files with all machines of the cluster. */
  const shareFiles = async (
    order: BuildOrder,
    artifact: Artifact,
    signal: AbortSignal,
  ): Promise<Artifact> => {
    if (!atRegistry || !copies) return artifact;
    const { buildLog } = order;
    const image = imageOf(order);
    const site = folders.site(order);
    await buildLog.step('push', async () => {
      const labels = labelsOf(order.applicationId);
      await engine.importImage(archiveOfTree(site, IN_IMAGE, SITE_USER), image, labels, signal);
      await atRegistry.push(image, signal);
      await engine.removeImage(image, signal).catch(ignoreInUse);
    });
    await copies.moveIn(order, site);
    await folderBuilder.discard(order, signal);
    return artifact;
  };

  /** Checks that the image has the programs that the plan needs. */
  const check = async (order: BuildOrder, signal: AbortSignal): Promise<void> => {
    const { node } = order.plan;
    if (node !== undefined) await checkNode(order, node, signal);
    await checkPrograms(order, {
      run: (command, output) => runStep(order, { command }, output, signal),
      missing: ({ name }) => reason('image_program', { name, ...baseOf(order) }),
    });
  };

  /** Measures a build's disk usage while its commands run. */
  const excessCheck =
    (order: BuildOrder): ExcessCheck =>
    async (signal) => {
      const mebibytes = settings.appsDiskMb;
      const { cache, kept: cached } = volumesOf(order.applicationId);
      const { volumes } = await engine.usage(signal);
      const how = excessReason(volumes.get(cache) ?? 0, mebibytes);
      if (how) return reason('home_exceeds', { how });
      const written = await engine.writtenBytes(nameOf(order), signal);
      return buildSizeExcess(Math.max(written, volumes.get(cached) ?? 0), mebibytes);
    };

  /** Removes caches that are over half their limit: the next build must have room. */
  const emptyLargeCaches = async (applicationId: string): Promise<void> => {
    const { volumes } = await engine.usage(NEVER);
    const most = (settings.appsDiskMb / 2) * MEBIBYTE;
    const large = Object.values(volumesOf(applicationId)).filter((one) => (volumes.get(one) ?? 0) > most);
    await withVolumes(applicationId, async () => {
      // A volume that another build uses is checked again after that build.
      for (const volume of large) await engine.removeVolume(volume, NEVER).catch(ignoreInUse);
    });
  };

  /** Runs `first`, then the steps. `below`: bytes of the starting image that count as the build's own. */
  const runAll = async (
    order: BuildOrder,
    { first, below }: { first: (signal: AbortSignal) => Promise<void>; below: number },
    signal: AbortSignal,
  ): Promise<void> => {
    const work = async (until: AbortSignal) => {
      // Pipes are removed: a program that opens one in place of its settings would wait forever.
      if (needsContainer(order.plan)) {
        await script(order, `find "$@" -xdev ${SPECIALS} -delete`, [HOME, CACHE_FOLDER], HOME, until);
      }
      await first(until);
      await runSteps(order, {
        restoreCaches: () => restoreCaches(order, until),
        run: (step, output) => runStep(order, step, output, until),
      });
    };
    await runWithinDiskLimit(excessCheck(order), work, signal);
    // Leftover processes are killed first, so that nothing is written after measuring.
    if (needsContainer(order.plan)) {
      await script(order, 'kill -KILL -1', [], HOME, signal);
      // Temporary files must not become part of the image.
      await script(order, `rm -rf ${TMP}/* ${TMP}/.[!.]* ${TMP}/..?*`, [], HOME, signal);
    }
    const mebibytes = settings.appsDiskMb;
    const written = await engine.writtenBytes(nameOf(order), signal);
    const excess = buildSizeExcess(below + written, mebibytes);
    if (excess) throw new RuntimeFailure(excess);
  };

  /** Makes an image of `base` with an application's packages. */
  const install = async (
    order: BuildOrder,
    { base, locked }: { base: Image; locked: LockedPackages },
    signal: AbortSignal,
  ): Promise<Image> => {
    const { applicationId, root } = order;
    const { plan } = withSteps(order, [locked.step]);
    // The user's npm settings are ignored: a file in the shared home must not influence the packages.
    const installOrder = {
      ...order,
      plan,
      variables: { ...order.variables, npm_config_userconfig: '/dev/null' },
    };
    const at = posix.join(APP, root);
    const texts = Object.entries(locked.texts).map(([name, text]) => [posix.join(at, name), text]);
    const content = () =>
      joinArchives(archiveOfFolders(foldersTo(root), SITE_USER), () =>
        archiveOfFiles(Object.fromEntries(texts), SITE_USER),
      );
    await begin(installOrder, { image: base.Id, content }, signal);
    await runAll(installOrder, { first: (until) => check(installOrder, until), below: 0 }, signal);
    const made = await packages.save(nameOf(installOrder), applicationId, locked, signal);
    await engine.remove(nameOf(installOrder), signal);
    return made;
  };

  const make = async (order: BuildOrder, signal: AbortSignal): Promise<Artifact> => {
    const { plan, buildLog } = order;
    if (plan.dockerfile) return buildDockerfile(order, plan.dockerfile, signal);
    if (servesSourceFiles(plan)) return folderBuilder.build(order);
    const base = await bringBase(order, signal);
    const locked = await lockedPackages(order, { source: folders.source(order), base: base.Id });
    const cached = locked && (await packages.find(order.applicationId, locked, signal));
    const isInstalled = locked !== undefined && !cached;
    const startImage = isInstalled ? await install(order, { base, locked }, signal) : (cached ?? base);
    const left = locked ? withSteps(order, plan.steps.slice(1)) : order;
    const content = () => archiveOfTree(folders.source(order), APP, SITE_USER);
    await begin(left, { image: startImage.Id, content }, signal);
    const first = async (until: AbortSignal) => {
      if (!isInstalled) await check(left, until);
      if (cached) await buildLog.step('install', async () => buildLog.write(messages.packagesCached));
    };
    await runAll(left, { first, below: startImage.Size - base.Size }, signal);
    await saveCaches(order, signal);
    if (plan.kind === 'static') return keepFiles(order, signal);
    const image = imageOf(order);
    const config = { Entrypoint: [], Cmd: [], WorkingDir: APP, Labels: labelsOf(order.applicationId) };
    await engine.commit(nameOf(order), { ...splitImageName(image), config }, signal);
    // The workspace is removed, because the image contains everything.
    await folderBuilder.discard(order, signal);
    return { kind: 'image', image, below: order.root, hasHome: true };
  };

  const build = async (order: BuildOrder): Promise<Artifact> => {
    const timeout = AbortSignal.timeout(settings.appsBuildSeconds * 1_000);
    const signal = AbortSignal.any([order.signal, timeout]);
    try {
      const artifact = await withFailureReasons(() => makeAndPush(order, signal));
      // Removal happens later, so that a release waits neither for it nor for an engine that is busy with it.
      removeContainer(order, CLEAR_AFTER_MS);
      return artifact;
    } catch (error) {
      await removeContainer(order);
      order.signal.throwIfAborted();
      if (timeout.aborted)
        throw new RuntimeFailure(reason('too_slow', { seconds: settings.appsBuildSeconds }));
      throw error;
    }
  };
  const withLock = createKeyedLock(UNTIL_DONE_MS);
  const dockerfiles = settings.appsDockerfiles;

  return {
    ...folderBuilder,
    dockerfiles,

    async build(order) {
      const { plan, applicationId } = order;
      if (plan.dockerfile && dockerfiles !== 'built')
        throw new RuntimeFailure(dockerfileRefusal(dockerfiles, plan.dockerfile.file));
      // Static files need no engine.
      if (servesSourceFiles(plan) && !copies) return folderBuilder.build(order);
      return plan.dockerfile ? withLock(applicationId, () => build(order)) : build(order);
    },

    async has(name, artifact, signal = NEVER) {
      if (artifact.kind === 'folder') return false;
      if (artifact.kind === 'files') return copies ? copies.has(name) : folderBuilder.has(name, artifact);
      const { image } = artifact;
      return withFailureReasons(async () =>
        registry && atRegistry
          ? image.startsWith(registry.prefix) && atRegistry.has(image, signal)
          : (await engine.image(image, signal)) !== undefined,
      );
    },

    async builds(applicationId) {
      const here = (await imagesOf(applicationId, NEVER)).flatMap(({ tag }) => buildIdOf(tag) ?? []);
      const further = (await clusterImages?.builds(applicationId, NEVER)) ?? [];
      return [...new Set([...(await folderBuilder.builds(applicationId)), ...here, ...further])];
    },

    async prune(applicationId, builds, signal) {
      await folderBuilder.prune(applicationId, builds, signal);
      const gone = new Set(builds);
      for (const { name, tag } of await imagesOf(applicationId, signal))
        if (gone.has(buildIdOf(tag) ?? '')) await engine.removeName(name, signal).catch(ignoreInUse);
      await clusterImages?.prune(applicationId, builds, signal);
    },

    async forget(applicationId, signal) {
      await folderBuilder.forget(applicationId, signal);
      removals.get(applicationId)?.hurry();
      await removals.get(applicationId)?.all;
      // The registry comes first: our local images show that there is something to forget until the registry has none.
      await clusterImages?.forget(applicationId, signal);
      await copies?.forget(applicationId, signal);
      await orphanedImages.forget(applicationId, signal);
    },

    async applications() {
      const here = [...(await folderBuilder.applications()), ...((await copies?.applications()) ?? [])];
      return [...new Set([...here, ...(await orphanedImages.applications(NEVER))])];
    },

    async close() {
      await Promise.all([folderBuilder.close(), clusterImages?.close()]);
    },
  };
}

/** Same build with only these steps. */
function withSteps(order: BuildOrder, steps: readonly Step[]): BuildOrder {
  return { ...order, plan: { ...order.plan, steps } };
}

/** All folders on the path to an application's root. */
function foldersTo(root: string): string[] {
  const parts = root.split('/').filter((part) => part !== '');
  return parts.map((_, index) => posix.join(APP, ...parts.slice(0, index + 1)));
}

/** True for files that are served without a build. */
function servesSourceFiles({ kind, steps }: BuildPlan): boolean {
  return kind === 'static' && steps.length === 0;
}

/** True if a build needs a running container. A build without commands is copied into its image as it is. */
function needsContainer({ kind, steps, node, programs = [], caches = [] }: BuildPlan): boolean {
  return kind === 'static' || node !== undefined || [...steps, ...programs, ...caches].length > 0;
}
