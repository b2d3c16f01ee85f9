import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import semver from 'semver';
import type { Config } from '../../kernel/config.ts';
import { createKeyedLock, UNTIL_DONE_MS } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { noPageIn, PAGES } from '../detection/source.ts';
import { filesOf, foldersOf, joined, TooLarge, treeOf, unpack } from '../engine/archives.ts';
import { runIn, scriptOf, WAIT } from '../engine/commands.ts';
import { derive } from '../engine/derived.ts';
import { overOf } from '../engine/disk-looks.ts';
import { type ContainerOrder, type Engine, type Image, type ListedImage, partsOf } from '../engine/engine.ts';
import { failing } from '../engine/failing.ts';
import { bringImage } from '../engine/images.ts';
import type { Networks } from '../engine/networks.ts';
import type { Registry } from '../engine/registry.ts';
import { createRegistryImages } from '../engine/registry-images.ts';
import {
  APP,
  APPLICATION,
  confinedTo,
  discard,
  environmentOf,
  HOME,
  OURS,
  PLATFORM,
  SITE_USER,
  USER,
} from '../engine/site-containers.ts';
import { unlessUsed } from '../engine/unused.ts';
import { placeFolders } from '../engine/volume-folders.ts';
import type { Artifact, OwnImage } from '../model/artifact.ts';
import type { BuildPlan, DockerfilePlan, Step } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason, say } from '../model/reasons/reason.ts';
import type { BuildName, SiteFolders } from '../model/site-folders.ts';
import type { Variables } from '../model/variables.ts';
import type { End } from '../sandbox/command.ts';
import { openUp } from '../sandbox/disk.ts';
import { SPECIALS } from '../sandbox/helper-processes.ts';
import { createLineReader, LONGEST_LINE, type Output } from '../sandbox/lines.ts';
import { createLogRateLimit } from '../sandbox/log-rate-limit.ts';
import { withHeapLimit } from '../sandbox/node-heap.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { pathOf } from '../sandbox/shell.ts';
import { describeCode } from '../sandbox/spawning.ts';
import { type BaseImages, baseImageOf } from './base-images.ts';
import { createMemoryWatch } from './build-memory.ts';
import type { Builder, BuildOrder } from './builder.ts';
import { KEEP, SHARE, TAKE_UP } from './cached-folders.ts';
import { createCachedPackages, type Locked, lockedPackages } from './cached-packages.ts';
import type { ClusterImages } from './cluster-images.ts';
import { createDerivedBaseImages } from './derived-base-images.ts';
import { type Excess, guarded, tooLarge } from './disk-guard.ts';
import { buildByDockerfile } from './dockerfile-builder.ts';
import { namesOf } from './facts.ts';
import type { BuildSettings } from './folder-builder.ts';
import { buildOf, createImageNames, type Named } from './image-names.ts';
import { messages } from './messages.ts';
import { BUILDS, type BuildNetwork, createOrphanedImages, stageIn, stageOf } from './orphaned-images.ts';
import { checkPrograms } from './programs.ts';
import { IN_IMAGE, type SiteCopies } from './site-copies.ts';
import { runSteps } from './steps.ts';

export interface ImageBuilderParts {
  engine: Engine;
  platform: () => string;
  folders: SiteFolders;
  /** Has the sources, and makes of them what no command has to be run for. */
  folderBuilder: Builder;
  walls: Pick<Sandbox, 'give' | 'isolation'>;
  networks: Networks;
  images: BaseImages;
  /** Where images go once they are made; undefined: they stay with the engine. */
  registry?: Registry;
  /** What becomes of them there, and wherever they are run. */
  elsewhere?: ClusterImages;
  /** Where files of sites are served from, on any machine; undefined: on this one, from where they were built. */
  copies?: SiteCopies | undefined;
  log: Logger;
}

