import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import type { Clock } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { createKeyedLock } from '../../kernel/keyed-lock.ts';
import { type Author, type Change, type FieldChanges, recordChanges } from '../../kernel/writes/history.ts';
import type { Done, KeyOwner, TransactOnce } from '../../kernel/writes/idempotency.ts';
import { etag, ifMatch } from '../../kernel/writes/preconditions.ts';
import { authorOf, editorOf, type OpenEvent, writableEvent } from './access.ts';

/** A change of an event, or of what belongs to one, under way: one transaction, in which the event's row is locked. */
export interface EventWrite<E extends { id: string } = OpenEvent> {
  transaction: Kysely<unknown>;
  /** As the lock found it, and open to whoever came in. */
  event: E;
  now: Temporal.Instant;
  /**
   * A line of the event's history, in the name of whoever came in unless `by` says otherwise; written with the others
   * at the end. A `changed` without changes is none.
   */
  note(subject: string, subjectId: string | null, action: string, changes?: FieldChanges, by?: Author): void;
  /** What follows from the lines so far is done now and not at the end: while what they are about is still there. */
  followed(): Promise<void>;
}

/** A change that an organizer's request asks for. */
export interface RequestedWrite<E extends { id: string } = OpenEvent> extends EventWrite<E> {
  /** Throws a 412 where the request's `If-Match` names another version. Ask it last, right before the write. */
  unchanged(version: number): void;
}

/** Who comes in to change something, and what has to be true for them to. */
export interface Entry<E extends { id: string }> {
  eventId: string;
  by: Author;
  /** Locks the event's row until the transaction ends, and throws unless this change may be made. */
  enter(transaction: Kysely<unknown>): Promise<E>;
}

/** A successful answer; `version` becomes its ETag. */
export interface Outcome<T> extends Partial<Done<T>> {
  body: T;
  version?: number;
  /** It was tried out only: whatever was written is undone. */
  undone?: boolean;
}

/** Ends the transaction of a change that was tried out, with what it would have answered. */
class Undone extends Error {
  readonly done: Done<unknown>;

  constructor(done: Done<unknown>) {
    super('tried out only');
    this.done = done;
  }
}

/** What a DELETE that went well answers. */
export const REMOVED = { status: 204, body: null } as const;

interface OrganizerRequest {
  caller: Caller;
  params: { id: string };
  method: string;
  url: string;
  headers: Parameters<typeof ifMatch>[0]['headers'] & Parameters<TransactOnce>[0]['headers'];
  body?: unknown;
}

type Reply = Parameters<TransactOnce>[1];
type Enter<E> = (transaction: Kysely<unknown>, caller: Caller, eventId: string) => Promise<E>;

/** Called with the lines of a change, in its transaction. */
export type Follower = (write: EventWrite<{ id: string }>, lines: readonly Change[]) => Promise<void>;

export interface EventWriter {
  /**
   * What an organizer's request changes in the event of its path: whoever may edit the event, and not once it is
   * cancelled. A POST with an `Idempotency-Key` is done once; `contents` stands for a body that is a stream.
   *
   * @example
   * app.post('', { schema }, (request, reply) =>
   *   door.change(request, reply, async ({ transaction, event, now, note }) => {
   *     const { guest, version } = await addGuest(transaction, event.id, readNewGuest(request.body), now);
   *     note('guest', guest.id, 'created');
   *     return { status: 201, version, body: { guest } };
   *   }));
   */
  change<T>(
    request: OrganizerRequest,
    reply: Reply,
    work: (write: RequestedWrite) => Promise<Outcome<T>>,
    contents?: unknown,
  ): Promise<T>;
  /** The same where `enter` says who may and what is known of the event then. */
  changeIf<T, E extends { id: string }>(
    enter: Enter<E>,
    request: OrganizerRequest,
    reply: Reply,
    work: (write: RequestedWrite<E>) => Promise<Outcome<T>>,
  ): Promise<T>;
  /** What somebody else changes: a guest, a stranger with the open link, the server itself. `through`: the transaction to do it in. */
  enter<T, E extends { id: string }>(
    entry: Entry<E>,
    work: (write: EventWrite<E>) => Promise<T>,
    through?: Kysely<unknown>,
  ): Promise<T>;
  /** What follows from a change's lines of history is done before it commits, in the order in which it was named. */
  follow(follower: Follower): void;
  /** Runs work on one event after that on the same event asked for before, on this server. */
  inTurn<T>(eventId: string, work: () => Promise<T>): Promise<T>;
}

/**
 * The one way in which anything in an event is changed: in its turn, in one transaction, with the event's row locked,
 * by somebody who may, with its lines of history.
 */
export function createEventWriter(
  db: Kysely<unknown>,
  transactOnce: TransactOnce,
  clock: Clock,
): EventWriter {
  const inTurn = createKeyedLock();
  const followers: Follower[] = [];

  const enter = <T, E extends { id: string }>(
    through: Kysely<unknown>,
    entry: Entry<E>,
    work: (write: EventWrite<E>) => Promise<T>,
  ): Promise<T> =>
    inTransaction(through, async (transaction) => {
      const event = await entry.enter(transaction);
      const now = clock();
      const lines: Change[] = [];
      let followedUp = 0;
      const write: EventWrite<E> = {
        transaction,
        event,
        now,
        note(subject, subject_id, action, changes, by = entry.by) {
          if (action === 'changed' && !changes) return;
          const line = { event_id: event.id, at: now, by, subject, subject_id, action };
          lines.push({ ...line, ...(changes && { changes }) });
        },
        async followed() {
          const made = lines.slice(followedUp);
          if (made.length > 0) for (const follower of followers) await follower(write, made);
          followedUp = lines.length;
        },
      };
      const done = await work(write);
      await write.followed();
      await recordChanges(transaction, lines);
      return done;
    });

  const requested = <T, E extends { id: string }>(
    mayEnter: Enter<E>,
    request: OrganizerRequest,
    reply: Reply,
    work: (write: RequestedWrite<E>) => Promise<Outcome<T>>,
    contents: unknown,
  ): Promise<T> => {
    const { caller, params } = request;
    const entry: Entry<E> = {
      eventId: params.id,
      by: authorOf(caller),
      enter: (transaction) => mayEnter(transaction, caller, params.id),
    };
    const owner: KeyOwner = {
      id: caller.id,
      mayStillAsk: (transaction) => editorOf(transaction, caller, params.id),
    };
    const unchanged = ifMatch(request);
    const answer = async (write: EventWrite<E>): Promise<Done<T>> => {
      const { status = 200, headers, version, body, undone } = await work({ ...write, unchanged });
      const tagged = { ...(version !== undefined && { etag: etag(version) }), ...headers };
      const done = { status, headers: tagged, body, about: write.event.id };
      if (undone) throw new Undone(done);
      return done;
    };
    return inTurn(params.id, () =>
      transactOnce(request, reply, owner, (through) => enter(through, entry, answer), contents).catch(
        (error: unknown) => {
          if (!(error instanceof Undone)) throw error;
          reply.code(error.done.status);
          reply.headers({ ...error.done.headers });
          return error.done.body as T;
        },
      ),
    );
  };

  return {
    inTurn,
    follow: (follower) => void followers.push(follower),
    enter: (entry, work, through) =>
      through ? enter(through, entry, work) : inTurn(entry.eventId, () => enter(db, entry, work)),
    change: (request, reply, work, contents = request.body) =>
      requested(writableEvent, request, reply, work, contents),
    changeIf: (mayEnter, request, reply, work) => requested(mayEnter, request, reply, work, request.body),
  };
}
