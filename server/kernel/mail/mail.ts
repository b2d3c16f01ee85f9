import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { writeDown } from '../database/once-there.ts';
import { parameter } from '../database/transaction.ts';
import type { Encryption } from '../encryption.ts';
import { newId } from '../identifiers.ts';
import { DELIVERY, type Job, type Jobs } from '../jobs.ts';
import type { Logger } from '../log.ts';
import { type MailContent, type NewMail, safeContent } from './message.ts';
import type { MailProblem } from './messages.ts';
import { MailRefused, type Transport } from './transport.ts';

export type MailStatus = 'queued' | 'sent' | 'refused';

export interface MailReport {
  id: string;
  key: string | null;
  status: MailStatus;
  /** Why it was refused. */
  problem: MailProblem | null;
}

export interface Mail {
  /** For the operator: where mail goes. */
  destination: string;
  /**
   * Mail that goes out when `transaction` commits and not otherwise; without one, at once. A mail server that is away
   * delays it. Gives the mail's id, or undefined when a mail of the same `key` is there already.
   */
  enqueue(transaction: Kysely<unknown> | undefined, mail: NewMail): Promise<string | undefined>;
  /** Many at once, with as many statements as for one. Gives their ids in the mails' order. */
  enqueueAll(transaction: Kysely<unknown>, mails: readonly NewMail[]): Promise<(string | undefined)[]>;
  /** What became of mails, as seen through `db`; those settled more than 90 days ago are forgotten. */
  reports(db: Kysely<unknown>, ids: readonly string[]): Promise<MailReport[]>;
  close(): void;
}

export interface MailParts {
  db: Kysely<unknown>;
  jobs: Jobs;
  encryption: Encryption;
  transport: Transport;
  clock: Clock;
  log: Logger;
}

const KEEP_SETTLED = { hours: 24 * 90 };

/** Mail as durable jobs. Its content is sealed while it waits, and gone once it is settled. */
export function createMail({ db, jobs, encryption, transport, clock, log }: MailParts): Mail {
  const queue = jobs.queue<{ id: string }>('mail', DELIVERY, deliver);
  /** Which the mail server took, and the database was not told of yet: a job that is worked again must not send them again. */
  const taken = new Set<string>();
  jobs.schedule('forget-mail', '20 3 * * *', async () => {
    const before = parameter(clock().subtract(KEEP_SETTLED));
    await sql`delete from mails where settled_at < ${before}`.execute(db);
  });

  return {
    destination: transport.destination,
    async enqueue(transaction, mail) {
      const [id] = transaction
        ? await enqueueIn(transaction, [mail])
        : await db.transaction().execute((own) => enqueueIn(own, [mail]));
      return id;
    },
    enqueueAll: enqueueIn,
    async reports(through, ids) {
      if (ids.length === 0) return [];
      const { rows } = await sql<MailReport>`
        select id, key, status, problem from mails where id = any(${[...ids]}::uuid[])`.execute(through);
      return rows;
    },
    close: () => transport.close(),
  };

  async function enqueueIn(
    transaction: Kysely<unknown>,
    mails: readonly NewMail[],
  ): Promise<(string | undefined)[]> {
    const rows = mails.map((mail) => {
      const id = newId();
      const content = encryption.seal(JSON.stringify(safeContent(mail)), contextOf(id));
      return { id, key: mail.key ?? null, content };
    });
    const { rows: added } = await sql<{ id: string }>`
      insert into mails (id, key, content, created_at)
      select id, key, content, ${parameter(clock())}::timestamptz
      from json_to_recordset(${JSON.stringify(rows)}::json) as mail (id uuid, key text, content text)
      on conflict (key) do nothing returning id`.execute(transaction);
    const ids = new Set(added.map(({ id }) => id));
    if (ids.size > 0)
      await queue.sendAll(
        [...ids].map((id) => ({ id })),
        { transaction },
      );
    return rows.map(({ id }) => (ids.has(id) ? id : undefined));
  }

  async function deliver({ data: { id }, isLastAttempt, signal }: Job<{ id: string }>): Promise<void> {
    const settleSurely = (status: MailStatus, problem: MailProblem | null) =>
      writeDown(() => settle(id, status, problem), {
        signal,
        onAway: (error) =>
          log.warn({ err: error, mail: id }, 'what became of a mail can’t be written down yet'),
      });
    if (!taken.has(id)) {
      const content = await waiting(id);
      if (!content) return;
      try {
        await transport.deliver(id, content);
      } catch (error) {
        if (!(error instanceof MailRefused) && !isLastAttempt) throw error;
        log.warn({ err: error, mail: id }, 'a mail could not be delivered');
        return settleSurely('refused', error instanceof MailRefused ? error.problem : { code: 'away' });
      }
      taken.add(id);
    }
    await settleSurely('sent', null);
    taken.delete(id);
  }

  /** undefined once it is settled: a job that is worked again has nothing left to send. */
  async function waiting(id: string): Promise<MailContent | undefined> {
    const { rows } = await sql<{ content: string | null }>`
      select content from mails where id = ${id} and status = 'queued'`.execute(db);
    const sealed = rows[0]?.content;
    return sealed ? JSON.parse(encryption.open(sealed, contextOf(id))) : undefined;
  }

  async function settle(id: string, status: MailStatus, problem: MailProblem | null): Promise<void> {
    await sql`
      update mails set status = ${status}, content = null, problem = ${problem && sql`${JSON.stringify(problem)}::jsonb`},
        settled_at = ${parameter(clock())}
      where id = ${id}`.execute(db);
  }
}

function contextOf(id: string): string {
  return `mail:${id}`;
}
