import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import type { Clock } from '../../kernel/clock.ts';
import { inTransaction, type SendAlong } from '../../kernel/database/transaction.ts';
import { createKeyedLock } from '../../kernel/keyed-lock.ts';
import { type Author, type Change, type FieldChanges, recordChanges } from '../../kernel/writes/history.ts';
import type { Done, KeyOwner, TransactOnce } from '../../kernel/writes/idempotency.ts';
import { entityTag, ifMatch } from '../../kernel/writes/preconditions.ts';
import { authorOf, editorOf, type OpenEvent, writableEvent } from './access.ts';

/** Transaction that changes an event, or its guests, bookings and so on, with the event's row locked. */
export interface EventWrite<E extends { id: string } = OpenEvent> {
  transaction: Kysely<unknown>;
  /** Event as it was when its row was locked. Whether the author may change it was checked before. */
  event: E;
  now: Temporal.Instant;
  sendAlong: SendAlong;
  /**
   * Adds a line to the event's history. Its author is the author of the transaction unless `by` names another. All
   * lines are stored at the end. The action `changed` without changes adds no line.
   */
  note(subject: string, subjectId: string | null, action: string, changes?: FieldChanges, by?: Author): void;
  /**
   * Passes the history lines added so far to the followers (functions that other parts of planning registered for
   * changes) now instead of at the end of the transaction. Needed before a deletion, while the rows that the lines name
   * still exist.
   */
  runFollowers(): Promise<void>;
}

/** Change of an event that an organizer requested over HTTP. */
export interface RequestedWrite<E extends { id: string } = OpenEvent> extends EventWrite<E> {
  /**
   * Throws a 412 if the request's `If-Match` names another version than `version`. Call it last, right before the
   * write.
   */
  unchanged(version: number): void;
}

/** Author of a change of an event, and the check whether the author may make it. */
export interface WriteEntry<E extends { id: string }> {
  eventId: string;
  by: Author;
  /** Locks the event's row until the transaction ends; throws if the author may not make this change. */
  enter(transaction: Kysely<unknown>): Promise<E>;
}

/** Result of a successful change, from which the response is made; `version` becomes its ETag. */
export interface WriteOutcome<T> extends Partial<Done<T>> {
  body: T;
  version?: number;
  /** True for a dry run of the change: the transaction is rolled back after the work. */
  isDryRun?: boolean;
}

/** Thrown to roll back the dry run of a change; carries the response that the change would have had. */
class DryRunRollback extends Error {
  readonly done: Done<unknown>;

  constructor(done: Done<unknown>) {
    super('tried out only');
    this.done = done;
  }
}

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

/** Function that runs in the transaction of each change of an event and receives the change's history lines. */
export type Follower<F = void> = (
  write: EventWrite<{ id: string }>,
  lines: readonly Change[],
  facts: F,
) => Promise<void>;

/** Reads facts about an event that a follower needs, if the event exists. */
export type FactReader<F> = (transaction: Kysely<unknown>, eventId: string) => Promise<F>;

/** Writes what a change consists of before the event is locked. `now` is the time of the whole change. */
export type WriteEarly = (transaction: Kysely<unknown>, now: Temporal.Instant) => Promise<void>;

