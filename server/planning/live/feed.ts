import { EventEmitter, once } from 'node:events';
import type { Kysely } from 'kysely';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';
import { newestLine } from '../../kernel/writes/history.ts';
import type { GuestCounts } from '../guests/contract.ts';
import { readCounts } from '../guests/store.ts';
import { changed, MOST_NEWS, message, type News, readNews } from './news.ts';

/** Changes that come together are told together: a thousand answers at once are a few looks at the database. */
const TOGETHER_MS = 150;

/** What is new in one event, read once for all who follow it on this server. */
export interface Feed {
  /** There may be more than line `head`; of an unknown line, ask with Infinity. */
  wake(head: number): void;
  /** Up to date, or rejects where the database is away. */
  ready(): Promise<void>;
  /** What came after line `after`, else what comes from now on, until the signal. Call it once `ready`. */
  follow(after: number | undefined, signal: AbortSignal): AsyncGenerator<string>;
}

interface Counted {
  counts: GuestCounts;
  id: number;
}

/** `onFailed` is called once, when the database could not be read: the feed and those who follow it are over then. */
export function createFeed(db: Kysely<unknown>, eventId: string, onFailed: () => void): Feed {
  const changes = new EventEmitter().setMaxListeners(0);
  /** All there was to tell after line `since`, up to line `head`. */
  const recent: News[] = [];
  let since = 0;
  let head = -1;
  let counted: Counted | undefined;
  let failure: unknown;
  let due: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    if (failure) return;
    try {
      const isFirst = head < 0;
      const found = isFirst
        ? { news: [], head: await newestLine(db, eventId) }
        : await readNews(db, eventId, head);
      if (found.head === head) return;
      const counts = await readCounts(db, eventId);
      // All of it at once: whoever reads sees the one state or the other.
      if (isFirst) since = found.head;
      recent.push(...found.news);
      since = recent[recent.length - MOST_NEWS - 1]?.id ?? since;
      recent.splice(0, recent.length - MOST_NEWS);
      head = found.head;
      counted = { counts, id: head };
    } catch (error) {
      failure = error;
      onFailed();
    }
    changes.emit('change');
  };
  const lookAgain = coalesceRuns(look);

  return {
    wake(line) {
      if (line <= head || failure || due) return;
      due = setTimeout(() => {
        due = undefined;
        void lookAgain();
      }, TOGETHER_MS);
    },

    async ready() {
      await lookAgain();
      if (failure) throw failure;
    },

    async *follow(after, signal) {
      let at = after ?? head;
      if (at > head) {
        // No line of this history: of another database, or from before a backup was brought back.
        at = head;
        yield changed(at).text;
      }
      for (let told: Counted | undefined; !signal.aborted; ) {
        if (failure) throw failure;
        if (at < since) {
          const missed = await readNews(db, eventId, at);
          for (const { id, text } of missed.news) {
            yield text;
            at = id;
          }
          at = missed.head;
          continue;
        }
        // Both before the first yield, which may take long: they belong together.
        const { counts, id } = counted as Counted;
        const isNew = counted !== told;
        told = counted;
        for (const one of recent.slice(indexAfter(recent, at))) {
          yield one.text;
          at = one.id;
        }
        at = Math.max(at, id);
        if (isNew) yield message('counts', counts, at);
        if (counted === told && !failure) await once(changes, 'change', { signal }).catch(() => {});
      }
    },
  };
}

function indexAfter(news: readonly News[], at: number): number {
  return news.findLastIndex(({ id }) => id <= at) + 1;
}
