import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { toParameter } from '../database/transaction.ts';
import { recordOutcome } from '../database/wait-for-database.ts';
import type { Encryption } from '../encryption.ts';
import { createFairQueue } from '../fair-queue.ts';
import { newId } from '../identifiers.ts';
import { DELIVERY, type Job, type Jobs, type Queue } from '../jobs.ts';
import type { Logger } from '../log.ts';
import {
  countByStatus,
  findRefused,
  type RefusalFollower,
  RefusalFollowers,
  type RefusedMessage,
  type StatusCount,
} from '../sent-messages.ts';
import { requeueMessage, withdrawMessages } from '../withdrawal.ts';
import {
  afterPause,
  budgetTimes,
  type Forecast,
  forecastOf,
  LONGEST_WAIT_MS,
  requestedTime,
  requestedTimes,
  type Times,
} from './budget.ts';
import { mailboxOf } from './mailbox.ts';
import { type MailContent, type NewMail, safeContent } from './message.ts';
import type { MailProblem } from './messages.ts';
import type { MailOrigin, MailSender } from './origin.ts';
import {
  areVisitorsRefused,
  isHeld,
  judgeSender,
  lockSender,
  readBudget,
  type StopReason,
  stopReasonOf,
} from './senders.ts';
import { MailRefused, MOST_AT_ONCE, type Transport } from './transport.ts';

export type MailStatus =
  | 'queued'
  /** Status of a mail that is just being handed to the mail server. */
  | 'asked'
  /**
   * Status of a mail that was withdrawn while it was handed over, if it is not known whether the mail server accepted
   * it.
   */
  | 'unknown'
  | 'sent'
  | 'refused';

export interface MailReport {
  id: string;
  key: string | null;
  status: MailStatus;
  /** Reason why the mail was refused, or why it is not known whether it was sent. */
  problem: MailProblem | null;
  /** Earliest time at which the mail is sent; null if the mail can be sent as soon as the queue reaches it. */
  waits_until: string | null;
}

/** Report that a mail was not delivered, with its status of RFC 3463, such as `5.1.1`. */
export interface Bounce {
  status: string;
  /** True if the mail server has given up for good (5.x.x); false for a delay or a full mailbox (4.x.x). */
  isPermanent: boolean;
}

export interface Mail {
  /** Description, for the operator, of where this server's mail is sent. */
  destination: string;
  /**
   * Queues a mail, which is sent when `transaction` commits; without a transaction, at once. It is delayed if the mail
   * server can't be reached, by its sender's daily budget, and by the pause between mails to one mailbox. Returns the
   * mail's id; undefined if a mail with the same `key` exists, if this one would wait longer than a week or past its
   * `until`, or if a network requests it for which too many mails were refused.
   */
  enqueue(
    transaction: Kysely<unknown> | undefined,
    mail: NewMail,
    origin: MailOrigin,
  ): Promise<string | undefined>;
  /** Queues many mails, with as few SQL statements as for one. Returns their ids in the order of the mails. */
  enqueueAll(
    transaction: Kysely<unknown>,
    mails: readonly NewMail[],
    origin: MailOrigin,
  ): Promise<(string | undefined)[]>;
  /** Forecasts when a number of further mails of a sender can be sent, by the sender's budget. */
  forecast(
    db: Kysely<unknown>,
    sender: MailSender,
    count: number,
    when?: { at?: Temporal.Instant; until?: Temporal.Instant | undefined },
  ): Promise<Forecast>;
  /** Reason why a sender's mail is stopped; undefined if it is not stopped. */
  stopReasonOf(db: Kysely<unknown>, sender: string): Promise<StopReason | undefined>;
  /** True if mails that visitors request from a sender are slowed, because too many of them were refused. */
  areVisitorsSlowed(db: Kysely<unknown>, sender: string): Promise<boolean>;
  /** Queues delayed mails whose time has come or whose sender may send mail again. */
  releaseDue(): Promise<void>;
  /**
   * Withdraws mails that are not sent yet, when `transaction` commits. Returns the ids of the mails that certainly
   * won't be sent. A mail that is being handed over at that moment may still be sent, but is not tried again.
   */
  withdraw(transaction: Kysely<unknown>, ids: readonly string[]): Promise<string[]>;
  /**
   * Ids of the mails that have these keys. A key is the caller's own name for a mail, by which it is sent only once.
   */
  idsOf(db: Kysely<unknown>, keys: readonly string[]): Promise<string[]>;
  /**
   * Statuses of mails, as visible through `db`. Mails whose delivery ended more than 90 days ago are no longer stored.
   */
  reports(db: Kysely<unknown>, ids: readonly string[]): Promise<MailReport[]>;
  /**
   * Counts mails by their status and by their owner, such as a round: the query `selection` gives pairs of owner (`of`)
   * and mail (`id`).
   */
  tally(db: Kysely<unknown>, selection: RawBuilder<unknown>): Promise<StatusCount<MailStatus>[]>;
  /**
   * Finds refused mails by the beginnings of their keys (a caller's own names for its mails). The query `beginnings`
   * gives the beginnings (`start`).
   */
  refused(db: Kysely<unknown>, beginnings: RawBuilder<unknown>): Promise<RefusedMessage[]>;
  /**
   * Records that a mail which the mail server had accepted was not delivered. It then counts as refused. Temporary
   * problems, and mails that are not known or are settled otherwise, change nothing.
   */
  recordBounce(id: string, bounce: Bounce): Promise<void>;
  /** Registers a follower of mails that were refused or came back. */
  followRefusals(follower: RefusalFollower): void;
  close(): void;
}

