import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { contentType } from './content-types.ts';
import type { Encoding } from './encoding.ts';
import { isHidden } from './path.ts';

/** A file of a site. `path` is its real path (links resolved), inside the site's folder. */
export interface SiteFile {
  path: string;
  /** Path segments of the request. */
  segments: readonly string[];
  size: number;
  modified: Date;
  /** Strong ETag of the file's bytes on disk. */
  etag: string;
  type: string;
  compressible: boolean;
}

export type Found = SiteFile | 'folder' | undefined;

/** Cache of static sites' files, so that the many requests of one page need only one lookup on the disk. */
export interface Files {
  /** Finds the file at the path segments under `folder`. Undefined also for links that lead out of the folder. */
  find(folder: string, segments: readonly string[]): Promise<Found>;
  /** Content of a small file, compressed if an encoding is given; undefined for files too large to cache. */
  content(file: SiteFile, encoding: Encoding | undefined): Promise<Buffer | undefined>;
}

const REMEMBERED_MS = 500;
const MOST_REMEMBERED = 10_000;
/** Size limit for files that are cached in memory. Compression happens at a file's first request. */
export const SMALL_FILE = 512 * 1024;
const MOST_HELD = 64 * 1024 * 1024;

export function createFiles(): Files {
  const found = new Map<string, { at: number; what: Promise<Found> }>();
  const held = new Map<string, { size: number; content: Promise<Buffer> }>();
  let heldBytes = 0;

  const drop = (key: string) => {
    heldBytes -= held.get(key)?.size ?? 0;
    held.delete(key);
  };
  const hold = (key: string, size: number, read: () => Promise<Buffer>): Promise<Buffer> => {
    const content = read();
    held.set(key, { size, content });
    heldBytes += size;
    content.catch(() => drop(key));
    for (const oldest of held.keys()) {
      if (heldBytes <= MOST_HELD) break;
      drop(oldest);
    }
    return content;
  };

  return {
    find(folder, segments) {
      const path = join(folder, ...segments);
      const key = `${folder}\0${path}`;
      const known = found.get(key);
      const now = performance.now();
      if (known && now - known.at < REMEMBERED_MS) return known.what;
      if (found.size >= MOST_REMEMBERED) found.clear();
      const what = look(folder, path, segments);
      found.set(key, { at: now, what });
      return what;
    },

    async content(file, encoding) {
      if (file.size > SMALL_FILE) return undefined;
      const key = `${file.path}\0${file.etag}\0${encoding ?? ''}`;
      return (
        held.get(key)?.content ??
        hold(key, file.size, async () => compressed(await readWhole(file), encoding))
      );
    },
  };
}

async function look(folder: string, path: string, segments: readonly string[]): Promise<Found> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
    // Links among a site's files may lead only to other places inside the site, and never to hidden files.
    if (real !== root && !real.startsWith(root + sep)) return undefined;
    if (isHidden(real.slice(root.length + 1).split(sep))) return undefined;
    const facts = await stat(real, { bigint: true });
    if (facts.isDirectory()) return 'folder';
    if (!facts.isFile()) return undefined;
    return {
      path: real,
      segments,
      size: Number(facts.size),
      modified: new Date(Number(facts.mtimeMs)),
      etag: `"${facts.size.toString(36)}-${facts.mtimeNs.toString(36)}"`,
      ...contentType(path),
    };
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES']);

/** Opens the file without following a link that has replaced it since, and without blocking on a pipe. */
export function openFile(file: SiteFile): Promise<FileHandle> {
  return open(file.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

async function readWhole(file: SiteFile): Promise<Buffer> {
  await using handle = await openFile(file);
  const content = Buffer.allocUnsafe(file.size);
  const { bytesRead } = await handle.read(content, 0, file.size, 0);
  if (bytesRead !== file.size) throw new Error('the file changed while it was read');
  return content;
}

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress) as (content: Buffer, options: object) => Promise<Buffer>;

function compressed(content: Buffer, encoding: Encoding | undefined): Promise<Buffer> | Buffer {
  if (encoding === 'gzip') return gzipped(content, { level: 6 });
  if (encoding === 'br') {
    return brotlied(content, {
      params: { [zlib.BROTLI_PARAM_QUALITY]: 5, [zlib.BROTLI_PARAM_SIZE_HINT]: content.length },
    });
  }
  return content;
}
