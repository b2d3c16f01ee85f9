import { LEFT_OUT } from './folder-source.ts';
import type { FolderFile } from './tar.ts';

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
