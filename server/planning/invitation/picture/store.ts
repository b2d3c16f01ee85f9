import { type Kysely, sql } from 'kysely';
import { insertInto } from '../../../kernel/database/rows.ts';
import { randomText } from '../../../kernel/random.ts';
import type { DrawnPicture, PictureSize } from './sizes.ts';

/** Picture of an event's invitation as stored, without the content of its file. */
export interface StoredPicture {
  key: string;
  /** Width and height of the picture in its large size, in pixels. */
  width: number;
  height: number;
  created_at: Date;
}

const KEY_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

export async function findPicture(db: Kysely<unknown>, eventId: string): Promise<StoredPicture | undefined> {
  const { rows } = await sql<StoredPicture>`
    select key, width, height, created_at from pictures where event_id = ${eventId} and size = 'large'`.execute(
    db,
  );
  return rows[0];
}

/**
 * Stores an event's picture and removes the current one. Its address has 32 random letters, so that it can't be
 * guessed.
 */
export async function savePicture(
  transaction: Kysely<unknown>,
  eventId: string,
  drawn: readonly DrawnPicture[],
  now: Temporal.Instant,
): Promise<void> {
  await removePicture(transaction, eventId);
  const key = randomText(32, KEY_LETTERS);
  for (const one of drawn) {
    await insertInto('pictures', { event_id: eventId, key, created_at: now, ...one }).execute(transaction);
  }
}

export async function removePicture(transaction: Kysely<unknown>, eventId: string): Promise<void> {
  await sql`delete from pictures where event_id = ${eventId}`.execute(transaction);
}

/** Reads the content of a picture; undefined if no picture has this key or its event is deleted. */
export async function readPicture(
  db: Kysely<unknown>,
  key: string,
  size: PictureSize,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Uint8Array }>`
    select pictures.content from pictures
    join events on events.id = pictures.event_id and events.deleted_at is null
    where pictures.key = ${key} and pictures.size = ${size}`.execute(db);
  return rows[0] && Buffer.from(rows[0].content);
}
