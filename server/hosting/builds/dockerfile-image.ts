import { dirname, join } from 'node:path';
import { isFullDisk } from '../../kernel/full-disk.ts';
import type { Logger } from '../../kernel/log.ts';
import { archiveOfNames } from '../engine/archives.ts';
import type { Engine } from '../engine/engine.ts';
import { EngineError } from '../engine/errors.ts';
import type { Image } from '../engine/image-calls.ts';
import { ignoreInUse } from '../engine/in-use.ts';
import { STAGE } from '../engine/site-containers.ts';
import type { OwnImage } from '../model/artifact.ts';
import { ownImageOf } from '../model/image-config.ts';
import type { DockerfilePlan } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { folderInside, readHead } from '../sandbox/folders.ts';
import { describeCode } from '../sandbox/spawning.ts';
import { listContext } from './build-context.ts';
import type { BuildOrder } from './builder.ts';
import { readProgress } from './buildkit-progress.ts';
import { buildSizeExcess } from './disk-guard.ts';
import { DockerfileLog } from './dockerfile-log.ts';
import { messages } from './messages.ts';
import { hasNoName } from './orphaned-images.ts';

// Images that the engine builds from a Dockerfile in the source. The build gets nothing but the source: variables are
// not passed, because everything a build gets can be read in its image.

export interface DockerfileParts {
  engine: Engine;
  /** Maximum size of the image without its base image, in mebibytes. */
  diskMb: number;
  /** Value of the label `simcha.stage`, which marks images as the application's. */
  stage: string;
  /** Path of the build's source folder on this machine. */
  source: string;
  image: string;
  /**
   * Resolves once the network of the Dockerfile build's commands is closed, so that they reach no private addresses.
   */
  ensureClosed: (signal: AbortSignal) => Promise<void>;
  log: Logger;
}

const MEBIBYTE = 2 ** 20;
/** Size limit of the engine's build cache, as a multiple of the maximum size of one build. */
const CACHE_TIMES = 10;
const CLEARED_MS = 10_000;
/** Pattern for BuildKit's error about a command that failed. */
const EXIT_CODE = /exit code: (\d+)/;
const NO_TARGET = /build target|target stage|stage .*not found|no stage/i;
/** Names of BuildKit's internal parts in front of an error message, which are removed. */
const PREFIXES = /^(?:failed to (?:solve[^:]*|create LLB definition|compute cache key|read dockerfile): )+/;

/** Builds an image from a source's Dockerfile. Throws a RuntimeFailure; then nothing of the build remains. */
export async function buildByDockerfile(
  order: BuildOrder,
  dockerfile: DockerfilePlan,
  parts: DockerfileParts,
  signal: AbortSignal,
): Promise<OwnImage> {
  const { engine, image, diskMb } = parts;
  const context = await contextOf(order, dockerfile, parts);
  await parts.ensureClosed(signal);
  const log = new DockerfileLog(order.buildLog);
  try {
    await order.buildLog.step('build', async () => {
      order.buildLog.write(messages.dockerfile(dockerfile.file));
      await order.effect(() => build({ dockerfile, parts, context, log }, signal));
    });
    const made = await engine.image(image, signal);
    if (!made) throw new EngineError(500, 'the build gave no image');
    const excess = buildSizeExcess(await ownBytes(engine, made, log.images, signal), diskMb);
    if (excess) throw new RuntimeFailure(excess);
    return ownImageOf(made.Config);
  } catch (error) {
    await removeInTime(parts, (timeout) => engine.removeImage(image, timeout));
    throw error;
  } finally {
    await removeInTime(parts, (timeout) => removeUnnamed(parts, timeout));
    // The release does not wait until the build cache is trimmed.
    void removeInTime(parts, (timeout) => limitCache(parts, timeout));
  }
}

/** Names of the files that the build sees. Throws a RuntimeFailure if the Dockerfile is missing. */
async function contextOf(
  { root: below }: BuildOrder,
  { file }: DockerfilePlan,
  { source }: DockerfileParts,
): Promise<Context> {
  const root = await folderInside(source, below);
  const folder = await folderInside(root, dirname(file)).catch((error) => {
    if (!(error instanceof RuntimeFailure)) throw error;
    return undefined;
  });
  if (folder === undefined || (await readHead(join(root, file))) === undefined)
    throw new RuntimeFailure(reason('dockerfile_missing', { file }));
  return { root, names: await listContext({ folder: root, dockerfile: file }) };
}

interface Context {
  root: string;
  names: readonly Uint8Array[];
}

interface EngineBuild {
  dockerfile: DockerfilePlan;
  parts: DockerfileParts;
  context: Context;
  log: DockerfileLog;
}

async function build({ dockerfile, parts, context, log }: EngineBuild, signal: AbortSignal): Promise<void> {
  const { engine, image, stage } = parts;
  const { file, target, args } = dockerfile;
  const archive = archiveOfNames(context.root, context.names);
  const order = {
    context: archive,
    tag: image,
    dockerfile: file,
    target,
    args,
    labels: { [STAGE]: stage },
  };
  try {
    await engine.buildKit.build(order, (message) => log.addProgress(readProgress(message)), signal);
  } catch (error) {
    if (!(error instanceof EngineError) || isFullDisk(error)) throw error;
    log.end();
    throw failureOf(error, dockerfile, log);
  } finally {
    archive.destroy();
  }
  log.end();
}

function failureOf(
  error: EngineError,
  { file, target }: DockerfilePlan,
  { failed }: DockerfileLog,
): RuntimeFailure {
  const code = Number(EXIT_CODE.exec(error.message)?.[1] ?? 0);
  if (code !== 0 && failed) {
    const { command, quote } = failed;
    return new RuntimeFailure(
      reason('command_failed', { command, how: describeCode(code), ...quote.params() }),
    );
  }
  if (target !== undefined && NO_TARGET.test(error.message))
    return new RuntimeFailure(reason('dockerfile_target', { file, target }));
  return new RuntimeFailure(
    reason('dockerfile_refused', { file, error: error.message.replace(PREFIXES, '') }),
  );
}

/**
 * Size of an image without its base image, in bytes. If the engine has no name for the base image, its size is
 * included.
 */
async function ownBytes(
  engine: Engine,
  { Size: size, RootFS }: Image,
  names: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const layers = RootFS.Layers ?? [];
  const images = await Promise.all(names.map((name) => engine.image(name, signal)));
  const bases = images.filter((base) =>
    base?.RootFS.Layers?.every((layer, index) => layers[index] === layer),
  );
  return size - Math.max(0, ...bases.map((base) => base?.Size ?? 0));
}

/** Removes images of the application that have lost their name. */
async function removeUnnamed({ engine, stage }: DockerfileParts, signal: AbortSignal): Promise<void> {
  for (const { Id, RepoTags } of await engine.images({ [STAGE]: stage }, signal))
    if (hasNoName(RepoTags)) await engine.removeImage(Id, signal).catch(ignoreInUse);
}

function limitCache({ engine, diskMb }: DockerfileParts, signal: AbortSignal): Promise<void> {
  return engine.buildKit.limitCache(CACHE_TIMES * diskMb * MEBIBYTE, signal);
}

/**
 * Removes what is left of a Dockerfile build, within a time limit. A failure is logged: the next build or the
 * application's removal tries again.
 */
async function removeInTime(
  { log }: DockerfileParts,
  remove: (timeout: AbortSignal) => Promise<void>,
): Promise<void> {
  const timeout = AbortSignal.timeout(CLEARED_MS);
  await remove(timeout).catch((error) =>
    log.warn({ err: error }, 'what a Dockerfile build left could not be removed'),
  );
}
