import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { Refusal } from '../../kernel/refusal.ts';
import { badEntry, type EntryName } from './entries.ts';
import { messages } from './messages.ts';

/** Entry of an archive with its content, which must be read before the next entry. */
export interface ArchiveEntry {
  name: EntryName;
  /** Size of the entry's content in bytes, as the archive states it. */
  size: number;
  isExecutable: boolean;
  /** Opens the content of the entry, if the entry is a file. */
  open: () => Promise<Readable>;
}

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from('PK');
/** Bits of a Unix file mode that say whether a file is executable, and of which type it is. */
const EXECUTABLE = 0o111;
const TYPE = 0o170000;
const TYPES = new Map<number, 'file' | 'folder' | 'link'>([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'link'],
]);
/** Maximum length of a symbolic link's target, in bytes. */
const LONGEST_TARGET = 4_096;

/**
 * Entries of a tar, tar.gz or zip archive in a file; its first bytes say which it is. `archiveProblem` reads the errors
 * of a broken archive, of its entries' contents too.
 */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const start = await readStart(path);
  yield* start.equals(ZIP) ? readZip(path) : readTar(path, start.equals(GZIP));
}

/** Error to throw for one of reading an archive: a 400 if the archive is broken, cut off or packed by unknown methods. */
export function archiveProblem(error: unknown): unknown {
  return error instanceof Refusal || isOfSystem(error) ? error : noArchive();
}

export function noArchive(): Refusal {
  return new Refusal(400, 'no_archive', messages.noArchive);
}

async function readStart(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer: start, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return start.subarray(0, bytesRead);
}

/**
 * True for an error of the operating system, such as a failing disk, which does not mean that the archive is broken.
 */
export function isOfSystem(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}

async function* readTar(path: string, isCompressed: boolean): AsyncGenerator<ArchiveEntry> {
  const entries = extract();
  const bytes = createReadStream(path);
  const feeding = isCompressed ? pipeline(bytes, createGunzip(), entries) : pipeline(bytes, entries);
  // If reading or unzipping the archive fails, the loop over `entries` below throws the error.
  feeding.catch(() => {});
  for await (const entry of entries) {
    const { header } = entry;
    yield {
      name: nameInTar(header),
      size: header.size ?? 0,
      isExecutable: ((header.mode ?? 0) & EXECUTABLE) !== 0,
      open: async () => Readable.from(entry),
    };
    entry.resume();
  }
  await feeding;
}

function nameInTar({ name: path, type, linkname }: Header): EntryName {
  switch (type) {
    case 'file':
    case 'contiguous-file':
      return { kind: 'file', path };
    case 'directory':
      return { kind: 'folder', path };
    case 'symlink':
      return { kind: 'link', path, target: linkname ?? '' };
    case 'link':
      return { kind: 'hardlink', path, target: linkname ?? '' };
    default:
      return { kind: 'other', path };
  }
}

async function* readZip(path: string): AsyncGenerator<ArchiveEntry> {
  const file = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error) => {
    throw pathProblem(error) ?? error;
  });
  try {
    for await (const entry of file.eachEntry()) yield await entryInZip(file, entry);
  } catch (error) {
    throw pathProblem(error) ?? error;
  } finally {
    file.close();
  }
}

async function entryInZip(file: ZipFile, entry: Entry): Promise<ArchiveEntry> {
  const { fileName: path, uncompressedSize: size, externalFileAttributes } = entry;
  const mode = externalFileAttributes >>> 16;
  const kind = path.endsWith('/') ? 'folder' : (TYPES.get(mode & TYPE) ?? 'other');
  const open = () => file.openReadStreamPromise(entry);
  const name: EntryName =
    kind === 'link' ? { kind, path, target: await targetOf(size, open) } : { kind, path };
  return { name, size, isExecutable: (mode & EXECUTABLE) !== 0, open };
}

/** Target of a symbolic link, which is the content of its entry. */
async function targetOf(size: number, open: () => Promise<Readable>): Promise<string> {
  return size > LONGEST_TARGET ? '' : (await buffer(await open())).toString('utf8');
}

/** Refusal for an error with which yauzl, the library that reads zip archives, reports a forbidden path of an entry. */
function pathProblem(error: unknown): Refusal | undefined {
  const [, path] = /^(?:absolute path|invalid relative path): (.+)$/s.exec((error as Error).message) ?? [];
  return path === undefined ? undefined : badEntry(path, messages.outside);
}
