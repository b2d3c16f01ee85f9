import { EventEmitter, once } from 'node:events';
import type { Kysely } from 'kysely';
import { isUnavailable } from '../../kernel/database/database.ts';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';
import { type LoggedLine, pageAfter, stateOf } from './store.ts';

/**
 * Minimum time between two reads of the same log from the database, so that one read gets several new lines. The writer
 * of a log also collects lines before it writes them.
 */
const TOGETHER_MS = 5;
/** Interval at which a log is read without a notification, in case one is lost. */
const LOOK_MS = 5_000;
/** Size limit of the newest lines, in UTF-16 code units; followers further behind read the database themselves. */
const MOST_UNITS = 2 ** 18;

/** Newest lines of one log, read once for all its followers on this server. */
export interface Tail {
  /** Signals that the log may have new lines. */
  wake(): void;
  /** Resolves when this object has read the log's newest lines; rejects if the database is unavailable. */
  ready(): Promise<void>;
  lookAgain(): Promise<void>;
  /**
   * Lines of the log after the line with the number `at`, from memory. Only lines after the number `since` are in
   * memory, so `at` must not be less than `since`.
   */
  after(at: number): LoggedLine[];
  /**
   * Resolves after the log's next read from the database, or when the signal aborts. Rejects if the log can't be read.
   */
  next(signal: AbortSignal): Promise<void>;
  readonly since: number;
  readonly head: number;
  readonly hasEnded: boolean;
  close(): void;
}

export function createTail(db: Kysely<unknown>, logId: string): Tail {
  const looks = new EventEmitter().setMaxListeners(0);
  let recent: LoggedLine[] = [];
  let since = -1;
  let head = -1;
  let hasEnded = false;
  let looked = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let due: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    looked = performance.now();
    failure = undefined;
    try {
      if (head < 0) {
        const { head: newest, ended } = await stateOf(db, logId);
        since = head = newest;
        hasEnded = ended;
      }
      for (let isMore = !hasEnded; isMore; ) {
        const page = await pageAfter(db, logId, head);
        recent = newestOf([...recent, ...page.lines]);
        head = page.lines.at(-1)?.id ?? Math.max(head, page.head);
        since = recent[0] ? recent[0].id - 1 : head;
        isMore = head < page.head;
        hasEnded = page.ended && !isMore;
      }
    } catch (error) {
      failure = error;
    }
    looks.emit('look');
  };
  const lookAgain = coalesceRuns(look);
  const poll = setInterval(() => void lookAgain(), LOOK_MS).unref();

  return {
    wake() {
      due ??= setTimeout(
        () => {
          due = undefined;
          void lookAgain();
        },
        Math.max(0, looked + TOGETHER_MS - performance.now()),
      );
    },
    async ready() {
      await lookAgain();
      if (failure) throw failure;
    },
    lookAgain,
    after: (at) => recent.slice(recent.findLastIndex(({ id }) => id <= at) + 1),
    async next(signal) {
      await once(looks, 'look', { signal }).catch(() => {});
      // An unavailable database will come back, so this error does not end the stream.
      if (failure && !isUnavailable(failure)) throw failure;
    },
    get since() {
      return since;
    },
    get head() {
      return head;
    },
    get hasEnded() {
      return hasEnded;
    },
    close() {
      clearInterval(poll);
      clearTimeout(due);
    },
  };
}

function newestOf(lines: LoggedLine[]): LoggedLine[] {
  let units = 0;
  const first = lines.findLastIndex(({ line }) => {
    units += line.length;
    return units > MOST_UNITS;
  });
  return first < 0 ? lines : lines.slice(first + 1);
}
