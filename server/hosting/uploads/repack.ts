import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Header, type Pack, pack } from 'tar-stream';
import { Refusal } from '../../kernel/refusal.ts';
import { type ArchiveEntry, archiveProblem, readArchive } from './archive.ts';
import { FolderEntries, type FolderLimits } from './entries.ts';
import { messages } from './messages.ts';

/** Content of an uploaded folder. */
export interface FolderSummary {
  /** SHA-256 of the paths, contents and modes of all files: the same for the same folder, however it was packed. */
  sha256: string;
  files: number;
  bytes: number;
}

type EntryHeader = Partial<Header> & { name: string };

const MODES = { folder: 0o755, executable: 0o755, plain: 0o644 };

/**
 * Checks an archive in a file and packs it again: `packed` is a tar.gz that has only files, folders and links inside of
 * the folder. `summary` rejects with a Refusal if the archive is refused, and then `packed` fails.
 */
export function repack(
  path: string,
  limits: FolderLimits,
): { packed: Readable; summary: Promise<FolderSummary> } {
  const tar = pack();
  const packed = createGzip();
  const summary = new Repacking(tar, limits).run(path).catch((error) => {
    const problem = archiveProblem(error);
    tar.destroy(problem as Error);
    throw problem;
  });
  pipeline(tar, packed).catch(() => {});
  return { packed, summary };
}

class Repacking {
  readonly #tar: Pack;
  readonly #entries: FolderEntries;
  /** A line for each file and link, of which the folder's hash is made. */
  readonly #lines: string[] = [];
  readonly #hashes = new Map<string, string>();
  /** Time of every file in milliseconds: by it, browsers tell the files of one upload from those of the next. */
  readonly #uploadedAt = Date.now();

  constructor(tar: Pack, limits: FolderLimits) {
    this.#tar = tar;
    this.#entries = new FolderEntries(limits);
  }

  async run(path: string): Promise<FolderSummary> {
    for await (const entry of readArchive(path)) {
      const place = this.#entries.admit(entry.name);
      if (place !== undefined) await this.#add(place, entry);
    }
    const { files, bytes } = this.#entries;
    if (files === 0) throw new Refusal(400, 'no_archive', messages.noFiles);
    this.#tar.finalize();
    const hash = createHash('sha256');
    for (const line of this.#lines.sort()) hash.update(line).update('\0');
    return { sha256: hash.digest('hex'), files, bytes };
  }

  async #add(path: string, entry: ArchiveEntry): Promise<void> {
    const { name } = entry;
    switch (name.kind) {
      case 'folder':
        return this.#put({ name: path, type: 'directory', mode: MODES.folder });
      case 'link':
        this.#lines.push(`link ${path}\0${name.target}`);
        return this.#put({ name: path, type: 'symlink', linkname: name.target });
      case 'hardlink':
        return this.#addHardlink(path, name.target);
      default:
        return this.#addFile(path, entry);
    }
  }

  async #addFile(path: string, { size, isExecutable, open }: ArchiveEntry): Promise<void> {
    const mode = isExecutable ? MODES.executable : MODES.plain;
    const hash = createHash('sha256');
    const header: EntryHeader = { name: path, size, mode, type: 'file' };
    if (size > 0) await this.#copy(await open(), header, hash);
    else await this.#put(header);
    const line = `${isExecutable ? 'executable' : 'file'}\0${hash.digest('hex')}`;
    this.#hashes.set(path, line);
    this.#lines.push(`${path}\0${line}`);
  }

  async #copy(content: Readable, header: EntryHeader, hash: ReturnType<typeof createHash>): Promise<void> {
    const entries = this.#entries;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        try {
          entries.count(chunk.length);
          hash.update(chunk);
          done(null, chunk);
        } catch (error) {
          done(error as Error);
        }
      },
    });
    await pipeline(content, counted, this.#tar.entry(this.#stamped(header)));
  }

  /** Adds a hard link: another name of a file that the archive already had. */
  async #addHardlink(path: string, target: string): Promise<void> {
    const place = target
      .split('/')
      .filter((name) => name !== '' && name !== '.')
      .join('/');
    this.#lines.push(`${path}\0${this.#hashes.get(place)}`);
    await this.#put({ name: path, type: 'link', linkname: place });
  }

  /** Adds an entry without content. */
  #put(header: EntryHeader): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve());
      if (header.type === 'file') this.#tar.entry(this.#stamped(header), Buffer.alloc(0), done);
      else this.#tar.entry(this.#stamped(header), done);
    });
  }
  /** Header with the time of the upload: archives may have any times, and often one for all files. */
  #stamped(header: EntryHeader): EntryHeader {
    const at = this.#uploadedAt;
    // The usual field of tar has whole seconds, and within one there may be two uploads.
    return { ...header, mtime: new Date(at), pax: { mtime: String(at / 1_000) }, uid: 0, gid: 0 };
  }
}
