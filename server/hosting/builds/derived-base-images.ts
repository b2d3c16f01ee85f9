import { createHash } from 'node:crypto';
import { createKeyedLock } from '../../kernel/keyed-lock.ts';
import { archiveOfFolders } from '../engine/archives.ts';
import { type DerivedParts, deriveImage } from '../engine/derived-images.ts';
import { EngineError } from '../engine/errors.ts';
import type { Image } from '../engine/image-calls.ts';
import { ignoreInUse } from '../engine/in-use.ts';
import { HOME, SITE_USER } from '../engine/site-containers.ts';

/** Label of a derived image: the id of the image that it was made from. */
const BASE = 'simcha.base';
const LONGEST_TURN_MS = 600_000;

/**
 * Derived base images: a local base image plus the folder on which a site's home is mounted, owned by the site's user.
 * Each is made once; otherwise every release would be pushed with its own layer for that folder.
 */
export function createDerivedBaseImages(parts: DerivedParts) {
  const { engine, platform } = parts;
  const withLock = createKeyedLock(LONGEST_TURN_MS);
  return (base: string, signal: AbortSignal): Promise<Image> =>
    withLock(base, async () => {
      const derivedName = `simcha/${platform()}:${createHash('sha256').update(base).digest('hex')}`;
      const [{ Id } = { Id: base }, existing] = await Promise.all([
        engine.image(base, signal),
        engine.image(derivedName, signal),
      ]);
      if (existing?.Config.Labels?.[BASE] === Id) return existing;
      const folders = archiveOfFolders([HOME], SITE_USER);
      await deriveImage(
        parts,
        { image: base, newName: derivedName, labels: { [BASE]: Id } },
        (container) => engine.putFiles(container, '/', folders, signal),
        signal,
      );
      if (existing) await engine.removeImage(existing.Id, signal).catch(ignoreInUse);
      const image = await engine.image(derivedName, signal);
      if (!image) throw new EngineError(404, `no such image: ${derivedName}`);
      return image;
    });
}
