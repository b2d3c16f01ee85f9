import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { isFullDisk } from '../../kernel/full-disk.ts';
import type { Logger } from '../../kernel/log.ts';
import { archiveOfNames } from '../engine/archives.ts';
import type { ListedContainer } from '../engine/container-calls.ts';
import type { Engine } from '../engine/engine.ts';
import { EngineError } from '../engine/errors.ts';
import { StepFailed } from '../engine/image-build.ts';
import type { Image } from '../engine/image-calls.ts';
import { ignoreInUse } from '../engine/in-use.ts';
import type { Labels } from '../engine/labels.ts';
import { pullUnlessPresent } from '../engine/pull-image.ts';
import { PLATFORM, STAGE } from '../engine/site-containers.ts';
import type { OwnImage } from '../model/artifact.ts';
import type { DockerfilePlan } from '../model/plan.ts';
import { createQuote } from '../model/reasons/error-lines.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { folderInside, readHead } from '../sandbox/folders.ts';
import { createLineReader, LONGEST_LINE } from '../sandbox/lines.ts';
import { createLogRateLimit } from '../sandbox/log-rate-limit.ts';
import { describeCode } from '../sandbox/spawning.ts';
import type { BuildOrder } from './builder.ts';
import { listContext } from './context.ts';
import { buildSizeExcess, runWithinDiskLimit } from './disk-guard.ts';
import { refuseUnpacking } from './dockerfile-archives.ts';
import { refuseLongLines, refuseManyDeclarations } from './dockerfile-lengths.ts';
import {
  type DockerfileText,
  type Instruction,
  instructionsIn,
  portOf,
  readDockerfile,
  targetIn,
  triggersOf,
  withLabel,
  withOriginalLines,
} from './dockerfile-text.ts';
import { messages } from './messages.ts';
import { type BuildNetwork, buildContainersIn, endBuildContainers, hasNoName } from './orphaned-images.ts';

// Builds with a Dockerfile of the source. The build gets nothing but the source: variables are not passed, because
// everything a build gets can be read in its image.

export interface DockerfileParts {
  engine: Engine;
  limits: { memoryMb: number; diskMb: number; cpuShares: number };
  /** Label value for the intermediate images of the application's builds. */
  stage: string;
  /** Path of the source. */
  source: string;
  image: string;
  /** True if a name is that of an application's image. */
  isBuilt: (name: string) => boolean;
  /** Network for its commands. */
  network: () => Promise<BuildNetwork>;
  log: Logger;
}

const ENDS_MS = 10_000;
const REMOVED_MS = 10_000;
const LOOK_AGAIN_MS = 250;
const MEBIBYTE = 2 ** 20;
/**
 * Factor between the maximum size of one file and that of all files, so that the usual limit is reached and reported
 * first. The file limit is needed because holes of a file become zeros in a layer, which the engine writes to the end
 * even if the client goes away.
 */
const FILE_TIMES = 4;
const NEVER = new AbortController().signal;
/** Progress lines of the engine: https://github.com/moby/moby/blob/v20.10.24/builder/dockerfile/evaluator.go */
const STEP = /^Step \d+\/\d+ : (.*)$/;
const ENGINE_MESSAGE = /^ ?---> |^Removing intermediate container /;

/**
 * Builds an application's image; only one build of an application runs at a time, so that unused intermediate images
 * can be removed afterwards. Throws a RuntimeFailure.
 */
