import { randomBytes } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'reserve';
const PIECE_BYTES = 2 ** 20;
/** PostgreSQL writes its log in pieces of 16 MiB, and needs one and some pages to open a database. */
const RESERVE_BYTES = 24 * PIECE_BYTES;
/** Room that an opening may need; with less, what failed is taken to have failed for want of it. */
const LEAST_FREE_BYTES = 32 * PIECE_BYTES;

/**
 * Room on the data folder's disk that is kept for the embedded database: it can't be opened where nothing can be written. A full
 * disk is opened on it. Random, so that no file system stores it in less.
 */
export async function keepReserve(dataDir: string): Promise<void> {
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

/** Gives it to whatever needs room now. False where there was none. */
export async function releaseReserve(dataDir: string): Promise<boolean> {
  return rm(join(dataDir, FILE)).then(
    () => true,
    () => false,
  );
}

/** Whether the disk has too little room to open a database. */
export async function isShortOfRoom(dataDir: string): Promise<boolean> {
  return (await freeBytes(dataDir)) < LEAST_FREE_BYTES;
}

async function freeBytes(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}
