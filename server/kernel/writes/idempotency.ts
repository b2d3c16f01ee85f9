import type { IncomingHttpHeaders } from 'node:http';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { toParameter } from '../database/transaction.ts';
import type { Encryption } from '../encryption.ts';
import { FieldProblem } from '../fields.ts';
import { CommonRefusal } from '../refusal.ts';

/** Successful response to a request, before it is sent. */
export interface Done<T> {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: T;
  /** Id of the record that the response is about, by which `forgetAnswersAbout` deletes the stored response. */
  about?: string;
  /** True if the response's body contains a secret, so that it is stored encrypted. */
  secret?: boolean;
  /**
   * Called after the request's commit, for effects outside of the database. Not called if a stored response is
   * repeated.
   */
  after?(): void | Promise<void>;
}

/** Owner of an `Idempotency-Key`: a caller of the API. Each kind of caller has its own prefix in `id`. */
export interface KeyOwner {
  id: string;
  /**
   * Throws if the caller has lost access. Called before a stored response is repeated, because `work`, which otherwise
   * checks access, does not run then.
   */
  checkAccess(db: Kysely<unknown>): Promise<unknown>;
}

/**
 * Owner of an `Idempotency-Key` on routes that need no further check of access: their hooks have checked it, or a valid
 * credential is enough.
 */
export function alreadyAdmitted(id: string): KeyOwner {
  return { id, checkAccess: async () => {} };
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

interface StoredAnswer<T> extends Pick<Done<T>, 'status' | 'headers' | 'body'> {
  fingerprint: string;
}

/** Number of hours for which a response is stored under its `Idempotency-Key`. */
export const ANSWER_HOURS = 24;
const LONGEST_KEY = 255;

export type TransactOnce = ReturnType<typeof createTransactOnce>;

/**
 * Creates `transactOnce`, which honours a POST's `Idempotency-Key`: the writes of `work` and its answer are one commit,
 * so that the same key of the same caller gets the same answer for 24 hours, from every server and after a crash.
 * Another body is a 422, a key whose first request is still running a 409. Failures are not stored: after a correction,
 * the same key may be used again.
 *
 * `work` must do everything through the `db` it receives, including sending jobs. Effects outside of the database
 * belong into `after` or a job. Answers are stored as they are; those with a secret are encrypted.
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

  /**
   * Fingerprint of a request, made with a secret key: a body may contain a password, which a reader of the database
   * could guess from a plain digest.
   */
  const fingerprintOf = ({ method, url }: Request, contents: unknown): string =>
    encryption
      .fingerprint(JSON.stringify([method, url, contents ?? null]), 'idempotent request')
      .toString('base64url');

  const findAnswer = async <T>(
    transaction: Kysely<unknown>,
    id: Id,
    now: Temporal.Instant,
  ): Promise<StoredAnswer<T> | undefined> => {
    const { rows } = await sql<StoredAnswer<T> & { body_sealed: string | null }>`
      select fingerprint, status, headers, body, body_sealed from idempotency_keys
      where caller = ${id.caller} and key = ${id.key} and created_at > ${oldest(now)}`.execute(transaction);
    const [row] = rows;
    if (!row) return undefined;
    const { body_sealed: sealed, ...stored } = row;
    return sealed === null ? stored : { ...stored, body: JSON.parse(encryption.open(sealed, contextOf(id))) };
  };

  const storeAnswer = async (
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
      values (${sql.join([...values, open, sealed, toParameter(clock())])})
      on conflict (caller, key) do update set
        about = excluded.about, fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
        body = excluded.body, body_sealed = excluded.body_sealed, created_at = excluded.created_at`.execute(
      transaction,
    );
  };

  /**
   * Does the work of a request. If the body is a stream, `contents` (such as the digest of the body) is compared with
   * the stored request instead of the body. With an `Idempotency-Key`, `db` is the transaction. Without a key nothing
   * has to be stored, so `work` gets the plain database, for a transaction of its own (`inTransaction`) or for one
   * statement.
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
    // The `Idempotency-Key`s of running requests are also kept in this process. The database's lock works between
    // servers, but the embedded database has a single session, whose lock all requests of this server share.
    const caller = owner.id;
    const id = JSON.stringify([caller, key]);
    if (running.has(id)) throw new CommonRefusal(409, 'key_running');
    running.add(id);
    try {
      const fingerprint = fingerprintOf(request, contents);
      const { done, again, after } = await db.transaction().execute(async (transaction) => {
        await lock(transaction, id);
        const stored = await findAnswer<T>(transaction, { caller, key }, clock());
        if (stored) await owner.checkAccess(transaction);
        if (stored && stored.fingerprint !== fingerprint) throw new CommonRefusal(422, 'key_reused');
        if (stored) return { done: stored, again: true };
        const first = await work(transaction);
        await storeAnswer(transaction, { caller, key }, fingerprint, first);
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

/** Deletes the responses stored under an `Idempotency-Key` that have expired. */
export async function forgetOldAnswers(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
  await sql`delete from idempotency_keys where created_at <= ${oldest(now)}`.execute(db);
}

/**
 * Deletes responses about a record that are stored under an `Idempotency-Key`: they may contain data that has to be
 * erased.
 */
export async function forgetAnswersAbout(db: Kysely<unknown>, id: string): Promise<void> {
  await sql`delete from idempotency_keys where about = ${id}`.execute(db);
}

/**
 * Among the responses about a record that are stored under an `Idempotency-Key`, deletes those that this caller
 * received, and those that contain the id `names`.
 */
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

/** Locks an `Idempotency-Key` until the transaction ends. Throws a 409 if another request has locked it. */
async function lock(transaction: Kysely<unknown>, id: string): Promise<void> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${id}`}, 0)) as mine`.execute(
    transaction,
  );
  if (!rows[0]?.mine) throw new CommonRefusal(409, 'key_running');
}

function oldest(now: Temporal.Instant): unknown {
  return toParameter(now.subtract({ hours: ANSWER_HOURS }));
}

/** Description of the request header `Idempotency-Key`, for a route's `schema.headers`. */
export const idempotencyHeader = {
  'idempotency-key': {
    type: 'string',
    minLength: 1,
    maxLength: LONGEST_KEY,
    description:
      'A text of your choice. For 24 hours the same key with the same body gets the same answer, and nothing is done ' +
      'twice; with another body it is a 422, and while the first request is still running a 409.',
  },
} as const;
