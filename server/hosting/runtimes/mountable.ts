import { createHash } from 'node:crypto';
import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import { WAIT } from '../engine/commands.ts';
import type { Engine } from '../engine/engine.ts';
import { bringImage } from '../engine/images.ts';
import type { Registry } from '../engine/registry.ts';
import { KIND, PLATFORM } from '../engine/site-containers.ts';
import type { ContainerTerms } from './container-order.ts';
import { placeFolders } from './volume-folders.ts';

const NEVER = new AbortController().signal;
const SHORT = 12;

export interface MountableParts {
  engine: Engine;
  registry: Registry;
  platform: () => string;
  log: Logger;
}

/**
 * Gives an image of the registry's in which the folders are that volumes are mounted at: a new volume belongs to whom its folder
 * does, and nobody gets at a container of another machine's before it starts. Throws a RuntimeFailure for a folder behind a link.
 */
export function createMountable({ engine, registry, platform, log }: MountableParts) {
  const { headers } = registry;

  const make = async (terms: ContainerTerms, made: string, signal: AbortSignal): Promise<void> => {
    const { image, isOwnImage, command, mounts } = terms;
    await bringImage(engine, image, signal, headers);
    const name = `simcha-mounts-${newId()}`;
    try {
      const order = {
        ...{ Image: image, ...(command !== undefined && { Entrypoint: WAIT, Cmd: [] }) },
        ...{ Labels: { [PLATFORM]: platform(), [KIND]: 'hand' }, HostConfig: { NetworkMode: 'none' } },
      };
      await engine.create(name, order, signal);
      await placeFolders(engine, name, { folders: mounts.map(({ target }) => target), isOwnImage }, signal);
      const at = made.lastIndexOf(':');
      const called = { repository: made.slice(0, at), tag: made.slice(at + 1) };
      await engine.commit(name, { ...called, config: {} }, signal);
    } finally {
      await engine
        .remove(name, NEVER)
        .catch((error) => log.warn({ err: error }, 'a container could not be removed'));
    }
    await engine.push(made, headers, signal);
  };

  return async (terms: ContainerTerms, signal: AbortSignal): Promise<string> => {
    const { image, mounts, isOwnImage, command } = terms;
    if (mounts.length === 0) return image;
    const what = JSON.stringify([mounts.map(({ target }) => target), isOwnImage, command === undefined]);
    const made = `${image}-${createHash('sha256').update(what).digest('hex').slice(0, SHORT)}`;
    if (!(await engine.isAtRegistry(made, headers, signal))) await make(terms, made, signal);
    return made;
  };
}
