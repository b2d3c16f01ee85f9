import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import { WAIT_COMMAND } from './container-commands.ts';
import type { Engine } from './engine.ts';
import { splitImageName } from './image-calls.ts';
import type { Labels } from './labels.ts';
import { discardContainer, KIND, NAME_PREFIX, PLATFORM } from './site-containers.ts';

export interface DerivedParts {
  engine: Engine;
  platform: () => string;
  log: Logger;
}

/**
 * Makes an image from an image that the engine has, with files that `put` copies into a container which is never
 * started.
 */
export async function deriveImage(
  { engine, platform, log }: DerivedParts,
  { image, newName: made, keepsCommand = false, labels = {} }: DerivedOrder,
  put: (container: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const name = `${NAME_PREFIX}image-${newId()}`;
  try {
    const details = await engine.image(image, signal);
    // Files that are copied into a volume would not be part of the new image. Therefore a tmpfs is mounted in place of
    // each volume that the image declares: a container that is never started has no tmpfs, so the files become part of
    // the image.
    const imageVolumes = Object.keys(details?.Config.Volumes ?? {});
    const Mounts = imageVolumes.map((Target) => ({ Type: 'tmpfs' as const, Target }));
    const order = {
      Image: image,
      ...(!keepsCommand && { Entrypoint: WAIT_COMMAND, Cmd: [] }),
      Labels: { [PLATFORM]: platform(), [KIND]: 'helper' },
      HostConfig: { NetworkMode: 'none', Mounts },
    };
    await engine.create(name, order, signal);
    await put(name);
    await engine.commit(name, { ...splitImageName(made), config: { Labels: labels } }, signal);
  } finally {
    await discardContainer(engine, name, log);
  }
}

export interface DerivedOrder {
  image: string;
  /** Name of the derived image. */
  newName: string;
  /** True if the derived image keeps the command of its base image, which must then have one. */
  keepsCommand?: boolean;
  labels?: Labels;
}
