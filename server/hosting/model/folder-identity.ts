import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Linux's own name for the time since the machine was started: proc(5), random_boot_id. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/**
 * The name of a folder on a machine for as long as the machine is up: the same for every process that has the folder, in
 * whatever container, and another one for each copy of it.
 */
export async function folderIdentity(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const boot = await readFile(BOOT_ID, 'utf8').catch(hostname);
  return createHash('sha256').update(`${boot.trim()} ${dev} ${ino}`).digest('hex').slice(0, 32);
}
