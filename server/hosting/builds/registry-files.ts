import { createHash } from 'node:crypto';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { unpackArchive } from '../engine/archives.ts';
import type { RegistryClient } from '../engine/registry-client.ts';

export interface DownloadLimits {
  /** Maximum size of a downloaded archive once it is unpacked, in bytes. */
  mostBytes: number;
  signal: AbortSignal;
}

/**
 * Downloads the files of an image from a registry into a folder. Rejects if a layer's content is not what its digest
 * says; the folder may then contain some of it.
 */
export async function downloadFiles(
  client: RegistryClient,
  { repository, tag }: { repository: string; tag: string },
  into: string,
  { mostBytes, signal }: DownloadLimits,
): Promise<void> {
  for (const { digest, isZipped } of await client.layers(repository, tag, signal)) {
    const blob = await client.blob(repository, digest, signal);
    const hash = createHash('sha256');
    const hashed = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const archive = isZipped ? createGunzip() : new PassThrough();
    const arrives = pipeline(blob, hashed, archive, { signal });
    arrives.catch((error) => archive.destroy(error));
    await unpackArchive(archive, into, { account: undefined, mostBytes, signal });
    await arrives;
    const found = `sha256:${hash.digest('hex')}`;
    if (found !== digest) throw new Error(`the registry gave ${found} for ${digest}`);
  }
}
