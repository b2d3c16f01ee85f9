import { Readable } from 'node:stream';
import { type Kysely, sql } from 'kysely';
import type { Guest } from '../contract.ts';
import { type GuestRow, guestColumns, present } from '../rows.ts';
import { readCounts } from '../store.ts';
import { HEARTBEAT, message, RETRY } from './messages.ts';

/** Changes that come together are told together: a thousand answers at once are a few looks at the database. */
const TOGETHER_MS = 150;
const HEARTBEAT_MS = 15_000;
/** A client connects again after this long, and shows again that it may. */
const LONGEST_MS = 15 * 60_000;
/** A client that reads slower than it is told is let go, to connect again and catch up. */
const MOST_UNREAD_BYTES = 1_000_000;
const MOST_ANSWERS = 500;

export interface Hub {
  /** An event's stream, from `since` on (an answer's time) where the client was there before. */
  open(eventId: string, since: string | undefined): Promise<Readable>;
  close(): Promise<void>;
}

/** `listen` opens the channel that servers tell one another on; it is opened for the first client. */
export function createHub(
  db: Kysely<unknown>,
  listen: (handlers: {
    onMessage: (payload: string) => void;
    onGap: () => void;
  }) => Promise<() => Promise<void>>,
): Hub {
  const streams = new Map<string, Set<Readable>>();
  const pending = new Map<string, { ids: Set<string>; many: boolean }>();
  let listening: Promise<() => Promise<void>> | undefined;
  let closed = false;

  const later = (eventId: string, ids: readonly string[] | null): void => {
    if (!streams.has(eventId)) return;
    const waiting = pending.get(eventId);
    const next = waiting ?? { ids: new Set<string>(), many: false };
    next.many ||= ids === null;
    for (const id of ids ?? []) next.ids.add(id);
    if (waiting) return;
    pending.set(eventId, next);
    setTimeout(() => void tell(eventId), TOGETHER_MS);
  };

  const tell = async (eventId: string): Promise<void> => {
    const { ids, many } = pending.get(eventId) ?? { ids: new Set<string>(), many: false };
    pending.delete(eventId);
    const readers = streams.get(eventId);
    if (!readers) return;
    try {
      const told =
        many || ids.size > MOST_ANSWERS ? [message('changed', {})] : await answersOf(db, eventId, [...ids]);
      told.push(message('counts', await readCounts(db, eventId)));
      for (const stream of readers) write(stream, told.join(''));
    } catch {
      // The database is away, or the event: clients connect again and see for themselves.
      for (const stream of readers) stream.destroy();
    }
  };

  const onMessage = (payload: string): void => {
    const { event, answered } = JSON.parse(payload) as { event: string; answered: string[] | null };
    later(event, answered);
  };
  const onGap = (): void => {
    for (const eventId of streams.keys()) later(eventId, null);
  };

  return {
    async open(eventId, since) {
      if (closed) throw new Error('the server is closing');
      listening ??= listen({ onMessage, onGap });
      try {
        await listening;
      } catch (error) {
        listening = undefined;
        throw error;
      }
      const stream = new Readable({ read() {} });
      const readers = streams.get(eventId) ?? new Set();
      // Before the first look, so that nothing falls between the look and the listening.
      streams.set(eventId, readers.add(stream));
      const heartbeat = setInterval(() => write(stream, HEARTBEAT), HEARTBEAT_MS);
      const end = setTimeout(() => stream.push(null), LONGEST_MS);
      stream.once('close', () => {
        clearInterval(heartbeat);
        clearTimeout(end);
        readers.delete(stream);
        if (readers.size === 0) streams.delete(eventId);
      });
      try {
        const missed = since ? await answersSince(db, eventId, since) : [];
        write(stream, RETRY + missed.join('') + message('counts', await readCounts(db, eventId)));
      } catch (error) {
        stream.destroy();
        throw error;
      }
      return stream;
    },

    async close() {
      closed = true;
      for (const readers of streams.values()) for (const stream of readers) stream.push(null);
      await (await listening?.catch(() => undefined))?.();
    },
  };
}

function write(stream: Readable, text: string): void {
  if (stream.destroyed || stream.readableEnded) return;
  if (stream.readableLength > MOST_UNREAD_BYTES) stream.destroy();
  else stream.push(text);
}

async function answersOf(db: Kysely<unknown>, eventId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<GuestRow>`
    select ${guestColumns} from guests
    where id = any(${ids}::uuid[]) and event_id = ${eventId} order by answered_at nulls first, id`.execute(
    db,
  );
  return rows.map((row) => answer(present(row).guest));
}

async function answersSince(db: Kysely<unknown>, eventId: string, since: string): Promise<string[]> {
  const { rows } = await sql<GuestRow>`
    select ${guestColumns} from guests
    where event_id = ${eventId} and answered_at > ${since}::timestamptz
    order by answered_at, id limit ${MOST_ANSWERS + 1}`.execute(db);
  if (rows.length > MOST_ANSWERS) return [message('changed', {})];
  return rows.map((row) => answer(present(row).guest));
}

function answer(guest: Guest): string {
  return message('answer', { guest }, guest.answered_at ?? undefined);
}
