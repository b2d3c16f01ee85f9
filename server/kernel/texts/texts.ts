import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { toParameter } from '../database/transaction.ts';
import { recordOutcome } from '../database/wait-for-database.ts';
import type { Encryption } from '../encryption.ts';
import { newId } from '../identifiers.ts';
import { DELIVERY, type Job, type Jobs } from '../jobs.ts';
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
import { type Carrier, NotTaken, TextRefused, type TextReport } from './carrier.ts';
import type { TextProblem } from './messages.ts';
import { TEXT_STATUSES, type TextChannel, type TextContent, type TextStatus } from './text.ts';

/** Text message that a part of the server sends by SMS or WhatsApp. */
export interface NewText {
  content: TextContent;
  /** Key that the caller gives this text message: a second message with the same key is not sent. */
  key: string;
}

export interface Texts {
  /** Description, for the operator, of each channel that is set up: where its text messages go. */
  channels: Readonly<Partial<Record<TextChannel, string>>>;
  /**
   * Queues texts, which are sent when `transaction` commits; the operator pays for them on behalf of `onBehalfOf`.
   * Returns their ids in the texts' order; undefined for a text that exists already, or that exceeds the daily maximum.
   */
  enqueueAll(
    transaction: Kysely<unknown>,
    onBehalfOf: string,
    texts: readonly NewText[],
  ): Promise<(string | undefined)[]>;
  /**
   * Withdraws text messages that are not sent yet, when `transaction` commits. Returns the ids of the messages that
   * certainly won't be sent. A message that is being handed over at that moment may still be sent, but is not tried
   * again.
   */
  withdraw(transaction: Kysely<unknown>, ids: readonly string[]): Promise<string[]>;
  /** Statuses of text messages, as visible through `db`; messages older than 90 days are no longer stored. */
  reports(db: Kysely<unknown>, ids: readonly string[]): Promise<TextReport[]>;
  /**
   * Counts texts by their status and by their owner, such as a round: the query `selection` gives pairs of owner (`of`)
   * and text (`id`).
   */
  tally(db: Kysely<unknown>, selection: RawBuilder<unknown>): Promise<StatusCount<TextStatus>[]>;
  /**
   * Finds refused texts by the beginnings of their keys (a caller's own names for its texts). The query `beginnings`
   * gives the beginnings (`start`).
   */
  refused(db: Kysely<unknown>, beginnings: RawBuilder<unknown>): Promise<RefusedMessage[]>;
  /** Registers a follower of texts that were refused. */
  followRefusals(follower: RefusalFollower): void;
  /**
   * Stores carriers' reports about texts. A status that comes later in TEXT_STATUSES is not replaced by an earlier one.
   */
  report(reports: readonly TextReport[]): Promise<void>;
}

export interface TextParts {
  db: Kysely<unknown>;
  jobs: Jobs;
  encryption: Encryption;
  carriers: Readonly<Partial<Record<TextChannel, Carrier>>>;
  /** Maximum number of text messages on behalf of one organizer within 24 hours. */
  perDay: number;
  clock: Clock;
  log: Logger;
}

const RETENTION = { hours: 24 * 90 };
const DAY = { hours: 24 };

/** SQL for the position of a text message's status in `TEXT_STATUSES`. */
const rank = (status: ReturnType<typeof sql>) =>
  sql`array_position(${sql.val([...TEXT_STATUSES])}::text[], ${status}::text)`;

/**
 * Makes the queue of texts, which consists of durable jobs. Carriers can't recognise a text that they get twice, so
 * each is handed over once: if a server is killed or the connection breaks before the response, the text is `unknown`
 * until the carrier reports about it.
 */
