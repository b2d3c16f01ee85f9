import { readdir, readFile, readlink, stat, statfs } from 'node:fs/promises';

/** Where files fill memory, which is counted as such: TMPFS_MAGIC and HUGETLBFS_MAGIC of statfs(2). */
const IN_MEMORY = new Set([0x01021994, 0x958458f6]);
const REMOVED = ' (deleted)';

/**
 * Bytes on the disk of an account's files that these processes hold open or have mapped, and that are in no folder any more
 * (proc(5)): they fill it until they are let go, and `du` finds none of them. Programs of the machine that were replaced
 * meanwhile are nobody's fault. Never rejects; what can't be looked into counts as nothing. It stops looking once it has seen
 * more than `most`.
 */
export async function deletedOpenBytes(
  pids: Iterable<number>,
  account: number,
  most: number,
): Promise<number> {
  const seen = new Set<string>();
  let bytes = 0;
  for (const pid of new Set(pids)) {
    for await (const path of removedOf(pid)) {
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

/** Paths under /proc that lead to what a process holds of removed files. */
async function* removedOf(pid: number): AsyncGenerator<string> {
  const open = `/proc/${pid}/fd`;
  for (const name of await readdir(open).catch(() => [])) {
    const path = `${open}/${name}`;
    const leads = await readlink(path).catch(() => '');
    if (leads.endsWith(REMOVED)) yield path;
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