const MEBIBYTE = 2 ** 20;
const MOST_PROCESSES = 1_000;
/** A quarter of what a site has of a busy machine. */
const CPU_SHARES = 256;
/** Not every image has it. */
const TMP = '/tmp';
const CLEAR_AFTER_MS = 3_000;
const NEVER = new AbortController().signal;
/** The first of the folders that has a page to begin with; `*` stands for any one folder. */
const CHOOSE = `IFS=
has() { ${PAGES.map((page) => `[ -f "./$1/${page}" ]`).join(' || ')}; }
for wanted; do
  if [ -z "$wanted" ]; then has . && exit 0; fi
  for folder in $wanted; do
    if has "$folder"; then printf %s "$folder"; exit 0; fi
  done
done
exit 1`;
/** Other folders that have one, a line each. */
const FIND_PAGES = `find . -maxdepth 5 \\( -name node_modules -o -name '.?*' \\) -prune -o -type f \\( ${PAGES.map((page) => `-name ${page}`).join(' -o ')} \\) -print | head -n 20`;
/** Where an application's builds keep what the next one begins with (kept-folders.ts). */
const KEPT = '/kept';
const TOO_LARGE = 9;
/** $1, with what was copied there, is what is kept as $2 from now on, unless it is more than $3 kibibytes: then nothing is. */
const SWAP = `[ -d "$1" ] || exit 0
size=$(du -skx "$1") || exit 1
rm -rf "$2"
if [ "\${size%%[!0-9]*}" -gt "$3" ]; then rm -rf "$1"; exit ${TOO_LARGE}; fi
mv "$1" "$2"`;
/**
 * Builds in a container of its own, of which an image is made: its commands see variables that no image keeps, for they are told
 * to each command and not to the container.
 */
