import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from './identifiers.ts';
import type { Logger } from './log.ts';

/**
 * Uploaded file that is stored on disk: it can be read several times and is never in memory as a whole. It is deleted
 * at the end of its scope.
 */
export interface SpooledFile extends AsyncDisposable {
  path: string;
  bytes: number;
  sha256: string;
}

export class FileTooLarge extends Error {}

export type Uploads = ReturnType<typeof createUploads>;

/**
 * Uploaded files in `folder`, readable only by this user. File names begin with the id of the process that uses them.
 */
export function createUploads(folder: string, log: Logger) {
  const mine = new Set<string>();

  return {
    /** Writes a stream to a temporary file. Throws a `FileTooLarge` if the stream has more than `mostBytes` bytes. */
    async spool(stream: Readable, mostBytes: number): Promise<SpooledFile> {
      const name = `${process.pid}-${newId()}`;
      const path = join(folder, name);
      mine.add(name);
      const remove = async () => {
        await rm(path, { force: true });
        mine.delete(name);
      };
      const hash = createHash('sha256');
      let bytes = 0;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // The temporary file is opened at once, before anything can fail. If the stream opened it later, it could be
        // created after it had been removed.
        const file = await open(path, 'wx', 0o600);
        await pipeline(async function* () {
          // If the upload is too large, writing stops early. The request is not destroyed, because then no response
          // could be sent on its connection.
          for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
            bytes += chunk.length;
            if (bytes > mostBytes) throw new FileTooLarge();
            hash.update(chunk);
            yield chunk;
          }
        }, file.createWriteStream());
      } catch (error) {
        stream.resume();
        await remove();
        throw error;
      }
      return { path, bytes, sha256: hash.digest('hex'), [Symbol.asyncDispose]: remove };
    },

    /** Removes the uploaded files of server processes that have ended. Never rejects. */
    async sweep(): Promise<void> {
      try {
        for (const name of await readdir(folder)) {
          if (!mine.has(name) && !isOfAnother(name))
            await rm(join(folder, name), { recursive: true, force: true });
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
        log.warn({ err: error }, `old files in ${folder} could not be removed`);
      }
    },
  };
}

/**
 * True if another running process may still read the uploaded file. The file's name begins with the id of its process.
 * If that is our own id, an earlier process had the same id and has ended.
 */
function isOfAnother(name: string): boolean {
  const pid = Number.parseInt(name, 10);
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