export interface MailParts {
  db: Kysely<unknown>;
  jobs: Jobs;
  encryption: Encryption;
  transport: Transport;
  /** Maximum number of mails on behalf of one sender within 24 hours. */
  perDay: number;
  /** Minimum time between two mails about one event to one mailbox, in milliseconds. */
  pauseMs: number;
  clock: Clock;
  log: Logger;
}

const KEEP_SETTLED = { hours: 24 * 90 };
/** Longest time for which mail of a stopped sender is kept after its time to be sent; later it would be out of date. */
const LONGEST_HELD = { hours: 24 * 14 };
const RELEASED_AT_ONCE = 500;
/** SQL condition: a mail waits whose time to be sent has come. */
const hasDueMails = sql<boolean>`exists (select from mails where ${isReleasedBy(sql`now()`)})`;

/**
 * Queue of mails, made of durable jobs. The content of a mail is encrypted while it waits, and deleted once its
 * delivery has ended.
 */
export class MailQueue implements Mail {
  readonly destination: string;
  readonly #parts: MailParts;
  readonly #inQueue = createFairQueue(MOST_AT_ONCE);
  readonly #queue: Queue<{ id: string }>;
  readonly #refusals = new RefusalFollowers();
  /**
   * Ids of mails that the mail server accepted, while the database doesn't know of it yet: a repeated job must not send
   * them again.
   */
  readonly #acceptedIds = new Set<string>();

  constructor(parts: MailParts) {
    this.#parts = parts;
    this.destination = parts.transport.destination;
    const { jobs } = parts;
    this.#queue = jobs.queue<{ id: string }>('mail', DELIVERY, (job) =>
      this.#inQueue('mail', () => this.#deliver(job)),
    );
    jobs.schedule('forget-mail', '20 3 * * *', () => this.#forgetOld());
    jobs.schedule('release-mails', hasDueMails, () => this.releaseDue());
  }

  async enqueue(transaction: Kysely<unknown> | undefined, mail: NewMail, origin: MailOrigin) {
    const [id] = transaction
      ? await this.enqueueAll(transaction, [mail], origin)
      : await this.#parts.db.transaction().execute((own) => this.enqueueAll(own, [mail], origin));
    return id;
  }

