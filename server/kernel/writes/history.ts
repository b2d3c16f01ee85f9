import { isDeepStrictEqual } from 'node:util';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toParameter } from '../database/transaction.ts';

/**
 * Author of a change of an event: an organizer, a guest by their link, or the server itself. `token` is the name of the
 * access token with which the organizer's request was sent.
 */
export type Author =
  | { kind: 'organizer'; id: string; email?: string; token?: string }
  | { kind: 'guest'; id: string }
  | { kind: 'system' };

/** Old and new values of a resource's changed fields, as the API shows them. */
export type FieldChanges = Record<string, { from: unknown; to: unknown }>;

export interface Change {
  event_id: string;
  at: Temporal.Instant;
  by: Author;
  /** Kind of the changed resource: `event`, `guest`, `booking`, … */
  subject: string;
  /** Id of the changed resource; null if the change is about many at once. */
  subject_id: string | null;
  /** Kind of the change: `created`, `changed`, `deleted`, … */
  action: string;
  changes?: FieldChanges;
}

/**
 * Adds lines to an event's history, in the transaction of the changes themselves and in their order. All statements are
 * sent at once.
 */
export async function recordChanges(transaction: Kysely<unknown>, changes: readonly Change[]): Promise<void> {
  const parts = Array.from({ length: Math.ceil(changes.length / AT_ONCE) }, (_, index) =>
    changes.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  await Promise.all(parts.map((part) => insertOf(part).execute(transaction)));
}

const AT_ONCE = 1_000;

/**
 * SQL that adds one line to an event's history if a query has a row, for the `with` of the change's own statement: `with
 * noted as (…) insert …`. `source` is what follows after `from` in the query.
 */
export function changeInsert(change: Change, source: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into history (${columns}) select ${valuesOf(change)} from ${source}`;
}

const columns = sql.raw(
  'event_id, at, actor_kind, actor_id, actor_email, actor_token, subject, subject_id, action, changes',
);

function insertOf(changes: readonly Change[]): RawBuilder<unknown> {
  const rows = changes.map((change) => sql`(${valuesOf(change)})`);
  return sql`insert into history (${columns}) values ${sql.join(rows)}`;
}

function valuesOf({ event_id, at, by, subject, subject_id, action, changes }: Change): RawBuilder<unknown> {
  const id = by.kind === 'system' ? null : by.id;
  const { email = null, token = null } = by.kind === 'organizer' ? by : {};
  return sql`
    ${event_id}::uuid, ${toParameter(at)}::timestamptz, ${by.kind}, ${id}, ${email}, ${token}, ${subject},
    ${subject_id}::uuid, ${action}, ${changes ? JSON.stringify(changes) : null}::jsonb`;
}

/** Number of the newest line of an event's history; 0 if the event has no history. */
export async function newestLine(db: Kysely<unknown>, eventId: string): Promise<number> {
  const { rows } = await sql<{ id: string | null }>`
    select max(id)::text as id from history where event_id = ${eventId}`.execute(db);
  return Number(rows[0]?.id ?? 0);
}

/**
 * Fields of a resource that differ between `before` and `after`; undefined if no field differs. Timestamps and versions
 * don't count.
 */
export function changesBetween(before: object, after: object): FieldChanges | undefined {
  const changes: FieldChanges = {};
  for (const [field, to] of Object.entries(after)) {
    if (PASSING.has(field)) continue;
    const from = (before as Record<string, unknown>)[field] ?? null;
    if (!isSame(from, to ?? null)) changes[field] = { from, to: to ?? null };
  }
  return Object.keys(changes).length > 0 ? changes : undefined;
}

/** True if two values are the same JSON. The order of an object's fields is ignored, since the database has its own. */
function isSame(from: unknown, to: unknown): boolean {
  if (from === to) return true;
  const [was, is] = [JSON.stringify(from), JSON.stringify(to)];
  return was === is || isDeepStrictEqual(JSON.parse(was), JSON.parse(is));
}

const PASSING = new Set(['created_at', 'updated_at', 'version']);
