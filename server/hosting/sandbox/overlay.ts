import { chown, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { INSIDE } from './shell.ts';

// Overlays (https://docs.kernel.org/filesystems/overlayfs.html): a command's writes into a folder that other commands
// start from as well go to a layer. The folder stays unchanged, and the layer is removed with the command.

/**
 * Subfolders of an overlay layer: the written files, the kernel's work folder, and the mount point of the merged view
 * (inside/layer.sh).
 */
const PARTS = { written: 'upper', work: 'work', seen: 'app' } as const;

/**
 * Makes an empty overlay layer that belongs to the commands' account. Rejects if the path exists: no two commands share
 * a layer.
 */
export async function makeOverlay(path: string, account: number | undefined): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const folders = [path, ...Object.values(PARTS).map((part) => join(path, part))];
  for (const folder of folders) {
    await mkdir(folder, { mode: 0o700 });
    if (account !== undefined) await chown(folder, account, account);
  }
  return path;
}

/** Folder of an overlay layer that contains the written files, and so fills the disk. */
export const upperFolder = (layer: string): string => join(layer, PARTS.written);

/**
 * Path of the merged view: the folder's files with the changes in the overlay layer. Only programs that `overlayBase`
 * starts see it.
 */
export const mergedFolder = (layer: string): string => join(layer, PARTS.seen);

/**
 * Beginning of a command line. The program after it sees the folder with its overlay layer mounted. `inside`: folder of
 * the platform's own scripts.
 */
export function overlayBase(folder: string, layer: string, inside = INSIDE): string[] {
  return ['/bin/sh', join(inside, 'layer.sh'), folder, layer];
}
