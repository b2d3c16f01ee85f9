import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFullDisk } from '../../kernel/full-disk.ts';

const FILES = 16;
const FILE_BYTES = 4 * 2 ** 10;

/**
 * True if a few small files can be written in a folder. Checks the space for ordinary users: disks hold some back for
 * root.
 */
export async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  // File systems without a fixed number of inodes report 0 as their total number of inodes.
  if (bavail * bsize < FILES * FILE_BYTES || (files > 0 && ffree < FILES)) return false;
  let probe: string | undefined;
  try {
    probe = await mkdtemp(join(folder, 'probe-'));
    // A system may report free space although the user's quota is used up: that shows only when a file is written.
    for (let n = 0; n < FILES; n += 1) await writeFile(join(probe, String(n)), Buffer.alloc(FILE_BYTES));
    return true;
  } catch (error) {
    if (isFullDisk(error)) return false;
    throw error;
  } finally {
    if (probe !== undefined) await rm(probe, { recursive: true, force: true });
  }
}

/** Writes a file unless it already has this content: on a full disk, writing it again would leave it empty. */
export function writeIfChanged(file: string, content: string | Buffer): void {
  const wanted = Buffer.from(content);
  if (!wanted.equals(contentOf(file))) writeFileSync(file, wanted);
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
