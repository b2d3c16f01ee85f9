import type { Kysely } from 'kysely';
import { createChannel, type Listen } from '../../kernel/database/channel.ts';
import { waitForDatabase } from '../../kernel/database/wait-for-database.ts';
import { type LoggedLine, newestLines, pageAfter } from './store.ts';
import { createTail, type Tail } from './tail.ts';

export interface Following {
  /** Id of the client's last line; 0 or an unknown id means the beginning. */
  after: number;
  /** Number of earlier lines for a new client; absent: all lines. */
  newest?: number;
  /**
   * True if no more lines will be written, for logs whose writer may have died before it ended them. Called when there
   * are no new lines.
   */
  isOver?: () => Promise<boolean>;
}

export interface LogReader {
  /** Reads the whole log so far, page by page. */
  read(logId: string): AsyncGenerator<string>;
  /** Newest lines, oldest first. */
  newest(logId: string, most: number): Promise<string>;
  /**
   * Follows a log to its end; lines that arrive together are yielded together. Rejects if the database is unavailable
   * at the start; later interruptions are waited out.
   */
  follow(logId: string, following: Following): Promise<(signal: AbortSignal) => AsyncGenerator<LoggedLine[]>>;
  close(): Promise<void>;
}

/** Maximum number of lines yielded at a time, so that slow readers hold few lines in memory. */
const MOST_TOGETHER = 100;

/**
 * Creates a reader for logs of all servers. `listen` opens the channel of notifications about new lines, for the first
 * follower.
 */
export function createLogReader(db: Kysely<unknown>, listen: Listen): LogReader {
  const tails = new Map<string, { tail: Tail; followers: number }>();
  const channel = createChannel(listen, {
    onMessage: (logId) => tails.get(logId)?.tail.wake(),
    onGap() {
      for (const { tail } of tails.values()) tail.wake();
    },
  });
  const join = (logId: string) => {
    const known = tails.get(logId);
    const entry = known ?? { tail: createTail(db, logId), followers: 0 };
    tails.set(logId, entry);
    entry.followers += 1;
    const leave = () => {
      entry.followers -= 1;
      if (entry.followers > 0) return;
      entry.tail.close();
      tails.delete(logId);
    };
    return { tail: entry.tail, leave };
  };

  return {
    async *read(logId) {
      for (let at = 0; ; ) {
        const { lines, head } = await pageAfter(db, logId, at);
        if (lines.length === 0) return;
        yield asText(lines);
        at = lines.at(-1)?.id ?? head;
        if (at >= head) return;
      }
    },

    async newest(logId, most) {
      return asText(await newestLines(db, logId, most));
    },

    async follow(logId, { after, newest: most, isOver = async () => false }) {
      // Listening starts before the first read, so that no line is missed in between.
      await channel.open();
      const { tail, leave } = join(logId);
      try {
        await tail.ready();
      } catch (error) {
        leave();
        throw error;
      }
      const from = most === undefined ? 0 : Math.max(0, tail.head - most);
      const start = after > 0 && after <= tail.head ? after : from;
      return async function* (signal) {
        try {
          yield* linesAfter(start, tail, isOver, signal);
        } finally {
          leave();
        }
      };

      async function* linesAfter(
        start: number,
        tail: Tail,
        isOver: () => Promise<boolean>,
        signal: AbortSignal,
      ): AsyncGenerator<LoggedLine[]> {
        let at = start;
        for (let isNews = false; !signal.aborted; ) {
          const behind = at < tail.since;
          const { lines, head } = behind
            ? await waitForDatabase(() => pageAfter(db, logId, at), { signal, onAway: () => {} })
            : { lines: tail.after(at), head: at };
          for (let from = 0; from < lines.length; from += MOST_TOGETHER) {
            const together = lines.slice(from, from + MOST_TOGETHER);
            yield together;
            at = together.at(-1)?.id ?? at;
          }
          // Lines in between are no longer stored.
          if (lines.length === 0) at = Math.max(at, head);
          else isNews = true;
          if (at < tail.head) continue;
          if (tail.hasEnded) return;
          if (!isNews && (await waitForDatabase(isOver, { signal, onAway: () => {} }))) {
            await tail.lookAgain();
            if (at >= tail.head) return;
            continue;
          }
          if (at >= tail.head && !tail.hasEnded) await tail.next(signal);
          isNews = false;
        }
      }
    },

    async close() {
      for (const { tail } of tails.values()) tail.close();
      await channel.close();
    },
  };
}

function asText(lines: readonly LoggedLine[]): string {
  return lines.map(({ line }) => `${line}\n`).join('');
}
