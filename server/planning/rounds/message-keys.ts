import { type RawBuilder, sql } from 'kysely';

// What a round calls its messages: one of a key is sent once, and a round's stand together.

export function keyOf(roundId: string, guestId: string): string {
  return `round:${roundId}:${guestId}`;
}

/** SQL for what the keys of a round's messages begin with. */
export function startOfKeys(roundId: RawBuilder<unknown>): RawBuilder<string> {
  return sql`'round:' || ${roundId} || ':'`;
}

export function partsOfKey(key: string): { round_id: string; guest_id: string } {
  const [, round_id = '', guest_id = ''] = key.split(':');
  return { round_id, guest_id };
}
