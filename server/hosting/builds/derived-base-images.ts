import { createHash } from 'node:crypto';
import { createKeyedLock } from '../../kernel/keyed-lock.ts';
import { foldersOf } from '../engine/archives.ts';
import { EngineError } from '../engine/connection.ts';
import { type DerivedParts, derive } from '../engine/derived.ts';
import type { Image } from '../engine/engine.ts';
import { HOME, SITE_USER } from '../engine/site-containers.ts';
import { unlessUsed } from '../engine/unused.ts';

/** Label of a derived image: the id of the image that it was made from. */
const BASE = 'simcha.base';
const LONGEST_TURN_MS = 600_000;

/**
 * Derived base images: a local base image plus the folder on which a site's home is mounted, owned by the site's user.
 * Each is made once; otherwise every release would be pushed with a layer for it.
 */
export function createDerivedBaseImages(parts: DerivedParts) {
  const { engine, platform } = parts;
  const withLock = createKeyedLock(LONGEST_TURN_MS);
  return (base: string, signal: AbortSignal): Promise<Image> =>
    withLock(base, async () => {
      const made = `simcha/${platform()}:${createHash('sha256').update(base).digest('hex')}`;
      const [{ Id } = { Id: base }, before] = await Promise.all([
        engine.image(base, signal),
        engine.image(made, signal),
      ]);
      if (before?.Config.Labels?.[BASE] === Id) return before;
      const folders = foldersOf([HOME], SITE_USER);
      await derive(
        parts,
        { image: base, made, labels: { [BASE]: Id } },
        (container) => engine.putFiles(container, '/', folders, signal),
        signal,
      );
      if (before) await engine.removeImage(before.Id, signal).catch(unlessUsed);
      const image = await engine.image(made, signal);
      if (!image) throw new EngineError(404, `no such image: ${made}`);
      return image;
    });
}