  async forecast(
    through: Kysely<unknown>,
    sender: MailSender,
    count: number,
    { at = this.#parts.clock(), until }: { at?: Temporal.Instant; until?: Temporal.Instant | undefined } = {},
  ): Promise<Forecast> {
    const budget = await readBudget(through, sender, this.#parts.perDay, at);
    const latest = until?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
    return forecastOf(budget, count, at.epochMilliseconds, latest);
  }

  stopReasonOf(through: Kysely<unknown>, sender: string): Promise<StopReason | undefined> {
    return stopReasonOf(through, sender);
  }

  areVisitorsSlowed(through: Kysely<unknown>, sender: string): Promise<boolean> {
    return areVisitorsRefused(through, sender, this.#parts.clock());
  }

  withdraw(transaction: Kysely<unknown>, ids: readonly string[]): Promise<string[]> {
    return withdrawMessages(transaction, 'mails', ids, (id) =>
      this.#settle(transaction, id, 'unknown', { code: 'withdrawn' }),
    );
  }

  async idsOf(through: Kysely<unknown>, keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const { rows } = await sql<{ id: string }>`
      select id from mails where key = any(${[...keys]}::text[])`.execute(through);
    return rows.map(({ id }) => id);
  }

  async reports(through: Kysely<unknown>, ids: readonly string[]): Promise<MailReport[]> {
    if (ids.length === 0) return [];
    const { rows } = await sql<Omit<MailReport, 'waits_until'> & { waits_until: Date | null }>`
      select id, key, status, problem, case when waits then due_at end as waits_until
      from mails where id = any(${[...ids]}::uuid[])`.execute(through);
    return rows.map((row) => ({ ...row, waits_until: row.waits_until?.toISOString() ?? null }));
  }

  tally(through: Kysely<unknown>, selection: RawBuilder<unknown>): Promise<StatusCount<MailStatus>[]> {
    return countByStatus(through, 'mails', selection);
  }

  refused(through: Kysely<unknown>, beginnings: RawBuilder<unknown>): Promise<RefusedMessage[]> {
    return findRefused(through, 'mails', beginnings);
  }

  async recordBounce(id: string, { status, isPermanent }: Bounce): Promise<void> {
    if (!isPermanent) return;
    const problem: MailProblem = { code: 'bounced', status };
    const refused = await this.#refusals.record(this.#parts.db, problem, async (transaction) => {
      const { rows } = await sql<{ key: string | null }>`
        update mails set status = 'refused', problem = ${JSON.stringify(problem)}::jsonb
        where id = ${id} and status in ('sent', 'unknown') returning key`.execute(transaction);
      return rows;
    });
    if (refused > 0) await this.#stopIfRefusedTooOften(id);
  }

  followRefusals(follower: RefusalFollower): void {
    this.#refusals.add(follower);
  }

  close(): void {
    this.#parts.transport.close();
  }

  /** Queues mails in the transaction of the caller. */
  async enqueueAll(
    transaction: Kysely<unknown>,
    mails: readonly NewMail[],
    origin: MailOrigin,
  ): Promise<(string | undefined)[]> {
    if (mails.length === 0) return [];
    const now = this.#parts.clock();
    const { sender, urgency } = origin;
    const topic = origin.urgency === 'service' ? null : origin.topic;
    const boxes = mails.map(({ to }) =>
      this.#parts.encryption.fingerprint(mailboxOf(to), 'mailbox').toString('hex'),
    );
    const network = this.#networkOf(origin);
    const times = await this.#timesOf(transaction, boxes, origin, network, now.epochMilliseconds);
    const isStopped =
      sender && urgency !== 'service' && (await stopReasonOf(transaction, sender.id)) !== undefined;
    const rows = mails.map((mail, index) => {
      const id = newId();
      const due = times[index] ?? Number.POSITIVE_INFINITY;
      return {
        id,
        key: mail.key ?? null,
        content: this.#parts.encryption.seal(JSON.stringify(safeContent(mail)), contextOf(id)),
        mailbox: boxes[index],
        due_at: Number.isFinite(due) ? new Date(due).toISOString() : null,
        waits: isStopped === true || due > now.epochMilliseconds,
      };
    });
    const accepted = rows.filter(({ due_at }) => due_at !== null);
    const { rows: added } = await sql<{ id: string; waits: boolean }>`
      insert into mails (id, key, content, created_at, sender, topic, urgency, network, mailbox, due_at, waits)
      select id, key, content, ${toParameter(now)}::timestamptz, ${sender?.id ?? null}, ${topic}::uuid, ${urgency},
        decode(${network ?? null}, 'hex'), decode(mailbox, 'hex'), due_at, waits
      from json_to_recordset(${JSON.stringify(accepted)}::json)
        as mail (id uuid, key text, content text, mailbox text, due_at timestamptz, waits boolean)
      on conflict (key) do nothing returning id, waits`.execute(transaction);
    const ids = new Set(added.map(({ id }) => id));
    const ready = added.filter(({ waits }) => !waits).map(({ id }) => ({ id }));
    if (ready.length > 0) await this.#queue.sendAll(ready, { transaction });
    return rows.map(({ id }) => (ids.has(id) ? id : undefined));
  }

  /** Fingerprint of the network from which a mail was requested. Networks are counted for each sender apart. */
  #networkOf(origin: MailOrigin): string | undefined {
    if (origin.urgency !== 'requested' || origin.network === undefined) return undefined;
    const context = `network of mails of ${origin.sender.id}`;
    return this.#parts.encryption.fingerprint(origin.network, context).toString('hex');
  }

