import { readdir, readFile, readlink, stat, statfs } from 'node:fs/promises';

/** File systems whose files are in memory and already count as memory: TMPFS_MAGIC and HUGETLBFS_MAGIC of statfs(2). */
const IN_MEMORY = new Set([0x01021994, 0x958458f6]);
const REMOVED = ' (deleted)';

/**
 * Bytes on the disk of an account's deleted files that these processes still hold open or mapped (proc(5)): they fill
 * the disk until they are closed, and `du` does not count them. Programs of the machine that were replaced meanwhile
 * belong to another account and don't count. Never rejects; files that can't be inspected count as 0. Stops counting
 * after more than `most` bytes.
 */
export async function deletedOpenBytes(
  pids: Iterable<number>,
  account: number,
  most: number,
): Promise<number> {
  const seen = new Set<string>();
  let bytes = 0;
  for (const pid of new Set(pids)) {
    for await (const path of deletedFilesOf(pid)) {
      const file = await stat(path).catch(() => undefined);
      if (!file?.isFile() || file.uid !== account || file.nlink > 0 || seen.has(`${file.dev}:${file.ino}`))
        continue;
      seen.add(`${file.dev}:${file.ino}`);
      if (await isInMemory(path)) continue;
      bytes += file.blocks * 512;
      if (bytes > most) return bytes;
    }
  }
  return bytes;
}

/** Paths under /proc that lead to the deleted files of a process. */
async function* deletedFilesOf(pid: number): AsyncGenerator<string> {
  const open = `/proc/${pid}/fd`;
  for (const name of await readdir(open).catch(() => [])) {
    const path = `${open}/${name}`;
    const target = await readlink(path).catch(() => '');
    if (target.endsWith(REMOVED)) yield path;
  }
  const maps = await readFile(`/proc/${pid}/maps`, 'latin1').catch(() => '');
  for (const line of maps.split('\n')) {
    const [range] = line.split(' ', 1);
    if (line.endsWith(REMOVED)) yield `/proc/${pid}/map_files/${range}`;
  }
}

async function isInMemory(path: string): Promise<boolean> {
  const system = await statfs(path).catch(() => undefined);
  return system !== undefined && IN_MEMORY.has(system.type);
}
