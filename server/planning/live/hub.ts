import type { Kysely } from 'kysely';
import { createChannel, type Listen } from '../../kernel/database/channel.ts';
import type { Events } from '../../kernel/http/event-stream.ts';
import type { GuestReader } from '../events/access.ts';
import { createFeed, type Feed } from './feed.ts';

export interface Hub {
  /**
   * Opens the stream of an event's changes for a caller. `after` is the last line of history that a returning client
   * received.
   */
  follow(reader: GuestReader, after: number | undefined): Promise<Events>;
  close(): Promise<void>;
}

/**
 * Makes one live stream (feed) for each event, which all clients of the event share. `listen` subscribes to
 * notifications from other servers, when the first client comes.
 */
export function createHub(db: Kysely<unknown>, listen: Listen): Hub {
  const feeds = new Map<string, { feed: Feed; readers: number }>();

  const onMessage = (payload: string): void => {
    const { event, id } = JSON.parse(payload) as { event: string; id: number };
    feeds.get(event)?.feed.wake(id);
  };
  const onGap = (): void => {
    for (const { feed } of feeds.values()) feed.wake(Number.POSITIVE_INFINITY);
  };

  const channel = createChannel(listen, { onMessage, onGap });

  const join = (eventId: string) => {
    const existing = feeds.get(eventId);
    const entry = existing ?? {
      readers: 0,
      // A stream of changes that failed is removed; its clients reconnect and get a new stream.
      feed: createFeed(db, eventId, () => forget()),
    };
    const forget = () => {
      if (feeds.get(eventId) === entry) feeds.delete(eventId);
    };
    feeds.set(eventId, entry);
    entry.readers += 1;
    const leave = () => {
      entry.readers -= 1;
      if (entry.readers === 0) forget();
    };
    return { feed: entry.feed, leave };
  };

  return {
    async follow(reader, after) {
      await channel.open();
      // The server listens for changes before the first read, so that it misses no change between the two.
      const { feed, leave } = join(reader.id);
      try {
        await feed.ready();
      } catch (error) {
        leave();
        throw error;
      }
      return async function* (signal) {
        try {
          yield* feed.follow(after, signal, reader);
        } finally {
          leave();
        }
      };
    },

    close: () => channel.close(),
  };
}