export interface EventWriter {
  /**
   * Runs an organizer's change in the event of the request's path. The caller must be allowed to edit the event, and
   * the event must not be cancelled. A POST with an `Idempotency-Key` runs once; a repeated POST must have an equal
   * body or, if the body is a stream, equal `contents`.
   *
   * @example
   * app.post('', { schema }, (request, reply) =>
   *   writer.change(request, reply, async ({ transaction, event, now, note }) => {
   *     const { guest, version } = await addGuest(transaction, event.id, readNewGuest(request.body), now);
   *     note('guest', guest.id, 'created');
   *     return { status: 201, version, body: { guest } };
   *   }));
   */
  change<T>(
    request: OrganizerRequest,
    reply: Reply,
    work: (write: RequestedWrite) => Promise<WriteOutcome<T>>,
    contents?: unknown,
  ): Promise<T>;
  /**
   * Runs an organizer's change like `change`, with most of the writing done by `writeEarly`: in the same transaction and
   * with the same time, but before the event is locked, so that other changes of the event go on meanwhile. `work` then
   * has the lock, checks that none of them concerns what was written, and otherwise throws.
   */
  changeEarly<T>(
    request: OrganizerRequest,
    reply: Reply,
    writeEarly: WriteEarly,
    work: (write: RequestedWrite) => Promise<WriteOutcome<T>>,
    contents?: unknown,
  ): Promise<T>;
  /**
   * Runs an organizer's change like `change`, with `enter` as the check of access. `enter` also returns the event that
   * the work receives.
   */
  changeIf<T, E extends { id: string }>(
    enter: Enter<E>,
    request: OrganizerRequest,
    reply: Reply,
    work: (write: RequestedWrite<E>) => Promise<WriteOutcome<T>>,
  ): Promise<T>;
  /**
   * Runs a change of an event that is not an organizer's: by a guest, by a stranger with the open link, by the server
   * itself. `through` is a transaction that is already open.
   */
  enter<T, E extends { id: string }>(
    entry: WriteEntry<E>,
    work: (write: EventWrite<E>) => Promise<T>,
    through?: Kysely<unknown>,
  ): Promise<T>;
  /** Registers a follower, called with the history lines of each change before it commits, in order of registration. */
  follow(follower: Follower): void;
  /** Registers a follower whose facts are read together with the lock of the event's row, in one round trip. */
  followWith<F>(readFacts: FactReader<F>, follower: Follower<F>): void;
  /** Runs work on one event after all earlier work on the same event, within this server process. */
  inTurn<T>(eventId: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Makes the writer through which every write to an event goes: after other writes to the same event, in one
 * transaction, with the event's row locked, access checked and history recorded.
 */
export function createEventWriter(
  db: Kysely<unknown>,
  transactOnce: TransactOnce,
  clock: Clock,
): EventWriter {
  const withLock = createKeyedLock();
  const followers: { readFacts: FactReader<unknown>; follow: Follower<unknown> }[] = [];
  const followWith: EventWriter['followWith'] = (readFacts, follow) =>
    void followers.push({ readFacts, follow: follow as Follower<unknown> });

  const enter = <T, E extends { id: string }>(
    through: Kysely<unknown>,
    entry: WriteEntry<E>,
    work: (write: EventWrite<E>) => Promise<T>,
    writeEarly?: WriteEarly,
  ): Promise<T> =>
    inTransaction(through, async (transaction, sendAlong) => {
      const startedAt = writeEarly && clock();
      if (startedAt) await writeEarly(transaction, startedAt);
      const [event, ...facts] = await Promise.all([
        entry.enter(transaction),
        ...followers.map(({ readFacts }) => readFacts(transaction, entry.eventId)),
      ]);
      const now = startedAt ?? clock();
      const lines: Change[] = [];
      let followedUp = 0;
      const write: EventWrite<E> = {
        transaction,
        event,
        now,
        sendAlong,
        note(subject, subject_id, action, changes, by = entry.by) {
          if (action === 'changed' && !changes) return;
          const line = { event_id: event.id, at: now, by, subject, subject_id, action };
          lines.push({ ...line, ...(changes && { changes }) });
        },
        async runFollowers() {
          // Followers may add lines too, such as about messages that they send.
          while (followedUp < lines.length) {
            const made = lines.slice(followedUp);
            followedUp = lines.length;
            for (const [index, { follow }] of followers.entries()) await follow(write, made, facts[index]);
          }
        },
      };
      const done = await work(write);
      await write.runFollowers();
      sendAlong(recordChanges(transaction, lines));
      return done;
    });

  const requested = <T, E extends { id: string }>(
    mayEnter: Enter<E>,
    request: OrganizerRequest,
    reply: Reply,
    work: (write: RequestedWrite<E>) => Promise<WriteOutcome<T>>,
    contents: unknown,
    writeEarly?: WriteEarly,
  ): Promise<T> => {
    const { caller, params } = request;
    const entry: WriteEntry<E> = {
      eventId: params.id,
      by: authorOf(caller),
      enter: (transaction) => mayEnter(transaction, caller, params.id),
    };
    const owner: KeyOwner = {
      id: caller.id,
      checkAccess: (transaction) => editorOf(transaction, caller, params.id),
    };
    const unchanged = ifMatch(request);
    const answer = async (write: EventWrite<E>): Promise<Done<T>> => {
      const { status = 200, headers, version, body, isDryRun } = await work({ ...write, unchanged });
      const tagged = { ...(version !== undefined && { etag: entityTag(version) }), ...headers };
      const done = { status, headers: tagged, body, about: write.event.id };
      if (isDryRun) throw new DryRunRollback(done);
      return done;
    };
    const change = () =>
      transactOnce(
        request,
        reply,
        owner,
        (through) => enter(through, entry, answer, writeEarly),
        contents,
      ).catch((error: unknown) => {
        if (!(error instanceof DryRunRollback)) throw error;
        reply.code(error.done.status);
        reply.headers({ ...error.done.headers });
        return error.done.body as T;
      });
    return writeEarly ? change() : withLock(params.id, change);
  };

  return {
    inTurn: withLock,
    follow: (follower) => followWith(async () => {}, follower),
    followWith,
    enter: (entry, work, through) =>
      through ? enter(through, entry, work) : withLock(entry.eventId, () => enter(db, entry, work)),
    change: (request, reply, work, contents = request.body) =>
      requested(writableEvent, request, reply, work, contents),
    changeEarly: (request, reply, writeEarly, work, contents = request.body) =>
      requested(writableEvent, request, reply, work, contents, writeEarly),
    changeIf: (mayEnter, request, reply, work) => requested(mayEnter, request, reply, work, request.body),
  };
}
