import { isFullDisk } from '../../kernel/full-disk.ts';
import type { createKeyedLock } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Engine } from '../engine/engine.ts';
import { EngineError } from '../engine/errors.ts';
import { ignoreInUse } from '../engine/in-use.ts';
import { isNotAvailable } from '../engine/pull-image.ts';
import { registryHeaders } from '../engine/registry.ts';
import type { OwnImage } from '../model/artifact.ts';
import { ownImageOf } from '../model/image-config.ts';
import { parseImageName, pinnedName } from '../model/image-name.ts';
import type { ImagePlan } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { BuildOrder } from './builder.ts';
import { messages } from './messages.ts';
import { PullProgress } from './pull-progress.ts';

export interface NamedImageParts {
  engine: Engine;
  /** Maximum size of the unpacked image, in mebibytes. */
  diskMb: number;
  /** Name that the image gets in the engine, as the result of the build. */
  image: string;
  log: Logger;
  /** Lock by the pulled name: a pull must not remove that name before another has given the image its own. */
  withPullLock: KeyedLock;
}

type KeyedLock = ReturnType<typeof createKeyedLock>;

const MEBIBYTE = 2 ** 20;
const REMOVAL_MS = 10_000;

/**
 * Pulls exactly the image with the plan's digest, and gives it the name of the build's result, by which it is found and
 * removed like an image that was built. Throws a RuntimeFailure; then the image keeps no name.
 */
export async function pullNamedImage(
  order: BuildOrder,
  { name, digest }: ImagePlan,
  parts: NamedImageParts,
  signal: AbortSignal,
): Promise<OwnImage> {
  const { engine, withPullLock } = parts;
  const parsed = parseImageName(name);
  if (!parsed) throw new RuntimeFailure(reason('registry_refused'));
  const pulled = pinnedName(parsed, digest);
  const headers = order.registryLogin ? registryHeaders(parsed.registry, order.registryLogin) : {};
  return withPullLock(pulled, async () => {
    signal.throwIfAborted();
    // The operator may have pulled the same image for another purpose; then the engine keeps it.
    const isKept = (await engine.image(pulled, signal)) !== undefined;
    try {
      await order.buildLog.step('pull', () =>
        order.effect(() => pull(order, { name, pulled, headers }, parts, signal)),
      );
      return await take(order, { name, pulled }, parts, signal);
    } finally {
      if (!isKept) await forget(pulled, parts);
    }
  });
}

async function pull(
  { buildLog }: BuildOrder,
  { name, pulled, headers }: { name: string; pulled: string; headers: Readonly<Record<string, string>> },
  { engine, log }: NamedImageParts,
  signal: AbortSignal,
): Promise<void> {
  buildLog.write(messages.pulling(pulled));
  const progress = new PullProgress((line) => buildLog.output([line]));
  try {
    await engine.pull(pulled, signal, headers, (message) => progress.add(message));
  } catch (error) {
    if (!(error instanceof EngineError) || isFullDisk(error)) throw error;
    // The engine's message may tell of its networks, so it is only logged.
    log.warn({ image: pulled, why: error.message }, 'an image by its name could not be pulled');
    throw new RuntimeFailure(
      isNotAvailable(error)
        ? reason('named_image_missing', { image: name })
        : reason('registry_unreached', { registry: pulled.slice(0, pulled.indexOf('/')) }),
    );
  }
}

/** Gives a pulled image its name, unless it is too large. */
async function take(
  { buildLog }: BuildOrder,
  { name, pulled }: { name: string; pulled: string },
  { engine, diskMb, image }: NamedImageParts,
  signal: AbortSignal,
): Promise<OwnImage> {
  const found = await engine.image(pulled, signal);
  if (!found) throw new EngineError(500, 'the pulled image is not there');
  if (found.Size > diskMb * MEBIBYTE)
    throw new RuntimeFailure(reason('named_image_too_large', { image: name, mebibytes: diskMb }));
  await engine.nameImage(pulled, image, signal);
  buildLog.write(messages.pulled(found.Size));
  return ownImageOf(found.Config);
}

/** Removes the name by which an image was pulled. A failure is logged: the image then stays in the engine. */
async function forget(pulled: string, { engine, log }: NamedImageParts): Promise<void> {
  const timeout = AbortSignal.timeout(REMOVAL_MS);
  await engine
    .removeName(pulled, timeout)
    .catch(ignoreInUse)
    .catch((error) =>
      log.warn({ err: error, image: pulled }, 'the name of a pulled image could not be removed'),
    );
}
