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
export const LEFT_OUT =
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
