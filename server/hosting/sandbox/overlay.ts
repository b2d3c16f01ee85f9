import { chown, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { INSIDE } from './shell.ts';

// What a command writes into a folder that others start from as well (https://docs.kernel.org/filesystems/overlayfs.html):
// the folder stays as it is, and the layer goes with the command.

/** What was written, where the kernel prepares that, and where the folder is seen with both (inside/layer.sh). */
const PARTS = { written: 'upper', work: 'work', seen: 'app' } as const;

/** Makes an empty one, of the account that commands run under. Rejects where there is one: no two commands share it. */
export async function makeOverlay(path: string, account: number | undefined): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const folders = [path, ...Object.values(PARTS).map((part) => join(path, part))];
  for (const folder of folders) {
    await mkdir(folder, { mode: 0o700 });
    if (account !== undefined) await chown(folder, account, account);
  }
  return path;
}

/** What of a layer fills the disk. */
export const upperFolder = (layer: string): string => join(layer, PARTS.written);

/** Where the folder is seen through it, in the mount namespace of `beneath`. */
export const mergedFolder = (layer: string): string => join(layer, PARTS.seen);

/** The beginning of the command line of what is to see the folder through the layer. `inside`: where our own files are. */
export function overlayBase(folder: string, layer: string, inside = INSIDE): string[] {
  return ['/bin/sh', join(inside, 'layer.sh'), folder, layer];
}
