import { EventEmitter, once } from 'node:events';
import type { Kysely } from 'kysely';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';
import { newestLine } from '../../kernel/writes/history.ts';
import type { GuestReader } from '../events/access.ts';
import type { GuestCounts } from '../guests/contract.ts';
import { readCounts } from '../guests/store.ts';
import {
  changedMessage,
  formatMessage,
  MOST_MESSAGES,
  readStreamMessages,
  type StreamMessage,
} from './messages.ts';

/**
 * Milliseconds for which changes of an event are collected: a thousand answers at once cause only a few reads of the
 * database.
 */
const TOGETHER_MS = 150;

/** Stream of one event's changes. Each server reads an event's changes once, for all its connected clients. */
export interface Feed {
  /**
   * Notifies the stream that the event's history now ends with line `head`; Infinity if the number of that line is not
   * known.
   */
  wake(head: number): void;
  /** Resolves when the stream has all changes up to now; rejects if the database is unavailable. */
  ready(): Promise<void>;
  /**
   * Yields the messages about history lines after line `after` or, without `after`, from now on, until the signal is
   * aborted. Call it after `ready`.
   */
  follow(
    after: number | undefined,
    signal: AbortSignal,
    reader: Pick<GuestReader, 'contacts'>,
  ): AsyncGenerator<string>;
}

interface Counted {
  counts: GuestCounts;
  id: number;
}

/**
 * Creates the live stream of an event's changes. `onFailed` is called once, when the database can't be read; the stream
 * ends then for all clients.
 */
export function createFeed(db: Kysely<unknown>, eventId: string, onFailed: () => void): Feed {
  const changes = new EventEmitter().setMaxListeners(0);
  /** Messages for the event's history lines after line `since`, up to line `head`. */
  const recent: StreamMessage[] = [];
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
        ? { messages: [], head: await newestLine(db, eventId) }
        : await readStreamMessages(db, eventId, head);
      if (found.head === head) return;
      const counts = await readCounts(db, eventId);
      // The variables of the stream (its messages, counts and line numbers) change together, without an await between
      // them: a client that connects meanwhile gets the messages from before the change or from after it, never a
      // mixture.
      if (isFirst) since = found.head;
      recent.push(...found.messages);
      since = recent[recent.length - MOST_MESSAGES - 1]?.id ?? since;
      recent.splice(0, recent.length - MOST_MESSAGES);
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

    async *follow(after, signal, { contacts }) {
      const textFor = (message: StreamMessage) => (contacts ? message.text : message.textWithoutContacts);
      let at = after ?? head;
      if (at > head) {
        // A client's last line can be beyond the end of this history: then the client was connected to another
        // database, or a backup was restored since.
        at = head;
        yield changedMessage(at).text;
      }
      for (let sent: Counted | undefined; !signal.aborted; ) {
        if (failure) throw failure;
        if (at < since) {
          const missed = await readStreamMessages(db, eventId, at);
          for (const message of missed.messages) {
            const text = textFor(message);
            if (text !== null) yield text;
            at = message.id;
          }
          at = missed.head;
          continue;
        }
        // Counts and messages are read together before the first yield, because a yield may take long and both may
        // change meanwhile.
        const { counts, id } = counted as Counted;
        const isNew = counted !== sent;
        sent = counted;
        for (const one of recent.slice(indexAfter(recent, at))) {
          const text = textFor(one);
          if (text !== null) yield text;
          at = one.id;
        }
        at = Math.max(at, id);
        if (isNew) yield formatMessage('counts', counts, at);
        if (counted === sent && !failure) await once(changes, 'change', { signal }).catch(() => {});
      }
    },
  };
}

function indexAfter(messages: readonly StreamMessage[], at: number): number {
  return messages.findLastIndex(({ id }) => id <= at) + 1;
}
