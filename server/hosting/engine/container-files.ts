import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Connection } from './connection.ts';
import { undefinedIfMissing } from './missing.ts';

/** Highest bit of Go’s io/fs.FileMode, which marks folders. */
const GO_FOLDER = 2 ** 31;

/** Bits of io/fs.FileMode for links, devices, pipes, sockets and irregular files. */
const GO_NO_FILE = 0x0f28_0000;

export type Entry =
  | { kind: 'other' }
  /** Folder with its permissions; the engine does not report the folder's owner. */
  | { kind: 'folder'; mode: number }
  | { kind: 'file'; bytes: number }
  /**
   * Symbolic link with its final target as the engine resolves it, whether the target exists or not; bytes that are not
   * UTF-8 are U+FFFD.
   */
  | { kind: 'link'; end: string };

/** Calls about files in containers, running or not. */
export function fileCalls({ ask, head, stream }: Connection) {
  const archiveOf = (id: string) => ['containers', id, 'archive'];
  return {
    /** Unpacks a tar archive into a folder of a container. */
    putFiles: (id: string, folder: string, archive: Readable, signal: AbortSignal): Promise<void> =>
      ask({ method: 'PUT', path: archiveOf(id), query: { path: folder }, body: archive, signal }),

    /** Kind of the entry at a path in a container, without following a link; undefined if the path does not exist. */
    async entryOf(id: string, path: string, signal: AbortSignal): Promise<Entry | undefined> {
      const headers = await undefinedIfMissing(head({ path: archiveOf(id), query: { path }, signal }));
      return headers && entryIn(headers);
    },

    /**
     * Tar archive of a folder or file of a container; each entry's path begins with the last component of `path`.
     * undefined if the path does not exist.
     */
    files: (id: string, path: string, signal: AbortSignal): Promise<Readable | undefined> =>
      undefinedIfMissing(stream({ path: archiveOf(id), query: { path }, signal })),
  };
}

interface PathStat {
  mode: number;
  linkTarget: string;
  size: number;
}

function entryIn(headers: IncomingHttpHeaders): Entry {
  const text = Buffer.from(String(headers['x-docker-container-path-stat'] ?? ''), 'base64').toString();
  const { mode, linkTarget, size } = JSON.parse(text) as PathStat;
  if (linkTarget !== '') return { kind: 'link', end: linkTarget };
  if (mode >= GO_FOLDER) return { kind: 'folder', mode: mode - GO_FOLDER };
  return (mode & GO_NO_FILE) === 0 ? { kind: 'file', bytes: size } : { kind: 'other' };
}
