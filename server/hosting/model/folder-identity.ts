import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Id of the machine's current boot: proc(5), random_boot_id. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/**
 * Identity of a folder on this machine until the next reboot: processes that see the same folder, even in different
 * containers, get the same identity. A copy of the folder has another one.
 */
export async function folderIdentity(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const boot = await readFile(BOOT_ID, 'utf8').catch(hostname);
  return createHash('sha256').update(`${boot.trim()} ${dev} ${ino}`).digest('hex').slice(0, 32);
}