  async #requestedTimes(db: Kysely<unknown>, sender: MailSender, now: Temporal.Instant): Promise<Times> {
    const budget = await readBudget(db, sender, this.#parts.perDay, now);
    return requestedTimes(budget, now.epochMilliseconds, await areVisitorsRefused(db, sender.id, now));
  }

  /**
   * Times at which mails to these mailboxes can be sent, in milliseconds; undefined for a mail that would be sent too
   * late, or that a network requests for which too many mails were refused, so that it is not accepted.
   */
  async #timesOf(
    transaction: Kysely<unknown>,
    boxes: readonly string[],
    origin: MailOrigin,
    network: string | undefined,
    now: number,
  ): Promise<(number | undefined)[]> {
    if (origin.urgency === 'service' || origin.urgency === 'cancellation') return boxes.map(() => now);
    const { sender, topic, urgency, until } = origin;
    await lockSender(transaction, sender.id);
    const at = Temporal.Instant.fromEpochMilliseconds(now);
    if (network && (await areVisitorsRefused(transaction, sender.id, at, network)))
      return boxes.map(() => undefined);
    const isRequested = urgency === 'requested';
    const times = isRequested
      ? await this.#requestedTimes(transaction, sender, at)
      : budgetTimes(await readBudget(transaction, sender, this.#parts.perDay, at), now);
    const before = await this.#mailboxTimes(transaction, boxes, isRequested ? undefined : topic, now);
    const latest = Math.min(now + LONGEST_WAIT_MS, until?.epochMilliseconds ?? Number.POSITIVE_INFINITY);
    return boxes.map((box) => {
      const others = before.get(box) ?? [];
      const free = isRequested
        ? requestedTime(others, this.#parts.pauseMs, now)
        : afterPause(others.at(-1), this.#parts.pauseMs, now);
      const time = Math.max(times.next(), free);
      if (time > latest) return undefined;
      times.take(time);
      before.set(box, [...others, time]);
      return time;
    });
  }

  /**
   * Times of the latest mails to each mailbox, in ascending order. With `topic` (an event's id) these are the sender's
   * own mails about that event, without it the mails that readers requested.
   */
  async #mailboxTimes(
    db: Kysely<unknown>,
    boxes: readonly string[],
    topic: string | undefined,
    now: number,
  ): Promise<Map<string, number[]>> {
    if (this.#parts.pauseMs === 0) return new Map();
    const since = toParameter(Temporal.Instant.fromEpochMilliseconds(now - this.#parts.pauseMs));
    const { rows } = await sql<{ box: string; times: number[] }>`
      select encode(mailbox, 'hex') as box,
        array_agg((extract(epoch from due_at) * 1000)::float8 order by due_at) as times
      from mails
      where mailbox = any(array(select decode(box, 'hex') from unnest(${[...boxes]}::text[]) box))
        and due_at > ${since} and ${topic === undefined ? sql`urgency = 'requested'` : sql`topic = ${topic} and urgency <> 'requested'`}
      group by mailbox`.execute(db);
    return new Map(rows.map(({ box, times }) => [box, times]));
  }

  async releaseDue(): Promise<void> {
    for (let released = RELEASED_AT_ONCE; released === RELEASED_AT_ONCE; ) {
      released = await this.#parts.db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ id: string }>`
          update mails set waits = false where id in (
            select id from mails where ${isReleasedBy(toParameter(this.#parts.clock()))}
            order by due_at limit ${RELEASED_AT_ONCE} for update skip locked
          ) returning id`.execute(transaction);
        if (rows.length > 0) await this.#queue.sendAll(rows, { transaction });
        return rows.length;
      });
    }
  }

  async #deliver({ data: { id }, isLastAttempt, signal }: Job<{ id: string }>): Promise<void> {
    const recordSurely = (write: () => Promise<void>) =>
      recordOutcome(write, {
        signal,
        onAway: (error) =>
          this.#parts.log.warn({ err: error, mail: id }, 'the outcome of a mail can’t be stored yet'),
      });
    if (!this.#acceptedIds.has(id)) {
      const content = await this.#startHandover(id);
      if (!content) return;
      try {
        await this.#parts.transport.deliver(id, content);
      } catch (error) {
        if (!(error instanceof MailRefused) && !isLastAttempt) {
          await recordSurely(() => requeueMessage(this.#parts.db, 'mails', id));
          throw error;
        }
        this.#parts.log.warn({ err: error, mail: id }, 'a mail could not be delivered');
        const problem = error instanceof MailRefused ? error.problem : ({ code: 'away' } as const);
        return recordSurely(async () => {
          await this.#settle(this.#parts.db, id, 'refused', problem);
          if (problem.code === 'refused') await this.#stopIfRefusedTooOften(id);
        });
      }
      this.#acceptedIds.add(id);
    }
    await recordSurely(() => this.#settle(this.#parts.db, id, 'sent', null));
    this.#acceptedIds.delete(id);
  }

  async #stopIfRefusedTooOften(id: string): Promise<void> {
    const sender = await judgeSender(this.#parts.db, id, this.#parts.clock());
    if (sender) {
      this.#parts.log.warn(
        { sender },
        'the mail of a sender is stopped: too much of it is refused (npm run senders)',
      );
    }
  }

  /**
   * Marks a mail as being handed over and returns its content, also again after a server was killed. Undefined if its
   * delivery has ended, or if it was withdrawn or is held back.
   */
  async #startHandover(id: string): Promise<MailContent | undefined> {
    const { numAffectedRows: held = 0n } = await sql`
      update mails set waits = true, status = 'queued'
      where id = ${id} and status in ('queued', 'asked') and ${isHeld}`.execute(this.#parts.db);
    if (held > 0n) return undefined;
    const { rows } = await sql<{ content: string }>`
      update mails set status = 'asked' where id = ${id} and status in ('queued', 'asked') returning content`.execute(
      this.#parts.db,
    );
    const [asked] = rows;
    return asked && JSON.parse(this.#parts.encryption.open(asked.content, contextOf(id)));
  }

  async #settle(
    through: Kysely<unknown>,
    id: string,
    status: MailStatus,
    problem: MailProblem | null,
  ): Promise<void> {
    const refusal = (status === 'refused' && problem) || undefined;
    await this.#refusals.record(through, refusal, async (transaction) => {
      const { rows } = await sql<{ key: string | null }>`
        update mails set status = ${status}, waits = false, content = null, problem = ${problem && sql`${JSON.stringify(problem)}::jsonb`},
          settled_at = ${toParameter(this.#parts.clock())}
        where id = ${id} returning key`.execute(transaction);
      return rows;
    });
  }

  async #forgetOld(): Promise<void> {
    const { db, clock } = this.#parts;
    const before = toParameter(clock().subtract(KEEP_SETTLED));
    await sql`delete from mails where settled_at < ${before}`.execute(db);
    const { rows } = await sql<{ id: string }>`
      select id from mails where waits and due_at < ${toParameter(clock().subtract(LONGEST_HELD))}`.execute(
      db,
    );
    for (const { id } of rows) await this.#settle(db, id, 'refused', { code: 'held' });
  }
}

function contextOf(id: string): string {
  return `mail:${id}`;
}

/** SQL condition: a mail (row of `mails`) waits, its time to be sent has come by `now`, and its sender is not stopped. */
function isReleasedBy(now: unknown): RawBuilder<boolean> {
  return sql`waits and due_at <= ${now} and not ${isHeld}`;
}
