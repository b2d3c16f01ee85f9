import { type RawBuilder, sql } from 'kysely';

// Keys of a round's messages. A message with the same key is sent once; all keys of a round have a common beginning.

export function messageKey(roundId: string, guestId: string): string {
  return `round:${roundId}:${guestId}`;
}

/** SQL for the beginning that the keys of all messages of a round share. */
export function messageKeyPrefix(roundId: RawBuilder<unknown>): RawBuilder<string> {
  return sql`'round:' || ${roundId} || ':'`;
}

export function parseMessageKey(key: string): { round_id: string; guest_id: string } {
  const [, round_id = '', guest_id = ''] = key.split(':');
  return { round_id, guest_id };
}
