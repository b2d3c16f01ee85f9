import { type Kysely, sql } from 'kysely';
import { insertInto } from '../../../kernel/database/rows.ts';
import { randomText } from '../../../kernel/random.ts';
import type { Drawn, Size } from './sizes.ts';

/** A picture as pages name it. */
export interface StoredPicture {
  key: string;
  /** Of the large one. */
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

/** Puts a picture in the place of the one there is. 32 letters that nobody guesses make its address. */
export async function savePicture(
  transaction: Kysely<unknown>,
  eventId: string,
  drawn: readonly Drawn[],
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

/** What stands at a picture's address; undefined where nothing does, or its event is gone. */
export async function readPicture(db: Kysely<unknown>, key: string, size: Size): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Uint8Array }>`
    select pictures.content from pictures
    join events on events.id = pictures.event_id and events.deleted_at is null
    where pictures.key = ${key} and pictures.size = ${size}`.execute(db);
  return rows[0] && Buffer.from(rows[0].content);
}
