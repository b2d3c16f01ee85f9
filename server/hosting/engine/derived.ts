import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import { WAIT } from './commands.ts';
import { type Engine, type Labels, partsOf } from './engine.ts';
import { discard, KIND, OURS, PLATFORM } from './site-containers.ts';

export interface DerivedParts {
  engine: Engine;
  platform: () => string;
  log: Logger;
}

/** Makes an image of one that is at hand, with what `put` puts into a container of it that is never started. */
export async function derive(
  { engine, platform, log }: DerivedParts,
  { image, made, keepsCommand = false, labels = {} }: DerivedOrder,
  put: (container: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const name = `${OURS}image-${newId()}`;
  try {
    const found = await engine.image(image, signal);
    // What is put into a volume of its image is in no image. One like this is there only while a container runs.
    const covered = Object.keys(found?.Config.Volumes ?? {});
    const Mounts = covered.map((Target) => ({ Type: 'tmpfs' as const, Target }));
    const order = {
      Image: image,
      ...(!keepsCommand && { Entrypoint: WAIT, Cmd: [] }),
      Labels: { [PLATFORM]: platform(), [KIND]: 'hand' },
      HostConfig: { NetworkMode: 'none', Mounts },
    };
    await engine.create(name, order, signal);
    await put(name);
    await engine.commit(name, { ...partsOf(made), config: { Labels: labels } }, signal);
  } finally {
    await discard(engine, name, log);
  }
}

export interface DerivedOrder {
  image: string;
  /** What the image is called that is made. */
  made: string;
  /** It has to have one then. */
  keepsCommand?: boolean;
  labels?: Labels;
}
