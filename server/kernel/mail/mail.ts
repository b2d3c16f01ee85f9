import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { writeDown } from '../database/once-there.ts';
import { parameter } from '../database/transaction.ts';
import type { Encryption } from '../encryption.ts';
import { createGate } from '../gate.ts';
import { newId } from '../identifiers.ts';
import { DELIVERY, type Job, type Jobs } from '../jobs.ts';
import type { Logger } from '../log.ts';
import { type RefusedMessage, refusedOf, type Tallied, tallyOf } from '../sent-messages.ts';
import { putBack, takeBack } from '../withdrawal.ts';
import { type MailContent, type NewMail, safeContent } from './message.ts';
import type { MailProblem } from './messages.ts';
import { MailRefused, MOST_AT_ONCE, type Transport } from './transport.ts';

export type MailStatus =
  | 'queued'
  /** The mail server is being asked to take it. */
  | 'asked'
  /** It was withdrawn meanwhile, and it is not known whether the mail server took it. */
  | 'unknown'
  | 'sent'
  | 'refused';

export interface MailReport {
  id: string;
  key: string | null;
  status: MailStatus;
  /** Why it was refused, or is not known. */
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
  /**
   * Takes mails back that have not gone when `transaction` commits; gives those of which it is certain. One that is being handed
   * over just then may go, and is not tried again.
   */
  withdraw(transaction: Kysely<unknown>, ids: readonly string[]): Promise<string[]>;
  /** The ids of mails by their keys, of those that are there. */
  idsOf(db: Kysely<unknown>, keys: readonly string[]): Promise<string[]>;
  /** What became of mails, as seen through `db`; those settled more than 90 days ago are forgotten. */
  reports(db: Kysely<unknown>, ids: readonly string[]): Promise<MailReport[]>;
  /** How many mails of each status there are, by what `those` says they are of: a query for `of` and `id`. */
  tally(db: Kysely<unknown>, those: RawBuilder<unknown>): Promise<Tallied<MailStatus>[]>;
  /** Of mails whose keys begin as a query for `start` says, those that did not arrive. */
  refused(db: Kysely<unknown>, beginnings: RawBuilder<unknown>): Promise<RefusedMessage[]>;
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
  const throughGate = createGate(MOST_AT_ONCE);
  const queue = jobs.queue<{ id: string }>('mail', DELIVERY, (job) =>
    throughGate('mail', () => deliver(job)),
  );
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
    withdraw: (transaction, ids) =>
      takeBack(transaction, 'mails', ids, (id) => settle(transaction, id, 'unknown', { code: 'withdrawn' })),
    async idsOf(through, keys) {
      if (keys.length === 0) return [];
      const { rows } = await sql<{ id: string }>`
        select id from mails where key = any(${[...keys]}::text[])`.execute(through);
      return rows.map(({ id }) => id);
    },
    async reports(through, ids) {
      if (ids.length === 0) return [];
      const { rows } = await sql<MailReport>`
        select id, key, status, problem from mails where id = any(${[...ids]}::uuid[])`.execute(through);
      return rows;
    },
    tally: (through, those) => tallyOf(through, 'mails', those),
    refused: (through, beginnings) => refusedOf(through, 'mails', beginnings),
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
    const surely = (write: () => Promise<void>) =>
      writeDown(write, {
        signal,
        onAway: (error) =>
          log.warn({ err: error, mail: id }, 'what became of a mail can’t be written down yet'),
      });
    if (!taken.has(id)) {
      const content = await ask(id);
      if (!content) return;
      try {
        await transport.deliver(id, content);
      } catch (error) {
        if (!(error instanceof MailRefused) && !isLastAttempt) {
          await surely(() => putBack(db, 'mails', id));
          throw error;
        }
        log.warn({ err: error, mail: id }, 'a mail could not be delivered');
        const problem = error instanceof MailRefused ? error.problem : ({ code: 'away' } as const);
        return surely(() => settle(db, id, 'refused', problem));
      }
      taken.add(id);
    }
    await surely(() => settle(db, id, 'sent', null));
    taken.delete(id);
  }

  /** What the mail server is to be asked for, also once more after a server that was killed; undefined: it is settled, or withdrawn. */
  async function ask(id: string): Promise<MailContent | undefined> {
    const { rows } = await sql<{ content: string }>`
      update mails set status = 'asked' where id = ${id} and status in ('queued', 'asked') returning content`.execute(
      db,
    );
    const [asked] = rows;
    return asked && JSON.parse(encryption.open(asked.content, contextOf(id)));
  }

  async function settle(
    through: Kysely<unknown>,
    id: string,
    status: MailStatus,
    problem: MailProblem | null,
  ): Promise<void> {
    await sql`
      update mails set status = ${status}, content = null, problem = ${problem && sql`${JSON.stringify(problem)}::jsonb`},
        settled_at = ${parameter(clock())}
      where id = ${id}`.execute(through);
  }
}

function contextOf(id: string): string {
  return `mail:${id}`;
}