export function createTexts({ db, jobs, encryption, carriers, perDay, clock, log }: TextParts): Texts {
  const queue = jobs.queue<{ id: string }>('texts', DELIVERY, deliver);
  const refusals = new RefusalFollowers();
  jobs.schedule('forget-texts', '25 3 * * *', async () => {
    await sql`delete from texts where created_at < ${toParameter(clock().subtract(RETENTION))}`.execute(db);
  });

  return {
    channels: Object.fromEntries(
      Object.entries(carriers).map(([channel, { destination }]) => [channel, destination]),
    ),

    async enqueueAll(transaction, onBehalfOf, texts) {
      if (texts.length === 0) return [];
      // Locks the organizer's daily maximum of text messages, so that two transactions at the same time can't both use
      // what is left of it.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`texts ${onBehalfOf}`}, 0))`.execute(
        transaction,
      );
      const since = toParameter(clock().subtract(DAY));
      const { rows: counted } = await sql<{ sent: number }>`
        select count(*)::integer as sent from texts
        where on_behalf_of = ${onBehalfOf} and created_at > ${since}`.execute(transaction);
      const left = Math.max(0, perDay - (counted[0]?.sent ?? 0));
      const rows = texts.slice(0, left).map(({ content, key }) => {
        const id = newId();
        return { id, key, channel: content.channel, content: sealed(id, content) };
      });
      const { rows: added } = await sql<{ id: string }>`
        insert into texts (id, key, channel, on_behalf_of, content, created_at)
        select id, key, channel, ${onBehalfOf}, content, ${toParameter(clock())}::timestamptz
        from json_to_recordset(${JSON.stringify(rows)}::json) as text (id uuid, key text, channel text, content text)
        on conflict (key) do nothing returning id`.execute(transaction);
      if (added.length > 0) await queue.sendAll(added, { transaction });
      const ids = new Set(added.map(({ id }) => id));
      return texts.map((_, index) => {
        const id = rows[index]?.id;
        return id !== undefined && ids.has(id) ? id : undefined;
      });
    },

    withdraw: (transaction, ids) =>
      withdrawMessages(transaction, 'texts', ids, (id) =>
        settle(transaction, id, 'unknown', { code: 'withdrawn' }),
      ),

    async reports(through, ids) {
      if (ids.length === 0) return [];
      const { rows } = await sql<TextReport>`
        select id, status, problem from texts where id = any(${[...ids]}::uuid[])`.execute(through);
      return rows;
    },

    tally: (through, selection) => countByStatus(through, 'texts', selection),
    refused: (through, beginnings) => findRefused(through, 'texts', beginnings),
    followRefusals: (follower) => refusals.add(follower),

    async report(reports) {
      for (const { id, status, problem } of reports) await settle(db, id, status, problem);
    },
  };

  async function deliver({ data: { id }, isLastAttempt, signal }: Job<{ id: string }>): Promise<void> {
    const recordSurely = (write: () => Promise<void>) =>
      recordOutcome(write, {
        signal,
        onAway: (error) => log.warn({ err: error, text: id }, 'the outcome of a text can’t be stored yet'),
      });
    const settleSurely = (status: TextStatus, problem: TextProblem | null) =>
      recordSurely(() => settle(db, id, status, problem));
    const content = await startHandover(id);
    if (!content) return settle(db, id, 'unknown', { code: 'no_answer' });
    try {
      const carrier = carriers[content.channel];
      if (!carrier) throw new NotTaken(`no carrier of ${content.channel} is set up any more`);
      await carrier.deliver(id, content);
    } catch (error) {
      if (error instanceof NotTaken && !isLastAttempt) {
        await recordSurely(() => requeueMessage(db, 'texts', id));
        throw error;
      }
      log.warn({ err: error, text: id }, 'a text could not be delivered');
      if (error instanceof TextRefused) return settleSurely('refused', error.problem);
      if (error instanceof NotTaken) return settleSurely('refused', { code: 'away' });
      return settleSurely('unknown', { code: 'no_answer' });
    }
    await settleSurely('sent', null);
  }

  /**
   * Marks a text as being handed over and returns its content; undefined if another server has already begun to hand it
   * over (and was perhaps killed).
   */
  async function startHandover(id: string): Promise<TextContent | undefined> {
    const { rows } = await sql<{ content: string }>`
      update texts set status = 'asked' where id = ${id} and status = 'queued' returning content`.execute(db);
    const [asked] = rows;
    return asked && JSON.parse(encryption.open(asked.content, contextOf(id)));
  }

  async function settle(
    through: Kysely<unknown>,
    id: string,
    status: TextStatus,
    problem: TextProblem | null,
  ): Promise<void> {
    const refusal = (status === 'refused' && problem) || undefined;
    await refusals.record(through, refusal, async (transaction) => {
      const { rows } = await sql<{ key: string | null }>`
        update texts set status = ${status}, content = null,
          problem = ${problem && sql`${JSON.stringify(problem)}::jsonb`}
        where id = ${id} and ${rank(sql`status`)} < ${rank(sql`${status}`)} returning key`.execute(
        transaction,
      );
      return rows;
    });
  }

  function sealed(id: string, content: TextContent): string {
    return encryption.seal(JSON.stringify(content), contextOf(id));
  }
}

function contextOf(id: string): string {
  return `text ${id}`;
}
