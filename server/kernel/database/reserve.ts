import { randomBytes } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'reserve';
const PIECE_BYTES = 2 ** 20;
/** PostgreSQL writes its log in segments of 16 MiB, and needs one segment and some pages to open a database. */
const RESERVE_BYTES = 24 * PIECE_BYTES;
/**
 * Free disk space that opening the database may need. If less is free, a failure to open is taken for a lack of space.
 */
const LEAST_FREE_BYTES = 32 * PIECE_BYTES;

/**
 * Reserves space on the data folder's disk for the embedded database, which can't be opened if nothing can be written.
 * On a full disk, the reserve is released to open it. The content is random so that no file system stores it in less
 * space.
 */
export async function writeReserve(dataDir: string): Promise<void> {
  const path = join(dataDir, FILE);
  const isThere = await stat(path).then(
    ({ size }) => size === RESERVE_BYTES,
    () => false,
  );
  if (isThere || (await freeBytes(dataDir)) < 4 * RESERVE_BYTES) return;
  await using file = await open(path, 'w', 0o600);
  const piece = randomBytes(PIECE_BYTES);
  for (let written = 0; written < RESERVE_BYTES; written += PIECE_BYTES) await file.write(piece);
}

/**
 * Deletes the file that reserves disk space for opening the embedded database. Returns false if there was no such file.
 */
export async function releaseReserve(dataDir: string): Promise<boolean> {
  return rm(join(dataDir, FILE)).then(
    () => true,
    () => false,
  );
}

/** True if the disk has too little free space to open a database. */
export async function isDiskTooFull(dataDir: string): Promise<boolean> {
  return (await freeBytes(dataDir)) < LEAST_FREE_BYTES;
}

async function freeBytes(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}
