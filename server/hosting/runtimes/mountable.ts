import { createHash } from 'node:crypto';
import { type DerivedParts, deriveImage } from '../engine/derived-images.ts';
import type { RegistryImages } from '../engine/registry-images.ts';
import { placeFolders } from '../engine/volume-folders.ts';
import type { ContainerTerms } from './container-order.ts';

const SHORT = 12;

export interface MountableParts extends DerivedParts {
  images: RegistryImages;
}

/**
 * Returns a function that adds folders for an instance's volumes to an image in the registry. A new volume takes the
 * owner of its folder in the image, and containers on other machines can't be changed before they start. Throws a
 * RuntimeFailure for a folder behind a link.
 */
export function createMountable({ images, ...parts }: MountableParts) {
  const { engine } = parts;

  const make = async (terms: ContainerTerms, made: string, signal: AbortSignal): Promise<void> => {
    const { image, isOwnImage, command, folders } = terms;
    await images.ensure(image, signal);
    await deriveImage(
      parts,
      { image, newName: made, keepsCommand: command === undefined },
      (container) => placeFolders(engine, container, { folders, isOwnImage }, signal),
      signal,
    );
    await images.push(made, signal);
  };

  return async (terms: ContainerTerms, signal: AbortSignal): Promise<string> => {
    const { image, folders, isOwnImage, command } = terms;
    if (folders.length === 0) return image;
    const what = JSON.stringify([folders, isOwnImage, command === undefined]);
    const made = `${image}-${createHash('sha256').update(what).digest('hex').slice(0, SHORT)}`;
    if (!(await images.has(made, signal))) await make(terms, made, signal);
    return made;
  };
}
