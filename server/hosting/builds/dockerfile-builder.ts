import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { isFullDisk } from '../../kernel/full-disk.ts';
import type { Logger } from '../../kernel/log.ts';
import { someOf } from '../engine/archives.ts';
import { EngineError } from '../engine/connection.ts';
import { type Engine, type Image, type Labels, type Listed, StepFailed } from '../engine/engine.ts';
import { bringImage } from '../engine/images.ts';
import { PLATFORM, STAGE } from '../engine/site-containers.ts';
import { unlessUsed } from '../engine/unused.ts';
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
import { contextIn } from './context.ts';
import { guarded, tooLarge } from './disk-guard.ts';
import { refuseUnpacking } from './dockerfile-archives.ts';
import { refuseLong, refuseMany } from './dockerfile-lengths.ts';
import {
  type DockerfileText,
  type Instruction,
  instructionsIn,
  portOf,
  readDockerfile,
  targetIn,
  triggersOf,
  withLabel,
  withOwnLines,
} from './dockerfile-text.ts';
import { messages } from './messages.ts';
import { type BuildNetwork, buildingIn, endBuilding, isLoose } from './orphaned-images.ts';

// An image by a Dockerfile of the source's own. Nothing that is not in the source goes into its build: no variable, for what a
// build is told is to be read in the image.

export interface DockerfileParts {
  engine: Engine;
  limits: { memoryMb: number; diskMb: number; cpuShares: number };
  /** Whose the stages of the application's builds are. */
  stage: string;
  /** Where the source is. */
  source: string;
  image: string;
  /** Whether an image of that name is some application's. */
  isBuilt: (name: string) => boolean;
  /** What its commands run in. */
  network: () => Promise<BuildNetwork>;
  log: Logger;
}

const ENDS_MS = 10_000;
const REMOVED_MS = 10_000;
const LOOK_AGAIN_MS = 250;
const MEBIBYTE = 2 ** 20;
/**
 * One file may be so much larger than all may be, which is seen and said a moment later: holes are zeros in a layer, which the engine
 * makes to its end, whoever goes away.
 */
const FILE_TIMES = 4;
const NEVER = new AbortController().signal;
/** How the engine tells what it does: https://github.com/moby/moby/blob/v20.10.24/builder/dockerfile/evaluator.go */
const STEP = /^Step \d+\/\d+ : (.*)$/;
const ENGINES_OWN = /^ ?---> |^Removing intermediate container /;

/** One build of an application at a time: what no other one is made of is gone afterwards. Throws a RuntimeFailure. */
export async function buildByDockerfile(
  order: BuildOrder,
  dockerfile: DockerfilePlan,
  parts: DockerfileParts,
  signal: AbortSignal,
): Promise<OwnImage> {
  const { engine, stage, limits } = parts;
  const { journal } = order;
  const { file, args = {} } = dockerfile;
  const prepare = async () => {
    const root = await folderInside(parts.source, order.root);
    const text = await textOf(root, file);
    const read = readDockerfile(text, args);
    const bases = await broughtBases(parts, read.images, signal);
    refuseLong(read.instructions, args, bases);
    refuseMany(read.instructions, bases);
    await writeFile(join(root, file), withLabel(read, `LABEL ${STAGE}="${stage}"`));
    const names = await contextIn({ folder: root, dockerfile: file });
    const triggered = bases.flatMap(triggersOf).flatMap(instructionsIn);
    await refuseUnpacking([...triggered, ...read.instructions], { root, names });
    return { root, read, bases, names };
  };
  const excessIn = (network: BuildNetwork) => async (now: AbortSignal) => {
    // One that never began would be waited for in vain.
    for (const { Id } of (await buildingIn(engine, network, now)).filter(isRunning)) {
      const over = tooLarge(await engine.writtenBytes(Id, now), limits.diskMb);
      if (over) return over;
    }
    return undefined;
  };
  const loose = (until: AbortSignal) => looseOf(engine, { [STAGE]: stage }, until);
  const preparing = [prepare(), loose(signal), parts.network()] as const;
  // Nothing is made any more once one of them has failed.
  await Promise.allSettled(preparing);
  const [{ root, read, bases, names }, before, network] = await Promise.all(preparing);
  let stages: readonly string[] = [];
  await endBuilding(engine, network, parts.log);
  try {
    stages = await journal.step('build', async () => {
      journal.write(messages.dockerfile(file));
      const ready = { ...parts, dockerfile, read, network, context: someOf(root, names) };
      return guarded(excessIn(network), (until) => build(order, ready, until), signal);
    });
    const made = await engine.image(parts.image, signal);
    if (!made) throw new EngineError(500, 'the build gave no image');
    const over = tooLarge(ownBytes(made, bases), limits.diskMb);
    if (over) {
      await engine.removeImage(parts.image, NEVER).catch(unlessUsed);
      throw new RuntimeFailure(over);
    }
    const port = portOf(made, file);
    const command = [...(made.Config.Entrypoint ?? []), ...(made.Config.Cmd ?? [])];
    return {
      ...(port !== undefined && { port }),
      ...(command.length === 0 && { lacksCommand: true }),
    };
  } finally {
    if (stages.length === 0) await untilEnded(engine, network);
    // Of what succeeded the stages stay for the next build to go on from; of what failed, those of before.
    const stay = stages.length > 0 ? stages : before;
    await inTime(REMOVED_MS, async (late) => {
      for (const id of await loose(late)) {
        if (!stay.includes(id)) await engine.removeImage(id, late).catch(unlessUsed);
      }
    });
  }
}

