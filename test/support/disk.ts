import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Makes a data folder on a disk of its own, which stays mounted when the server ends. */
export async function folderOnDisk(options = 'size=320m') {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-full-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `${options},mode=700`, 'simcha', folder]);
  return {
    folder,
    grow: () => run('mount', ['-o', 'remount,size=320m', folder]),
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Fills a disk to its last page by writing one file. */
export async function fillDisk(path: string): Promise<void> {
  await using file = await open(path, 'w');
  for (const size of [2 ** 20, 2 ** 12]) {
    const piece = Buffer.alloc(size);
    for (let isFull = false; !isFull; ) {
      await file.write(piece).catch((error) => {
        assert.equal(error.code, 'ENOSPC');
        isFull = true;
      });
    }
  }
}

/** Creates empty files until the disk has no free inode. */
export async function fillInodes(folder: string): Promise<void> {
  await mkdir(folder);
  for (let n = 0; ; n += 1) {
    try {
      await writeFile(join(folder, String(n)), '');
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      return;
    }
  }
}