export async function buildByDockerfile(
  order: BuildOrder,
  dockerfile: DockerfilePlan,
  parts: DockerfileParts,
  signal: AbortSignal,
): Promise<OwnImage> {
  const { engine, stage, limits } = parts;
  const { buildLog } = order;
  const { file, args = {} } = dockerfile;
  const prepare = async () => {
    const root = await folderInside(parts.source, order.root);
    const text = await textOf(root, file);
    const read = readDockerfile(text, args);
    const bases = await pullBases(parts, read.images, signal);
    refuseLongLines(read.instructions, args, bases);
    refuseManyDeclarations(read.instructions, bases);
    await writeFile(join(root, file), withLabel(read, `LABEL ${STAGE}="${stage}"`));
    const names = await listContext({ folder: root, dockerfile: file });
    const triggered = bases.flatMap(triggersOf).flatMap(instructionsIn);
    await refuseUnpacking([...triggered, ...read.instructions], { root, names });
    return { root, read, bases, names };
  };
  const excessIn = (network: BuildNetwork) => async (now: AbortSignal) => {
    // Containers that are not running are skipped: waiting for their size could take forever.
    for (const { Id } of (await buildContainersIn(engine, network, now)).filter(isRunning)) {
      const excess = buildSizeExcess(await engine.writtenBytes(Id, now), limits.diskMb);
      if (excess) return excess;
    }
    return undefined;
  };
  const unnamedStages = (until: AbortSignal) => unnamedImages(engine, { [STAGE]: stage }, until);
  const preparing = [prepare(), unnamedStages(signal), parts.network()] as const;
  // All of them are awaited first, so that none still runs after another has failed.
  await Promise.allSettled(preparing);
  const [{ root, read, bases, names }, before, network] = await Promise.all(preparing);
  let stages: readonly string[] = [];
  await endBuildContainers(engine, network, parts.log);
  try {
    stages = await buildLog.step('build', async () => {
      buildLog.write(messages.dockerfile(file));
      const ready = { ...parts, dockerfile, read, network, context: archiveOfNames(root, names) };
      return runWithinDiskLimit(excessIn(network), (until) => build(order, ready, until), signal);
    });
    const made = await engine.image(parts.image, signal);
    if (!made) throw new EngineError(500, 'the build gave no image');
    const excess = buildSizeExcess(ownBytes(made, bases), limits.diskMb);
    if (excess) {
      await engine.removeImage(parts.image, NEVER).catch(ignoreInUse);
      throw new RuntimeFailure(excess);
    }
    const port = portOf(made, file);
    const command = [...(made.Config.Entrypoint ?? []), ...(made.Config.Cmd ?? [])];
    return {
      ...(port !== undefined && { port }),
      ...(command.length === 0 && { lacksCommand: true }),
    };
  } finally {
    if (stages.length === 0) await waitUntilEnded(engine, network);
    // Intermediate images of a successful build stay for the next one to reuse; after a failure the earlier ones stay.
    const stagesToKeep = stages.length > 0 ? stages : before;
    await withTimeLimit(REMOVED_MS, async (timeout) => {
      for (const id of await unnamedStages(timeout)) {
        if (!stagesToKeep.includes(id)) await engine.removeImage(id, timeout).catch(ignoreInUse);
      }
    });
  }
}

/**
 * Does work that may be cut off: if untrusted files delay the engine, the next build or the application's removal
 * finishes it.
 */
async function withTimeLimit(mostMs: number, work: (timeout: AbortSignal) => Promise<void>): Promise<void> {
  const timeout = AbortSignal.timeout(mostMs);
  try {
    await work(timeout);
  } catch (error) {
    if (!timeout.aborted) throw error;
  }
}

async function textOf(root: string, file: string): Promise<string> {
  // Dockerfiles behind a link are refused: the file is written to.
  const folder = await folderInside(root, dirname(file)).catch((error) => {
    if (!(error instanceof RuntimeFailure)) throw error;
    return undefined;
  });
  const isThere = folder === join(root, dirname(file));
  const text = isThere ? await readHead(join(root, file)) : undefined;
  if (text === undefined) throw new RuntimeFailure(reason('dockerfile_missing', { file }));
  return text;
}

/**
 * Pulls the base images before the build. Throws a RuntimeFailure for an image id, for images of applications, and for
 * images with triggers that a Dockerfile may not contain.
 */