/** What an engine that a stranger's files hold up does not get to by then is left to the next build, or the application's end. */
async function inTime(mostMs: number, work: (late: AbortSignal) => Promise<void>): Promise<void> {
  const late = AbortSignal.timeout(mostMs);
  try {
    await work(late);
  } catch (error) {
    if (!late.aborted) throw error;
  }
}

async function textOf(root: string, file: string): Promise<string> {
  // None that a link leads to: it is written to.
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
 * Images of others, each by its name, there before anything is built. Throws a RuntimeFailure for what is no name but an id, for
 * what is an application's, and for what would do something that a Dockerfile may not.
 */
async function broughtBases(
  { engine, isBuilt, log }: DockerfileParts,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Image[]> {
  const bases: Image[] = [];
  for (const name of names) {
    await bringImage({ engine, log }, name, signal);
    const found = await engine.image(name, signal);
    const id = name.replace(/^sha256:/, '');
    const labels = found?.Config.Labels ?? {};
    const isName = found && !found.Id.replace(/^sha256:/, '').startsWith(id);
    const isAnybodys = labels[PLATFORM] !== undefined || labels[STAGE] !== undefined;
    if (!isName || isAnybodys || (found.RepoTags ?? []).some(isBuilt))
      throw new RuntimeFailure(reason('image_missing', { image: name }));
    const triggers = triggersOf(found).map((trigger) => readDockerfile(trigger, {}));
    // The engine reads them as they are.
    if (triggers.some(({ images, instructions }) => images.length > 0 || instructions.some(isOpen)))
      throw new RuntimeFailure(reason('dockerfile_unclear', { line: `FROM ${name}` }));
    bases.push(found);
  }
  return bases;
}

/** None of them is written anew. */
const NOT_OF_OTHERS = new Set(['ADD', 'EXPOSE', 'LABEL']);
const isOpen = ({ keyword }: Instruction) => NOT_OF_OTHERS.has(keyword);

/** What it has beside the image that it begins with. */
function ownBytes({ Size: size, RootFS }: Image, bases: readonly Image[]): number {
  const layers = RootFS.Layers ?? [];
  const below = bases.filter(({ RootFS: base }) =>
    (base.Layers ?? []).every((layer, index) => layers[index] === layer),
  );
  return size - Math.max(0, ...below.map((base) => base.Size));
}

const isRunning = ({ State }: Listed) => State === 'running';

/** One that we go away from is ended by the engine, in its own time. */
async function untilEnded(engine: Engine, network: BuildNetwork): Promise<void> {
  await inTime(ENDS_MS, async (late) => {
    for (; ; await sleep(LOOK_AGAIN_MS, undefined, { signal: late })) {
      const found = await buildingIn(engine, network, late);
      if (found.length === 0) return;
      for (const { Id } of found) await engine.remove(Id, late).catch(unlessUsed);
    }
  });
}

/** Images with these labels that are called nothing. */
async function looseOf(engine: Engine, labels: Labels, signal: AbortSignal): Promise<string[]> {
  const images = await engine.images(labels, signal);
  return images.filter(({ RepoTags }) => isLoose(RepoTags)).map(({ Id }) => Id);
}

interface ReadyBuild extends Omit<DockerfileParts, 'network'> {
  network: BuildNetwork;
  dockerfile: DockerfilePlan;
  read: DockerfileText;
  context: Readable;
}

async function build(
  { journal }: BuildOrder,
  { engine, limits, image, network, dockerfile, read, context }: ReadyBuild,
  signal: AbortSignal,
): Promise<string[]> {
  const { file, target: asked, args } = dockerfile;
  const target = asked === undefined ? undefined : targetIn(read, asked);
  if (asked !== undefined && target === undefined)
    throw new RuntimeFailure(reason('dockerfile_target', { file, target: asked }));
  let step = '';
  let quote = createQuote(journal);
  const allowance = createLogRateLimit(() => performance.now());
  const reader = createLineReader(LONGEST_LINE, allowance, (lines) => {
    for (const line of lines) {
      // What a command writes to its second output is put into red.
      const plain = stripVTControlCharacters(line);
      const [, begun] = STEP.exec(plain) ?? [];
      if (begun !== undefined) {
        step = begun;
        quote = createQuote(journal);
      }
      if (begun !== undefined || ENGINES_OWN.test(plain)) journal.output([line]);
      else quote.hear([line]);
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
    const hear = (line: string) => reader.push(Buffer.from(`${line}\n`));
    return await engine.build(order, hear, signal).finally(() => reader.end());
  } catch (error) {
    if (error instanceof StepFailed) {
      const command = step.replace(/^RUN\s+/i, '');
      throw new RuntimeFailure(
        reason('command_failed', { command, how: describeCode(error.code), ...quote.params() }),
      );
    }
    if (!(error instanceof EngineError) || isFullDisk(error)) throw error;
    throw new RuntimeFailure(
      reason('dockerfile_refused', { file, error: withOwnLines(error.message, read) }),
    );
  }
}
