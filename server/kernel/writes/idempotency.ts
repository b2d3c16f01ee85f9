import type { IncomingHttpHeaders } from 'node:http';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { parameter } from '../database/transaction.ts';
import type { Encryption } from '../encryption.ts';
import { FieldProblem } from '../fields.ts';
import { CommonRefusal } from '../refusal.ts';

/** A successful answer, before it is sent. */
export interface Done<T> {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: T;
  /** The id of what it tells of: with it, `forgetAnswersAbout` forgets the answer. */
  about?: string;
  /** The body carries a secret: it is kept sealed. */
  secret?: boolean;
  /** What follows once all of it is committed, outside of the database. Not called for an answer given again. */
  after?(): void | Promise<void>;
}

/** Whose an `Idempotency-Key` is. One kind of callers has a prefix in `id` that sets it apart from the others. */
export interface KeyOwner {
  id: string;
  /** Throws unless they may still ask. A kept answer is given only after it; `work` asks for itself. */
  mayStillAsk(db: Kysely<unknown>): Promise<unknown>;
}

/** For routes that have asked for access before they come to the key: by their hooks, or because the credential is all it takes. */
export function alreadyAdmitted(id: string): KeyOwner {
  return { id, mayStillAsk: async () => {} };
}

interface Id {
  caller: string;
  key: string;
}

interface Request {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body?: unknown;
}

interface Reply {
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
}

interface Kept<T> extends Pick<Done<T>, 'status' | 'headers' | 'body'> {
  fingerprint: string;
}

/** How long an answer is kept for its key. */
export const KEPT_HOURS = 24;
const LONGEST_KEY = 255;

export type TransactOnce = ReturnType<typeof createTransactOnce>;

/**
 * Gives `transactOnce`, which honours a POST's `Idempotency-Key`: what `work` writes and its answer are one commit, so that the same
 * key of the same caller gets the same answer for 24 hours, from every server and after a crash. Another body is a
 * 422, a key whose first request is still running a 409. Failures are not kept: mended, the same key may be used
 * again.
 *
 * `work` must do everything through the `db` it is given, jobs sent included. What it does outside of the database
 * belongs into `after`, or is a job. Answers are kept as they are, those that carry a secret sealed.
 *
 * @example
 * app.post('/', { schema }, (request, reply) =>
 *   transactOnce(request, reply, alreadyAdmitted(request.caller.id), async (db) => {
 *     const booking = await store.add(db, …);
 *     return { status: 201, body: { booking } };
 *   }));
 */
