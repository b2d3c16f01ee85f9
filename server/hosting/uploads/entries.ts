import type { Words } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { messages } from './messages.ts';

/** Limits of an uploaded folder. */
export interface FolderLimits {
  /** Maximum size of all files in the folder together, in bytes. */
  bytes: number;
  /** Maximum number of files, links and folders in the folder together. */
  entries: number;
}

/** Entry of an archive. `path` is as in the archive; `target` is where a link leads. */
export type EntryName =
  | { kind: 'file' | 'folder'; path: string }
  | { kind: 'link' | 'hardlink'; path: string; target: string }
  | { kind: 'other'; path: string };

/** Maximum length of a path in bytes, and of each name in it. */
const LONGEST_PATH = 4_096;
const LONGEST_NAME = 255;
/** Maximum length in bytes of all paths of a folder together: they are in memory while an archive is read. */
const LONGEST_PATHS = 16 * 2 ** 20;
/** Folder of git's own data, which holds the repository's history and possibly passwords. It is left out. */
const GIT = '.git';

/**
 * Path of an archive's entry relative to the uploaded folder, without `.` and double slashes; empty for the folder
 * itself. Undefined if the path leads out of the folder, or if no file system could store it.
 */
export function pathInside(path: string): string | undefined {
  if (/^(\/|[A-Za-z]:)|\0/.test(path) || !path.isWellFormed()) return undefined;
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const isTooLong = Buffer.byteLength(path) > LONGEST_PATH;
  if (isTooLong || names.some((name) => name === '..' || Buffer.byteLength(name) > LONGEST_NAME))
    return undefined;
  return names.join('/');
}

/** True if a symbolic link at `path` leads to a place inside the folder. */
export function leadsInside(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false;
  let depth = path.split('/').length - 1;
  for (const name of target.split('/')) {
    if (name === '..') depth -= 1;
    else if (name !== '' && name !== '.') depth += 1;
    if (depth < 0) return false;
  }
  return Buffer.byteLength(target) <= LONGEST_PATH;
}

/** Entries of an archive that were read so far, which decide about the next one. */
export class FolderEntries {
  readonly #limits: FolderLimits;
  readonly #kinds = new Map<string, 'file' | 'folder' | 'link'>();
  #pathBytes = 0;
  #bytes = 0;
  #files = 0;

  constructor(limits: FolderLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Number of the archive's files and links so far. */
  get files(): number {
    return this.#files;
  }

  /**
   * Path at which an entry is stored; undefined if it is left out. Throws a 400 for an entry that must not be in a
   * folder, and a 413 for one too many.
   */
  admit(entry: EntryName): string | undefined {
    const path = pathInside(entry.path);
    if (path === undefined) throw badEntry(entry.path, messages.outside);
    if (path === '' || path === GIT || path.startsWith(`${GIT}/`)) return undefined;
    if (entry.kind === 'other') throw badEntry(path, messages.special);
    if (entry.kind === 'link' && !leadsInside(path, entry.target)) throw badEntry(path, messages.linkOutside);
    if (entry.kind === 'hardlink' && this.#kinds.get(pathInside(entry.target) ?? '') !== 'file')
      throw badEntry(path, messages.linkOutside);
    this.#add(path, entry.kind === 'hardlink' ? 'file' : entry.kind);
    return path;
  }

  /** Adds bytes to the size of all files read so far. Throws a 413 if that exceeds the limit of an uploaded folder. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes)
      throw new Refusal(413, 'too_large', messages.folderTooLarge(this.#limits.bytes / 2 ** 20));
  }

  #add(path: string, kind: 'file' | 'folder' | 'link'): void {
    const names = path.split('/');
    for (let end = 1; end < names.length; end += 1) this.#put(names.slice(0, end).join('/'), 'folder');
    this.#put(path, kind);
    if (kind !== 'folder') this.#files += 1;
  }

  /**
   * Records a path of the archive and its kind. Throws a 400 if the archive has another entry at that path; so nothing
   * is stored below a symbolic link, which could lead out of the folder.
   */
  #put(path: string, kind: 'file' | 'folder' | 'link'): void {
    const known = this.#kinds.get(path);
    if (known === 'folder' && kind === 'folder') return;
    if (known !== undefined) throw badEntry(path, messages.twice);
    this.#kinds.set(path, kind);
    this.#pathBytes += Buffer.byteLength(path);
    if (this.#kinds.size > this.#limits.entries || this.#pathBytes > LONGEST_PATHS)
      throw new Refusal(413, 'too_large', messages.tooManyFiles(this.#limits.entries));
  }
}

/** Refusal of an archive because of one entry. It contains the entry's path, cut and without control characters. */
export function badEntry(path: string, words: (path: string) => Words): Refusal {
  const shown = path.slice(0, 200).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '�');
  return new Refusal(400, 'bad_entry', words(shown));
}
