import type { Kysely } from 'kysely';
import { createChannel, type Listen } from '../../kernel/database/channel.ts';
import { waitForDatabase } from '../../kernel/database/wait-for-database.ts';
import { type LoggedLine, lineBefore, newestLines, pageAfter } from './store.ts';
import { createTail, type Tail } from './tail.ts';

export interface Following {
  /** Id of the last line that the client has; 0 or an unknown id means the beginning. */
  after: number;
  /** Number of earlier log lines that a new client gets; absent: all lines. */
  newest?: number;
  /** Time of the first line that a new client gets; absent: any. */
  since?: Temporal.Instant | undefined;
  /**
   * True if no more lines will be written, for logs whose writer may have died before it ended them. Called when there
   * are no new lines.
   */
  isOver?: () => Promise<boolean>;
}

/** Maximum number of lines yielded at a time, so that slow readers hold few lines in memory. */
const MOST_TOGETHER = 100;

interface SharedTail {
  tail: Tail;
  followers: number;
}

/** Reader of the logs of all servers. */
export class LogReader {
  readonly #db: Kysely<unknown>;
  /** Channel of notifications about new log lines; opened by the first follower of a log. */
  readonly #channel: ReturnType<typeof createChannel>;
  /** Newest lines of each log that somebody follows now, by the log's id. */
  readonly #tails = new Map<string, SharedTail>();

  /** `listen` opens the channel of notifications about new log lines. */
  constructor(db: Kysely<unknown>, listen: Listen) {
    this.#db = db;
    this.#channel = createChannel(listen, {
      onMessage: (logId) => this.#tails.get(logId)?.tail.wake(),
      onGap: () => {
        for (const { tail } of this.#tails.values()) tail.wake();
      },
    });
  }

  /** Reads a whole log up to now, page by page. */
  async *read(logId: string): AsyncGenerator<string> {
    for (let at = 0; ; ) {
      const { lines, head } = await pageAfter(this.#db, logId, at);
      if (lines.length === 0) return;
      yield asText(lines);
      at = lines.at(-1)?.id ?? head;
      if (at >= head) return;
    }
  }

  /** Newest lines of a log, only from the time `since` on if it is given; the oldest of them comes first. */
  async newest(logId: string, most: number, since?: Temporal.Instant): Promise<string> {
    const after = await this.#lineBefore(logId, since);
    return asText(await newestLines(this.#db, logId, { most, after }));
  }

  /**
   * Follows a log to its end; lines that arrive together are yielded together. Rejects if the database is unavailable
   * at the start; later interruptions are waited out.
   */
  async follow(
    logId: string,
    { after, newest: most, since, isOver = async () => false }: Following,
  ): Promise<(signal: AbortSignal) => AsyncGenerator<LoggedLine[]>> {
    // This server subscribes to notifications about new lines before it reads the log, so that it misses no line in
    // between.
    await this.#channel.open();
    const { tail, leave } = this.#join(logId);
    let earliest = 0;
    try {
      await tail.ready();
      earliest = await this.#lineBefore(logId, since);
    } catch (error) {
      leave();
      throw error;
    }
    const isKnown = after > 0 && after <= tail.head;
    const start = isKnown ? after : Math.max(earliest, most === undefined ? 0 : tail.head - most);
    const readPage = (at: number) => pageAfter(this.#db, logId, at);
    return async function* (signal) {
      try {
        yield* linesAfter(start, tail, readPage, isOver, signal);
      } finally {
        leave();
      }
    };
  }

  async close(): Promise<void> {
    for (const { tail } of this.#tails.values()) tail.close();
    await this.#channel.close();
  }

  async #lineBefore(logId: string, since: Temporal.Instant | undefined): Promise<number> {
    return since === undefined ? 0 : lineBefore(this.#db, logId, since);
  }

  #join(logId: string): { tail: Tail; leave: () => void } {
    const known = this.#tails.get(logId);
    const entry = known ?? { tail: createTail(this.#db, logId), followers: 0 };
    this.#tails.set(logId, entry);
    entry.followers += 1;
    const leave = () => {
      entry.followers -= 1;
      if (entry.followers > 0) return;
      entry.tail.close();
      this.#tails.delete(logId);
    };
    return { tail: entry.tail, leave };
  }
}

async function* linesAfter(
  start: number,
  tail: Tail,
  readPage: (at: number) => ReturnType<typeof pageAfter>,
  isOver: () => Promise<boolean>,
  signal: AbortSignal,
): AsyncGenerator<LoggedLine[]> {
  let at = start;
  for (let isNews = false; !signal.aborted; ) {
    const behind = at < tail.since;
    const { lines, head } = behind
      ? await waitForDatabase(() => readPage(at), { signal, onAway: () => {} })
      : { lines: tail.after(at), head: at };
    for (let from = 0; from < lines.length; from += MOST_TOGETHER) {
      const together = lines.slice(from, from + MOST_TOGETHER);
      yield together;
      at = together.at(-1)?.id ?? at;
    }
    // If the database returns no lines, it has already deleted those from `at` to `head` (the log's newest line), so
    // they are skipped.
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

function asText(lines: readonly LoggedLine[]): string {
  return lines.map(({ line }) => `${line}\n`).join('');
}
