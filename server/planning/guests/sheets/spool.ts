import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** An uploaded file on disk: it is read more than once and never lies in memory whole. Gone with its scope. */
export interface Spooled extends AsyncDisposable {
  path: string;
  bytes: number;
  sha256: string;
}

export class FileTooLarge extends Error {}

/** Throws FileTooLarge past `mostBytes`. */
export async function spool(stream: Readable, mostBytes: number): Promise<Spooled> {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-upload-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'file');
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    await pipeline(
      stream,
      async function* (source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          bytes += chunk.length;
          if (bytes > mostBytes) throw new FileTooLarge();
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(path, { mode: 0o600 }),
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, bytes, sha256: hash.digest('hex'), [Symbol.asyncDispose]: remove };
}