export function createImageBuilder(
  settings: BuildSettings & Pick<Config, 'appsDockerfiles'>,
  parts: ImageBuilderParts,
): Builder {
  const { engine, platform, networks, folders, folderBuilder, walls, images, log } = parts;
  const { registry, elsewhere, copies } = parts;
  const atRegistry = registry && createRegistryImages({ engine, registry, log });
  const { repositoryOf, imageOf, readName } = createImageNames(
    () => registry?.prefix ?? `simcha/${platform()}`,
  );
  /** What an image is called here. A registry may be several platforms’. */
  const namesIn = ({ RepoTags, Labels, Created: created }: ListedImage): Named[] => {
    const whose = stageIn(Labels)?.platform ?? Labels?.[PLATFORM];
    if (registry && whose !== platform()) return [];
    return (RepoTags ?? []).flatMap((name) => {
      const read = readName(name);
      return read ? [{ name, created, ...read }] : [];
    });
  };
  const madeOf = async (applicationId: string, signal: AbortSignal): Promise<Named[]> =>
    (await engine.images({}, signal)).flatMap(namesIn).filter((one) => one.applicationId === applicationId);
  const nameOf = ({ buildId }: BuildName) => `${OURS}build-${buildId}`;
  const labelsOf = (applicationId: string) => ({ [PLATFORM]: platform(), [APPLICATION]: applicationId });

  const leftovers = createOrphanedImages({ engine, platform, namesOf: namesIn, log });
  const grounds = createDerivedBaseImages({ engine, platform, log });
  const packages = createCachedPackages({ engine, labelsOf, repositoryOf, madeOf });
  const baseOf = ({ plan }: BuildOrder) => baseImageOf(plan, images);

  const buildLabels = (applicationId: string) => ({ ...labelsOf(applicationId), ...BUILDS });

  /** What builds of an application share. */
  const volumesOf = (applicationId: string) => ({
    cache: `simcha-${applicationId}-cache`,
    kept: `simcha-${applicationId}-kept`,
  });

  const withVolumes = createKeyedLock(UNTIL_DONE_MS);

  /** They share one as well: to make one takes an engine as long as to make a small site. */
  const buildNetwork = async ({ applicationId }: BuildName, signal: AbortSignal): Promise<BuildNetwork> => {
    const Name = `${OURS}${applicationId}-builds`;
    return { Id: await networks.of(Name, buildLabels(applicationId), signal), Name };
  };

  /** The image that it begins with where nothing is kept of it. */
  const bringBase = async (order: BuildOrder, signal: AbortSignal): Promise<Image> => {
    const { image: name } = baseOf(order);
    await bringImage(parts, name, signal, registry?.headersFor(name));
    return grounds(name, signal);
  };

  const begin = async (
    order: BuildOrder,
    { image, content }: { image: string; content: () => Readable },
    signal: AbortSignal,
  ): Promise<void> => {
    const { applicationId } = order;
    const labels = buildLabels(applicationId);
    const { cache, kept } = volumesOf(applicationId);
    const mounts = [
      { Type: 'volume', Source: cache, Target: HOME },
      { Type: 'volume', Source: kept, Target: KEPT },
    ] as const;
    const container: ContainerOrder = {
      Image: image,
      Entrypoint: WAIT,
      Cmd: [],
      User: USER,
      WorkingDir: APP,
      Labels: labels,
      HostConfig: {
        ...confinedTo({ memoryMb: settings.appsBuildMemoryMb, processes: MOST_PROCESSES }),
        // On the disk, where it is measured: installers unpack there.
        Tmpfs: {},
        Mounts: mounts,
        CpuShares: CPU_SHARES,
        NetworkMode: runsCommands(order.plan) ? (await buildNetwork(order, signal)).Id : 'none',
      },
    };
    // A volume that goes before somebody has it would be made again without its labels.
    await withVolumes(applicationId, async () => {
      await Promise.all(mounts.map(({ Source }) => engine.createVolume(Source, labels, signal)));
      await engine.create(nameOf(order), container, signal);
    });
    const own = foldersOf([APP, HOME, KEPT, TMP], SITE_USER);
    await engine.putFiles(nameOf(order), '/', joined(own, content), signal);
    if (runsCommands(order.plan)) await engine.start(nameOf(order), signal);
  };

  const runStep = async (
    order: BuildOrder,
    { command, at = order.root }: Pick<Step, 'command' | 'at'>,
    output: Output,
    signal: AbortSignal,
  ): Promise<End> => {
    const variables: Variables = {
      ...withHeapLimit(
        { ...namesOf(order.facts), ...order.plan.variables, CI: 'true', ...order.variables },
        settings.appsBuildMemoryMb,
      ),
      HOME,
      PATH: pathOf({ command, below: at }, APP, '/usr/local/sbin'),
    };
    const allowance = createLogRateLimit(() => performance.now());
    const memory = createMemoryWatch(settings.appsBuildMemoryMb, output);
    const readers = {
      out: createLineReader(LONGEST_LINE, allowance, memory.output),
      error: createLineReader(LONGEST_LINE, allowance, memory.output),
    };
    const code = await order.effect(() =>
      engine.exec(
        nameOf(order),
        {
          Cmd: ['/bin/sh', '-c', command],
          Env: environmentOf(variables),
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
    const isGreedy = found?.State.OOMKilled;
    const mebibytes = settings.appsBuildMemoryMb;
    return memory.explain({
      succeeded: false,
      how: isGreedy ? reason('too_much_memory', { mebibytes }) : describeCode(code),
    });
  };

  /** Runs a script of ours with words that no shell reads; gives its exit code and the lines it wrote. */
  const script = async (
    order: BuildOrder,
    text: string,
    words: readonly string[],
    home: string,
    signal: AbortSignal,
  ): Promise<{ code: number; said: string[] }> => {
    const asked = {
      Cmd: scriptOf(text, words),
      Env: [`HOME=${home}`],
      WorkingDir: posix.join(APP, order.root),
      User: USER,
    };
    const { code, said } = await runIn(engine, nameOf(order), asked, signal);
    return { code, said: said.split('\n').filter((line) => line !== '') };
  };

  /** What is asked for is had, or said: an image has one version alone. */
  const checkNode = async (order: BuildOrder, wanted: string, signal: AbortSignal): Promise<void> => {
    const { said } = await script(order, 'node --version', [], HOME, signal);
    const has = semver.clean(said[0] ?? '') ?? undefined;
    if (has === undefined || !semver.satisfies(has, wanted)) {
      throw new RuntimeFailure(reason('image_node', { ...baseOf(order), wanted, has: has ?? '?' }));
    }
    order.journal.write(messages.node(has));
  };

  /** What the application's last build has left for this one. */
  const takeUp = async (order: BuildOrder, signal: AbortSignal): Promise<void> => {
    const caches = order.plan.caches ?? [];
    if (caches.length === 0) return;
    const { said } = await script(order, TAKE_UP, caches, `${KEPT}/now`, signal);
    const copied = caches.filter((one) => said.includes(one));
    if (copied.length > 0) order.journal.write(messages.takenUp(copied));
  };

  /** Of a build that has succeeded, which keeps its own as they are. */
  const keep = async (order: BuildOrder, signal: AbortSignal): Promise<void> => {
    const caches = order.plan.caches ?? [];
    if (caches.length === 0) return;
    const fresh = `${KEPT}/${order.buildId}`;
    const most = Math.floor(settings.appsDiskMb * SHARE);
    const { code, said } = await script(order, KEEP, caches, fresh, signal);
    const copied = caches.filter((one) => said.includes(one));
    const swap = await script(order, SWAP, [fresh, `${KEPT}/now`, String(most * 1_024)], fresh, signal);
    if (swap.code === TOO_LARGE) {
      return order.journal.write(messages.tooLarge(say(reason('disk_full', { mebibytes: most }), 'en')));
    }
    if (code !== 0 || swap.code !== 0) {
      const how = reason('exited', { code: code || swap.code });
      return order.journal.write(messages.notKept(say(how, 'en')));
    }
    if (copied.length > 0) order.journal.write(messages.kept(copied));
  };

  /** Of all that the steps left, what is served comes out of the container, and the gateway needs no other. */
  const keepFiles = async (order: BuildOrder, signal: AbortSignal): Promise<Artifact> => {
    const { publish } = order.plan;
    const { code, said } = await script(order, CHOOSE, publish, HOME, signal);
    if (code !== 0) {
      const { said: pages } = await script(order, FIND_PAGES, [], HOME, signal);
      const folders = pages.map((page) => posix.dirname(posix.normalize(page)));
      throw noPageIn(
        publish,
        [...new Set(folders)].filter((folder) => folder !== '.'),
      );
    }
    const published = posix.join(APP, order.root, said[0] ?? '');
    const archive = await engine.files(nameOf(order), published, signal);
    if (!archive) throw noPageIn(publish, []);
    const into = await folderBuilder.workspace(order, signal);
    await walls.give(into, signal);
    const mebibytes = settings.appsDiskMb;
    await unpack(archive, into, {
      account: walls.isolation.account,
      mostBytes: mebibytes * MEBIBYTE,
      signal,
    }).catch((error) => {
      if (!(error instanceof TooLarge)) throw error;
      throw new RuntimeFailure(reason('build_exceeds', { how: reason('disk_full', { mebibytes }) }));
    });
    await openUp(into, signal);
    // Nothing is left to be done with them.
    return folderBuilder.build({ ...order, root: '', plan: { ...order.plan, steps: [], publish: [''] } });
  };

  /** By application, what built it and is on its way out; `hurry` has it go at once. */
  const leaving = new Map<string, { all: Promise<unknown>; hurry: () => void }>();
  const clear = (order: BuildOrder, afterMs = 0): Promise<void> => {
    const { applicationId } = order;
    const before = leaving.get(applicationId);
    const now = new AbortController();
    const work = async () => {
      await sleep(afterMs, undefined, { signal: now.signal, ref: false }).catch(() => {});
      await discard(engine, nameOf(order), log);
    };
    const warn = (error: unknown) => log.warn({ err: error }, 'what built could not be removed');
    const gone = work().catch(warn);
    const small = gone.then(() => emptyLarge(applicationId)).catch(warn);
    const all = Promise.all([before?.all, small]).then(() => {
      if (leaving.get(applicationId)?.all === all) leaving.delete(applicationId);
    });
    const hurry = () => {
      before?.hurry();
      now.abort();
    };
    leaving.set(applicationId, { all, hurry });
    return gone;
  };

  /** Or each machine's engine would have to be brought another image with that. */
  const giveHome = async (
    order: BuildOrder,
    { lacksCommand = false }: OwnImage,
    signal: AbortSignal,
  ): Promise<void> => {
    const image = imageOf(order);
    const labels = labelsOf(order.applicationId);
    const put = (container: string) =>
      placeFolders(engine, container, { folders: [HOME], isOwnImage: true }, signal);
    try {
      await derive(parts, { image, made: image, keepsCommand: !lacksCommand, labels }, put, signal);
    } catch (error) {
      await engine.removeImage(image, NEVER).catch(unlessUsed);
      throw error;
    }
  };

  const makeOwn = async (
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
      stage: stageOf({ platform: platform(), applicationId: order.applicationId }),
      isBuilt: (name: string) => readName(name) !== undefined,
      network: () => buildNetwork(order, signal),
    };
    const own = await buildByDockerfile(order, dockerfile, dockerfileParts, signal);
    if (registry) await giveHome(order, own, signal);
    await folderBuilder.discard(order, signal);
    return { kind: 'image', image, below: '', own, ...(registry && { hasHome: true }) };
  };

  const makeAndKeep = async (order: BuildOrder, signal: AbortSignal): Promise<Artifact> => {
    const artifact = await make(order, signal);
    if (atRegistry && artifact.kind === 'image') {
      await order.journal.step('push', () => atRegistry.push(artifact.image, signal));
    }
    return artifact.kind === 'files' ? sharedFiles(order, artifact, signal) : artifact;
  };

  /** For any machine of the cluster to have them. */
  const sharedFiles = async (
    order: BuildOrder,
    artifact: Artifact,
    signal: AbortSignal,
  ): Promise<Artifact> => {
    if (!atRegistry || !copies) return artifact;
    const { journal } = order;
    const image = imageOf(order);
    const site = folders.site(order);
    await journal.step('push', async () => {
      const labels = labelsOf(order.applicationId);
      await engine.importImage(treeOf(site, IN_IMAGE, SITE_USER), image, labels, signal);
      await atRegistry.push(image, signal);
      await engine.removeImage(image, signal).catch(unlessUsed);
    });
    await copies.take(order, site);
    await folderBuilder.discard(order, signal);
    return artifact;
  };

  /** That the image has what the plan asks for. */
  const check = async (order: BuildOrder, signal: AbortSignal): Promise<void> => {
    const { node } = order.plan;
    if (node !== undefined) await checkNode(order, node, signal);
    await checkPrograms(order, {
      run: (command, output) => runStep(order, { command }, output, signal),
      missing: ({ name }) => reason('image_program', { name, ...baseOf(order) }),
    });
  };

  /** Of what is looked at while its commands run. */
  const excessOf =
    (order: BuildOrder): Excess =>
    async (signal) => {
      const mebibytes = settings.appsDiskMb;
      const { cache, kept } = volumesOf(order.applicationId);
      const { volumes } = await engine.usage(signal);
      const how = overOf(volumes.get(cache) ?? 0, mebibytes);
      if (how) return reason('home_exceeds', { how });
      const written = await engine.writtenBytes(nameOf(order), signal);
      return tooLarge(Math.max(written, volumes.get(kept) ?? 0), mebibytes);
    };

  /** At half its limit already: the next build must find room. */
  const emptyLarge = async (applicationId: string): Promise<void> => {
    const { volumes } = await engine.usage(NEVER);
    const most = (settings.appsDiskMb / 2) * MEBIBYTE;
    const large = Object.values(volumesOf(applicationId)).filter((one) => (volumes.get(one) ?? 0) > most);
    await withVolumes(applicationId, async () => {
      // One that another build has by now is looked at after that.
      for (const volume of large) await engine.removeVolume(volume, NEVER).catch(unlessUsed);
    });
  };

  /** Runs the steps, after what is to be done `first`. `below`: bytes of what the build begins with and counts as its own. */
  const runAll = async (
    order: BuildOrder,
    { first, below }: { first: (signal: AbortSignal) => Promise<void>; below: number },
    signal: AbortSignal,
  ): Promise<void> => {
    const work = async (until: AbortSignal) => {
      // A program that opens a pipe in the place of its settings waits for good.
      if (runsCommands(order.plan)) {
        await script(order, `find "$@" -xdev ${SPECIALS} -delete`, [HOME, KEPT], HOME, until);
      }
      await first(until);
      await runSteps(order, {
        takeUp: () => takeUp(order, until),
        run: (step, output) => runStep(order, step, output, until),
      });
    };
    await guarded(excessOf(order), work, signal);
    // What is left of its commands writes nothing more once that is measured.
    if (runsCommands(order.plan)) {
      await script(order, 'kill -KILL -1', [], HOME, signal);
      // No part of the image that it becomes.
      await script(order, `rm -rf ${TMP}/* ${TMP}/.[!.]* ${TMP}/..?*`, [], HOME, signal);
    }
    const mebibytes = settings.appsDiskMb;
    const written = await engine.writtenBytes(nameOf(order), signal);
    const over = tooLarge(below + written, mebibytes);
    if (over) throw new RuntimeFailure(over);
  };

  /** Makes an image with an application's packages, of `base`. */
  const install = async (
    order: BuildOrder,
    { base, locked }: { base: Image; locked: Locked },
    signal: AbortSignal,
  ): Promise<Image> => {
    const { applicationId, root } = order;
    const { plan } = withSteps(order, [locked.step]);
    // What builds left in the home they share is no part of what decides.
    const its = { ...order, plan, variables: { ...order.variables, npm_config_userconfig: '/dev/null' } };
    const at = posix.join(APP, root);
    const texts = Object.entries(locked.texts).map(([name, text]) => [posix.join(at, name), text]);
    const content = () =>
      joined(foldersOf(foldersTo(root), SITE_USER), () => filesOf(Object.fromEntries(texts), SITE_USER));
    await begin(its, { image: base.Id, content }, signal);
    await runAll(its, { first: (until) => check(its, until), below: 0 }, signal);
    const made = await packages.keep(nameOf(its), applicationId, locked, signal);
    await engine.remove(nameOf(its), signal);
    return made;
  };

  const make = async (order: BuildOrder, signal: AbortSignal): Promise<Artifact> => {
    const { plan, journal } = order;
    if (plan.dockerfile) return makeOwn(order, plan.dockerfile, signal);
    if (isPlain(plan)) return folderBuilder.build(order);
    const base = await bringBase(order, signal);
    const locked = await lockedPackages(order, { source: folders.source(order), base: base.Id });
    const kept = locked && (await packages.find(order.applicationId, locked, signal));
    const isInstalled = locked !== undefined && !kept;
    const ground = isInstalled ? await install(order, { base, locked }, signal) : (kept ?? base);
    const left = locked ? withSteps(order, plan.steps.slice(1)) : order;
    const content = () => treeOf(folders.source(order), APP, SITE_USER);
    await begin(left, { image: ground.Id, content }, signal);
    const first = async (until: AbortSignal) => {
      if (!isInstalled) await check(left, until);
      if (kept) await journal.step('install', async () => journal.write(messages.packagesKept));
    };
    await runAll(left, { first, below: ground.Size - base.Size }, signal);
    await keep(order, signal);
    if (plan.kind === 'static') return keepFiles(order, signal);
    const image = imageOf(order);
    const config = { Entrypoint: [], Cmd: [], WorkingDir: APP, Labels: labelsOf(order.applicationId) };
    await engine.commit(nameOf(order), { ...partsOf(image), config }, signal);
    // The image has it all.
    await folderBuilder.discard(order, signal);
    return { kind: 'image', image, below: order.root, hasHome: true };
  };

  const build = async (order: BuildOrder): Promise<Artifact> => {
    const late = AbortSignal.timeout(settings.appsBuildSeconds * 1_000);
    const signal = AbortSignal.any([order.signal, late]);
    try {
      const artifact = await failing(() => makeAndKeep(order, signal));
      // Nobody who waits for the release waits for that, nor for an engine that is busy with it.
      clear(order, CLEAR_AFTER_MS);
      return artifact;
    } catch (error) {
      await clear(order);
      order.signal.throwIfAborted();
      if (late.aborted) throw new RuntimeFailure(reason('too_slow', { seconds: settings.appsBuildSeconds }));
      throw error;
    }
  };
  const inTurn = createKeyedLock(UNTIL_DONE_MS);
  // Podman would run them in a network that it chooses, beside the fence's, and tells of nothing that they write.
  const dockerfiles = settings.appsDockerfiles && !engine.isPodman;

  return {
    ...folderBuilder,
    dockerfiles,

    async recover() {
      await folderBuilder.recover();
      await leftovers.recover();
    },

    async build(order) {
      const { plan, applicationId } = order;
      if (plan.dockerfile && !dockerfiles)
        throw new RuntimeFailure(reason('dockerfile_only', { file: plan.dockerfile.file }));
      // No engine is needed for that.
      if (isPlain(plan) && !copies) return folderBuilder.build(order);
      return plan.dockerfile ? inTurn(applicationId, () => build(order)) : build(order);
    },

    async has(name, artifact, signal = NEVER) {
      if (artifact.kind === 'folder') return false;
      if (artifact.kind === 'files') return copies ? copies.has(name) : folderBuilder.has(name, artifact);
      const { image } = artifact;
      return failing(async () =>
        registry && atRegistry
          ? image.startsWith(registry.prefix) && atRegistry.has(image, signal)
          : (await engine.image(image, signal)) !== undefined,
      );
    },

    async builds(applicationId) {
      const here = (await madeOf(applicationId, NEVER)).flatMap(({ tag }) => buildOf(tag) ?? []);
      const further = (await elsewhere?.builds(applicationId, NEVER)) ?? [];
      return [...new Set([...(await folderBuilder.builds(applicationId)), ...here, ...further])];
    },

    async prune(applicationId, builds, signal) {
      await folderBuilder.prune(applicationId, builds, signal);
      const gone = new Set(builds);
      for (const { name, tag } of await madeOf(applicationId, signal))
        if (gone.has(buildOf(tag) ?? '')) await engine.removeName(name, signal).catch(unlessUsed);
      await elsewhere?.prune(applicationId, builds, signal);
    },

    async forget(applicationId, signal) {
      await folderBuilder.forget(applicationId, signal);
      leaving.get(applicationId)?.hurry();
      await leaving.get(applicationId)?.all;
      // Images of ours say that there is something to forget, for as long as the registry has any.
      await elsewhere?.forget(applicationId, signal);
      await copies?.forget(applicationId, signal);
      await leftovers.forget(applicationId, signal);
    },

    async applications() {
      const here = [...(await folderBuilder.applications()), ...((await copies?.applications()) ?? [])];
      return [...new Set([...here, ...(await leftovers.applications(NEVER))])];
    },

    async close() {
      await Promise.all([folderBuilder.close(), elsewhere?.close()]);
    },
  };
}

/** The same build of which these steps alone are to be run. */
function withSteps(order: BuildOrder, steps: readonly Step[]): BuildOrder {
  return { ...order, plan: { ...order.plan, steps } };
}

/** Those that lead to an application's root, each of them. */
function foldersTo(root: string): string[] {
  const parts = root.split('/').filter((part) => part !== '');
  return parts.map((_, index) => posix.join(APP, ...parts.slice(0, index + 1)));
}

/** Files that are served as they came. */
function isPlain({ kind, steps }: BuildPlan): boolean {
  return kind === 'static' && steps.length === 0;
}

/** Of one that is put into its image as it is, nothing has to be started. */
function runsCommands({ kind, steps, node, programs = [], caches = [] }: BuildPlan): boolean {
  return kind === 'static' || node !== undefined || [...steps, ...programs, ...caches].length > 0;
}