export function createTransactOnce(db: Kysely<unknown>, encryption: Encryption, clock: Clock) {
  const running = new Set<string>();

  /** Keyed: a body may carry a password, and a plain digest would let whoever reads the database guess it. */
  const fingerprintOf = ({ method, url }: Request, contents: unknown): string =>
    encryption
      .fingerprint(JSON.stringify([method, url, contents ?? null]), 'idempotent request')
      .toString('base64url');

  const find = async <T>(
    transaction: Kysely<unknown>,
    id: Id,
    now: Temporal.Instant,
  ): Promise<Kept<T> | undefined> => {
    const { rows } = await sql<Kept<T> & { body_sealed: string | null }>`
      select fingerprint, status, headers, body, body_sealed from idempotency_keys
      where caller = ${id.caller} and key = ${id.key} and created_at > ${oldest(now)}`.execute(transaction);
    const [row] = rows;
    if (!row) return undefined;
    const { body_sealed: sealed, ...kept } = row;
    return sealed === null ? kept : { ...kept, body: JSON.parse(encryption.open(sealed, contextOf(id))) };
  };

  const keep = async (
    transaction: Kysely<unknown>,
    id: Id,
    fingerprint: string,
    { status, headers = {}, body, about, secret = false }: Done<unknown>,
  ): Promise<void> => {
    const text = JSON.stringify(body ?? null);
    const values = [id.caller, id.key, about ?? null, fingerprint, status, JSON.stringify(headers)];
    const [open, sealed] = secret ? [null, encryption.seal(text, contextOf(id))] : [text, null];
    await sql`
      insert into idempotency_keys (caller, key, about, fingerprint, status, headers, body, body_sealed, created_at)
      values (${sql.join([...values, open, sealed, parameter(clock())])})
      on conflict (caller, key) do update set
        about = excluded.about, fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
        body = excluded.body, body_sealed = excluded.body_sealed, created_at = excluded.created_at`.execute(
      transaction,
    );
  };

  /**
   * `contents` stands for a body that is a stream: its digest, say.
   * With a key `db` is the transaction. Without one there is nothing to keep: `work` gets the plain database, for a
   * transaction of its own (`inTransaction`) or for one statement.
   */
  return async function transactOnce<T>(
    request: Request,
    reply: Reply,
    owner: KeyOwner,
    work: (db: Kysely<unknown>) => Promise<Done<T>>,
    contents: unknown = request.body,
  ): Promise<T> {
    const key = keyOf(request);
    if (key === undefined) {
      const done = await work(db);
      await done.after?.();
      return send(reply, done);
    }
    // The database tells servers apart, this the requests of one server: the embedded one has a single session.
    const caller = owner.id;
    const id = JSON.stringify([caller, key]);
    if (running.has(id)) throw new CommonRefusal(409, 'key_running');
    running.add(id);
    try {
      const fingerprint = fingerprintOf(request, contents);
      const { done, again, after } = await db.transaction().execute(async (transaction) => {
        await lock(transaction, id);
        const kept = await find<T>(transaction, { caller, key }, clock());
        if (kept) await owner.mayStillAsk(transaction);
        if (kept && kept.fingerprint !== fingerprint) throw new CommonRefusal(422, 'key_reused');
        if (kept) return { done: kept, again: true };
        const first = await work(transaction);
        await keep(transaction, { caller, key }, fingerprint, first);
        return { done: first, again: false, after: first.after };
      });
      if (again) reply.headers({ 'idempotent-replayed': 'true' });
      await after?.();
      return send(reply, done);
    } finally {
      running.delete(id);
    }
  };
}

/** Forgets the answers whose time is over. */
export async function forgetOldAnswers(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
  await sql`delete from idempotency_keys where created_at <= ${oldest(now)}`.execute(db);
}

/** Forgets the answers that tell of something: they may carry what has to be erased. */
export async function forgetAnswersAbout(db: Kysely<unknown>, id: string): Promise<void> {
  await sql`delete from idempotency_keys where about = ${id}`.execute(db);
}

/** Of those, forgets what this caller was answered, and what names somebody by their id. */
export async function forgetAnswersTo(
  db: Kysely<unknown>,
  { about, caller, names }: { about: string; caller: string; names: string },
): Promise<void> {
  await sql`
    delete from idempotency_keys
    where about = ${about} and (caller = ${caller} or strpos(body::text, ${names}) > 0)`.execute(db);
}

function send<T>(
  reply: Reply,
  { status, headers = {}, body }: Pick<Done<T>, 'status' | 'headers' | 'body'>,
): T {
  reply.code(status);
  reply.headers(headers);
  return body;
}

function keyOf({ method, headers }: Request): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || method !== 'POST') return undefined;
  if (typeof key !== 'string' || key.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(key)) {
    throw new FieldProblem('Idempotency-Key', { kind: 'key', most: LONGEST_KEY });
  }
  return key;
}

function contextOf({ caller, key }: Id): string {
  return `answer:${JSON.stringify([caller, key])}`;
}

/** Held until the transaction ends, however it ends. */
async function lock(transaction: Kysely<unknown>, id: string): Promise<void> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${id}`}, 0)) as mine`.execute(
    transaction,
  );
  if (!rows[0]?.mine) throw new CommonRefusal(409, 'key_running');
}

function oldest(now: Temporal.Instant): unknown {
  return parameter(now.subtract({ hours: KEPT_HOURS }));
}

/** For a route's `schema.headers`. */
export const idempotencyHeader = {
  'idempotency-key': {
    type: 'string',
    minLength: 1,
    maxLength: LONGEST_KEY,
    description:
      'Any text of yours. For 24 hours the same key with the same body gets the same answer, and nothing is done ' +
      'twice; with another body it is a 422, and a 409 while the first request is still running.',
  },
} as const;
