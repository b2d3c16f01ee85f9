import { type FolderFile, tarOf } from './tar.ts';

/** What a user chose to upload: an archive as it is, or a folder that is packed here. */
export interface ChosenSource {
  name: string;
  archive: Blob;
  /** Number of files of a folder; undefined for an archive. */
  files?: number;
}

const ARCHIVE = /\.(zip|tar|tgz|tar\.gz)$/i;
/** Folders and files that no server needs, or that contain secrets. */
const LEFT_OUT =
  /(^|\/)(node_modules|\.git|\.hg|\.svn|\.DS_Store)(\/|$)|(^|\/)\.env(\.(?!example$|sample$|template$)[^/]+)?$/;

/** Source of one chosen or dropped archive; undefined if the file is no archive. */
export function sourceOfArchive(file: File): ChosenSource | undefined {
  return ARCHIVE.test(file.name) ? { name: file.name.replace(ARCHIVE, ''), archive: file } : undefined;
}

/** Source of a folder, whose files were chosen with paths that begin with the folder's own name. */
export function sourceOfFolder(chosen: readonly FolderFile[]): ChosenSource | undefined {
  const [first] = chosen;
  if (!first) return undefined;
  const name = first.path.split('/')[0] ?? '';
  const files = chosen
    .map(({ path, file }) => ({ path: path.slice(name.length + 1), file }))
    .filter(({ path }) => path !== '' && !LEFT_OUT.test(path))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  return files.length === 0 ? undefined : { name, archive: tarOf(files), files: files.length };
}

/** Files of the folders and files that were dropped on the page. */
export async function droppedFiles({ items }: DataTransfer): Promise<FolderFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return (await Promise.all(entries.map(filesIn))).flat();
}

async function filesIn(entry: FileSystemEntry): Promise<FolderFile[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (LEFT_OUT.test(path)) return [];
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FileSystemEntry[] = [];
  // A browser reads a folder in parts; an empty part ends it.
  while (true) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) break;
    found.push(...part);
  }
  return (await Promise.all(found.map(filesIn))).flat();
}