async function pullBases(
  { engine, isBuilt, log }: DockerfileParts,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Image[]> {
  const bases: Image[] = [];
  for (const name of names) {
    await pullUnlessPresent({ engine, log }, name, signal);
    const found = await engine.image(name, signal);
    const id = name.replace(/^sha256:/, '');
    const labels = found?.Config.Labels ?? {};
    const isName = found && !found.Id.replace(/^sha256:/, '').startsWith(id);
    const belongsToPlatform = labels[PLATFORM] !== undefined || labels[STAGE] !== undefined;
    if (!isName || belongsToPlatform || (found.RepoTags ?? []).some(isBuilt))
      throw new RuntimeFailure(reason('image_missing', { image: name }));
    const triggers = triggersOf(found).map((trigger) => readDockerfile(trigger, {}));
    // The engine runs triggers as they are, so they are checked here.
    if (triggers.some(({ images, instructions }) => images.length > 0 || instructions.some(isRewritten)))
      throw new RuntimeFailure(reason('dockerfile_unclear', { line: `FROM ${name}` }));
    bases.push(found);
  }
  return bases;
}

/** Instructions that are rewritten in a Dockerfile; triggers can't be rewritten, so they must not contain these. */
const NOT_IN_TRIGGERS = new Set(['ADD', 'EXPOSE', 'LABEL']);
const isRewritten = ({ keyword }: Instruction) => NOT_IN_TRIGGERS.has(keyword);

/** Size of an image without its base, in bytes. */
function ownBytes({ Size: size, RootFS }: Image, bases: readonly Image[]): number {
  const layers = RootFS.Layers ?? [];
  const below = bases.filter(({ RootFS: base }) =>
    (base.Layers ?? []).every((layer, index) => layers[index] === layer),
  );
  return size - Math.max(0, ...below.map((base) => base.Size));
}

const isRunning = ({ State }: ListedContainer) => State === 'running';

/** Waits until the containers of an interrupted build are gone: the engine ends them in its own time. */
async function waitUntilEnded(engine: Engine, network: BuildNetwork): Promise<void> {
  await withTimeLimit(ENDS_MS, async (timeout) => {
    for (; ; await sleep(LOOK_AGAIN_MS, undefined, { signal: timeout })) {
      const found = await buildContainersIn(engine, network, timeout);
      if (found.length === 0) return;
      for (const { Id } of found) await engine.remove(Id, timeout).catch(ignoreInUse);
    }
  });
}

/** Ids of images with these labels and without a name. */
async function unnamedImages(engine: Engine, labels: Labels, signal: AbortSignal): Promise<string[]> {
  const images = await engine.images(labels, signal);
  return images.filter(({ RepoTags }) => hasNoName(RepoTags)).map(({ Id }) => Id);
}

interface ReadyBuild extends Omit<DockerfileParts, 'network'> {
  network: BuildNetwork;
  dockerfile: DockerfilePlan;
  read: DockerfileText;
  context: Readable;
}

async function build(
  { buildLog }: BuildOrder,
  { engine, limits, image, network, dockerfile, read, context }: ReadyBuild,
  signal: AbortSignal,
): Promise<string[]> {
  const { file, target: requestedTarget, args } = dockerfile;
  const target = requestedTarget === undefined ? undefined : targetIn(read, requestedTarget);
  if (requestedTarget !== undefined && target === undefined)
    throw new RuntimeFailure(reason('dockerfile_target', { file, target: requestedTarget }));
  let step = '';
  let quote = createQuote(buildLog);
  const rateLimit = createLogRateLimit(() => performance.now());
  const reader = createLineReader(LONGEST_LINE, rateLimit, (lines) => {
    for (const line of lines) {
      // Error output is colored red, so colors are removed before matching.
      const plain = stripVTControlCharacters(line);
      const [, startedStep] = STEP.exec(plain) ?? [];
      if (startedStep !== undefined) {
        step = startedStep;
        quote = createQuote(buildLog);
      }
      if (startedStep !== undefined || ENGINE_MESSAGE.test(plain)) buildLog.output([line]);
      else quote.add([line]);
    }
  });
  const order = {
    context,
    tag: image,
    dockerfile: file,
    target,
    ...(args && { args }),
    network: network.Id,
    memory: limits.memoryMb * MEBIBYTE,
    cpuShares: limits.cpuShares,
    fileBytes: FILE_TIMES * limits.diskMb * MEBIBYTE,
  };
  try {
    const onLine = (line: string) => reader.push(Buffer.from(`${line}\n`));
    return await engine.build(order, onLine, signal).finally(() => reader.end());
  } catch (error) {
    if (error instanceof StepFailed) {
      const command = step.replace(/^RUN\s+/i, '');
      throw new RuntimeFailure(
        reason('command_failed', { command, how: describeCode(error.code), ...quote.params() }),
      );
    }
    if (!(error instanceof EngineError) || isFullDisk(error)) throw error;
    throw new RuntimeFailure(
      reason('dockerfile_refused', { file, error: withOriginalLines(error.message, read) }),
    );
  }
}
