import { setImmediate as breathe } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../../kernel/database/transaction.ts';
import { FieldProblem } from '../../../kernel/fields.ts';
import { isUuid, newId } from '../../../kernel/identifiers.ts';
import type { Language } from '../../../kernel/languages.ts';
import { CommonRefusal, Refusal } from '../../../kernel/refusal.ts';
import { newestLine } from '../../../kernel/writes/history.ts';
import type { EventWrite } from '../../events/write.ts';
import { listQuestions } from '../../questions/store.ts';
import { guestWithRsvp, UNANSWERED } from '../capacity/allocation.ts';
import type { EventCapacity } from '../capacity/capacity.ts';
import { promoteFromWaitingList, readCapacity } from '../capacity/waiting-list.ts';
import { guestFields, NO_DETAILS } from '../fields.ts';
import { messages } from '../messages.ts';
import { type GuestRow, guestColumns, storedGuestOf } from '../rows.ts';
import { type WarnedGuest, warningsOf } from '../warnings.ts';
import type { ImportReport, ImportRow } from './contract.ts';
import { normalizeName } from './names.ts';
import {
  DecisionNeeded,
  ImportPlan,
  type ImportStep,
  isReachable,
  type ListedGuest,
  MOST_NAMESAKES,
  type NamedGuests,
} from './plan.ts';
import type { ReadRow, SheetGuest } from './read.ts';
import { type ImportOptions, importReportOf, type PlacedRow } from './report.ts';
import { addCells, fileToCorrect } from './rows-to-correct.ts';
import type { Table } from './table.ts';

/*
 * Steps of an import:
 *
 *   file → sheets/ (csv.ts, xlsx.ts, ods.ts, vcard.ts) → sheets with their rows and cells (SheetRow)
 *        → lists.ts, layout.ts: the lists of guests within the sheets, their headings and columns (GuestList)
 *        → read.ts, record.ts, in a worker thread: a guest for each row, or a complaint (ReadRow); all of them: Table
 *        → plan.ts: for each row create, update, keep or skip the guest, or ask the organizer
 *        → importer.ts: a draft with the staged rows, made without a lock; checked and written under the event's lock
 *        → report.ts: the report
 */

/**
 * Number of rows processed between two pauses for other requests. Their guests are read with one query, so no more
 * guests are in memory.
 */
const BATCH = 500;
/**
 * Number of changed guests up to which a draft is compared with the changes made since. If more guests have changed,
 * the draft is made again.
 */
const MOST_COMPARED = 1_000;

/**
 * Plan of an import, with the rows to write staged. It is based on the event as it was after the history line `line`.
 * Disposing of it clears the staging.
 */
export interface ImportDraft extends Planned, AsyncDisposable {
  line: number;
  staging: Staging;
}

interface Planned {
  rows: PlacedRow[];
  /** Rows that are not imported, as a file to correct, if the request asks for it. */
  toMend: ImportReport['to_mend'];
  /** True if the import frees places for the waiting list. */
  freed: boolean;
  given: Given;
  /** Ids of the guests whom the file names. */
  named: ReadonlySet<string>;
  hasSameResultWith(capacity: EventCapacity): boolean;
}

/** Plans an import for the event's current state and stages the rows to write. Takes no lock. */
export async function draftImport(
  db: Kysely<unknown>,
  eventId: string,
  table: Table,
  options: ImportOptions,
  now: Temporal.Instant,
): Promise<ImportDraft> {
  // The history line is read first: a later change gets a higher number, so the draft never misses one.
  const line = await newestLine(db, eventId);
  const staging = openStaging(db);
  // Rows that can't be cleared now are deleted later, by `deleteStaleStaging`.
  const done = () => staging.clear().catch(() => {});
  try {
    const planned = await planOf(db, eventId, table, options, now, staging);
    return { line, staging, ...planned, [Symbol.asyncDispose]: done };
  } catch (error) {
    await done();
    throw error;
  }
}

/** Plans an import for the event's current state and writes nothing. */
export async function dryRunImport(
  db: Kysely<unknown>,
  eventId: string,
  table: Table,
  options: ImportOptions,
  now: Temporal.Instant,
): Promise<ImportReport> {
  const { rows, toMend } = await planOf(db, eventId, table, options, now);
  return importReportOf(rows, table, options, true, toMend);
}

/**
 * Imports a table of guests into an event. Either all rows are written or, if one is refused or needs a decision,
 * none; the refusal then carries the report. With `skip` the other rows are written anyway. The draft was made
 * without the lock; if the event has changed since in a way that matters to it, it is made again under the lock.
 */
export async function importGuests(
  write: EventWrite,
  table: Table,
  options: ImportOptions,
  draft: ImportDraft,
): Promise<ImportReport> {
  const { transaction, event, now, note } = write;
  const holds = await stillHolds(transaction, event.id, draft);
  const { staging, rows, freed, toMend } = holds
    ? draft
    : await draftImport(transaction, event.id, table, options, now);
  const report = importReportOf(rows, table, options, false, toMend);
  if (options.onProblem === 'refuse' && report.refused + report.asked > 0) {
    throw new Refusal(400, 'rows_refused', messages.rowsRefused(report.refused + report.asked), {
      body: { import: { ...report, rows: report.rows.map(asPlanned) } },
    });
  }
  const written =
    (report.created > 0 ? await insertStaged(transaction, event.id, staging.id, now) : 0n) +
    (report.updated > 0 ? await updateStaged(transaction, staging.id, now) : 0n);
  // Staged rows are lost when PostgreSQL crashes, as their table is unlogged.
  if (written !== BigInt(report.created + report.updated)) throw new CommonRefusal(503, 'unavailable');
  if (!holds) await staging.clear();
  if (freed) await promoteFromWaitingList(write);
  if (report.created + report.updated > 0) {
    note('guest', null, 'imported', {
      created: { from: null, to: report.created },
      updated: { from: null, to: report.updated },
    });
  }
  return report;
}

/** True if a draft made now would be the same. */
async function stillHolds(db: Kysely<unknown>, eventId: string, draft: ImportDraft): Promise<boolean> {
  const { rows } = await sql<{ subject: string; id: string | null }>`
    select distinct subject, subject_id as id from history
    where event_id = ${eventId} and id > ${draft.line} and subject in ('guest', 'question')
    limit ${MOST_COMPARED + 1}`.execute(db);
  // A changed question may no longer accept its stored answers.
  if (rows.some(({ subject }) => subject === 'question')) return false;
  const ids = rows.map(({ id }) => id).filter((id) => id !== null);
  if (ids.length < rows.length || ids.length > MOST_COMPARED || ids.some((id) => draft.named.has(id)))
    return false;
  const { rows: changed } = await sql<{ name: string; phone: string | null; email: string | null }>`
    select name, phone, email from guests where id = any(${ids}::uuid[])`.execute(db);
  const { keys, names } = draft.given;
  const isGiven = (key: string | null) => key !== null && keys.has(key);
  if (
    changed.some(
      ({ name, phone, email }) => isGiven(phone) || isGiven(email) || names.has(normalizeName(name)),
    )
  )
    return false;
  return draft.hasSameResultWith(await readCapacity(db, eventId));
}

/** Leaves out the ids of new guests, which do not exist if the import is refused. */
function asPlanned({ guest_id, ...row }: ImportRow): ImportRow {
  return row.action === 'create' || guest_id === undefined ? row : { ...row, guest_id };
}

/** Step that writes a guest. */
type Changing = Extract<ImportStep, { action: 'create' | 'update' }>;
/** Step with the id of the guest that it writes. */
type Written = Changing & { id: string };

/** Guest after the step. */
function afterStep(step: Changing): WarnedGuest {
  const { details, answer } = step;
  return step.action === 'create'
    ? { ...UNANSWERED, ...step.details, ...answer }
    : { ...step.guest, ...details, ...answer };
}

/** Plans the import of a table. Rows to write go to `staging`; without it none are staged. */
async function planOf(
  db: Kysely<unknown>,
  eventId: string,
  table: Table,
  { describe, decisions, onProblem, language }: ImportOptions,
  now: Temporal.Instant,
  staging?: Staging,
): Promise<Planned> {
  const warn: Warn = (step) => warningsOf({ guest: afterStep(step), short: step.short }, language)[0];
  const plan = new ImportPlan(
    await readCapacity(db, eventId),
    now,
    decisions,
    await listQuestions(db, eventId),
  );
  const { rows: read } = table;
  const given = givenIn(read);
  const named = await findNamed(db, eventId, given);
  const ids = new Set<string>();
  const rows: PlacedRow[] = [];
  let refused = false;
  for (let from = 0; from < read.length; from += BATCH) {
    const batch = read.slice(from, from + BATCH);
    const whose = batch.map(({ guest }) => ('details' in guest ? idsOf(guest, named) : {}));
    for (const id of whose.flatMap(idsIn)) ids.add(id);
    const known = await findKnown(db, eventId, whose);
    const of = (id: string | undefined) => known.get(id ?? '');
    const written: Written[] = [];
    for (const [index, one] of batch.entries()) {
      const { byId, byPhone, byEmail, byName = [] } = whose[index] ?? {};
      const namesakes = byName.map(of).filter((guest) => guest !== undefined);
      const guests = { byId: of(byId), byPhone: of(byPhone), byEmail: of(byEmail), byName: namesakes };
      const ref = table.referenceOf(one);
      const step = stepOf(plan, ref, one, guests);
      const isWritten = 'action' in step && (step.action === 'create' || step.action === 'update') && staging;
      const done = isWritten ? { ...step, id: step.action === 'create' ? newId() : step.guest.id } : step;
      if ('id' in done) written.push(done);
      const line =
        'action' in done ? lineOf(done, warn) : refusedLine(one.name, done, decisions.skips(ref), describe);
      refused ||= line.action === 'refuse' || line.action === 'ask';
      rows.push({
        place: one,
        placeTags: one.guest.placeTags ?? [],
        line: {
          row: one.row,
          ref,
          list: one.list,
          ...line,
          ...familySizeIn(one, done),
          ...noticesOf(one, language),
        },
      });
    }
    // Staging ends with the first refused row if on_problem is `refuse`, as nothing will be written then.
    if (!refused || onProblem === 'skip') await staging?.put(written);
    await breathe();
  }
  const left =
    onProblem === 'skip'
      ? { rows, toMend: await fileToCorrect(rows, table, language) }
      : { rows: await addCells(rows, table), toMend: undefined };
  return {
    ...left,
    freed: plan.freed,
    given,
    named: ids,
    hasSameResultWith: (capacity) => plan.hasSameResultWith(capacity),
  };
}

/** Number of people of a family whose row says none, as the organizer told it. */
function familySizeIn({ guest }: ReadRow, step: ImportStep | FieldProblem | Refusal): Partial<ImportRow> {
  const isUncounted = 'details' in guest && guest.isUncounted;
  return isUncounted && 'action' in step && step.action === 'create'
    ? { family_size: step.details.party_size }
    : {};
}

/** Step for a row, or the reason why it is refused. */
function stepOf(
  plan: ImportPlan,
  ref: string,
  { guest }: ReadRow,
  named: NamedGuests,
): ImportStep | FieldProblem | Refusal {
  try {
    if (!('details' in guest)) throw new FieldProblem(guest.field, guest.complaint);
    return plan.step(ref, guest, named);
  } catch (error) {
    if (error instanceof FieldProblem || error instanceof Refusal) return error;
    throw error;
  }
}

/** Notices about a row of any result: a number of people read from its name, and cells that can't be read. */
function noticesOf({ fromName, unread }: ReadRow, language: Language): Partial<ImportRow> {
  return {
    ...(fromName && { from_name: { written: fromName.written, party_size: fromName.people } }),
    // This warning outweighs others: a missing phone number matters more than the rest.
    ...(unread && { warning: { code: 'unread', message: messages.unread(unread)[language] } }),
  };
}

type Warn = (step: Changing) => ImportRow['warning'];
type Line = Omit<ImportRow, 'row' | 'ref' | 'list'>;

function lineOf(step: ImportStep | Written, warn: Warn): Line {
  const { action } = step;
  if (action === 'skip')
    return { action, name: step.name, ...(step.looksLike && { looks_like: step.looksLike }) };
  if (action === 'keep') return { action, name: step.guest.name, guest_id: step.guest.id };
  const warning = warn(step);
  if (action === 'create') {
    const added = 'id' in step && { guest_id: step.id };
    return { action, name: step.details.name, ...added, ...(warning && { warning }) };
  }
  const { id, name } = step.guest;
  const fields = [...Object.keys(step.details), ...('rsvp_status' in step.answer ? ['rsvp_status'] : [])];
  const renamed = step.details.name !== undefined && { new_name: step.details.name };
  return { action, name, guest_id: id, fields, ...renamed, ...(warning && { warning }) };
}

function refusedLine(
  name: string,
  problem: FieldProblem | Refusal,
  isSkipped: boolean,
  describe: ImportOptions['describe'],
): Line {
  if (isSkipped) return { action: 'skip', name };
  if (!(problem instanceof DecisionNeeded)) return { action: 'refuse', name, ...describe(problem) };
  const { looksLike } = problem;
  return { action: 'ask', name, ...(looksLike && { looks_like: looksLike }), ...describe(problem) };
}

/** Values in the file by which guests are found. */
interface Given {
  /** Phone numbers and email addresses in the file. */
  keys: ReadonlySet<string>;
  /** Normalized names in the file. */
  names: ReadonlySet<string>;
}

function givenIn(read: readonly ReadRow[]): Given {
  const guests = read.flatMap(({ guest }) => ('details' in guest ? [guest] : []));
  const keys = guests.flatMap(({ details: { phone, email } }) => [phone, email]);
  return {
    keys: new Set(keys.filter((key) => typeof key === 'string')),
    names: new Set(guests.map(({ form }) => form).filter((form) => form !== '')),
  };
}

interface NamedBy {
  /** Guest ids by phone number and email address. */
  byKey: ReadonlyMap<string, string>;
  byName: ReadonlyMap<string, readonly { id: string; isReachable: boolean }[]>;
}

/**
 * Finds the guests whom the file names by phone, email or name. These columns of all guests are read once and
 * compared here: after a recent import the database's statistics are out of date, and it would plan a join that
 * compares each guest with each row.
 */
async function findNamed(db: Kysely<unknown>, eventId: string, { keys, names }: Given): Promise<NamedBy> {
  const { rows } = await sql<Pick<GuestRow, 'id' | 'name' | 'phone' | 'email'>>`
    select id, name, phone, email from guests where event_id = ${eventId}`.execute(db);
  const byKey = new Map<string, string>();
  const byName = new Map<string, { id: string; isReachable: boolean }[]>();
  for (const [index, guest] of rows.entries()) {
    const { id, name, phone, email } = guest;
    for (const key of [phone, email]) if (key !== null && keys.has(key)) byKey.set(key, id);
    const form = normalizeName(name);
    if (names.has(form)) {
      const one = { id, isReachable: isReachable(guest) };
      const namesakes = byName.get(form) ?? [];
      const comparable = namesakes.filter((other) => other.isReachable === one.isReachable);
      if (comparable.length < MOST_NAMESAKES) byName.set(form, [...namesakes, one]);
    }
    if (index % BATCH === BATCH - 1) await breathe();
  }
  return { byKey, byName };
}

/** Ids of the guests whom a row names. */
interface Whose {
  byId?: string | undefined;
  byPhone?: string | undefined;
  byEmail?: string | undefined;
  byName?: readonly string[];
}

function idsIn({ byId, byPhone, byEmail, byName = [] }: Whose): string[] {
  return [byId, byPhone, byEmail, ...byName].filter((id) => id !== undefined);
}

/** Finds the guests whom a row names. A guest with the same name counts only if no phone or email tells the two apart. */
function idsOf({ id, details, form }: SheetGuest, { byKey, byName }: NamedBy): Whose {
  const { phone, email } = details;
  const found = { byId: id?.toLowerCase(), byPhone: byKey.get(phone ?? ''), byEmail: byKey.get(email ?? '') };
  const namesakes = byName.get(form) ?? [];
  const like = namesakes
    .filter(({ isReachable }) => !(isReachable && (phone || email)))
    .slice(0, MOST_NAMESAKES);
  return { ...found, byName: like.map(({ id: own }) => own) };
}

/** Reads the guests whom some rows name, by their ids. */
async function findKnown(
  db: Kysely<unknown>,
  eventId: string,
  whose: readonly Whose[],
): Promise<ReadonlyMap<string, ListedGuest>> {
  const ids = [...new Set(whose.flatMap(idsIn).filter(isUuid))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<GuestRow>`
    select ${guestColumns} from guests where id = any(${ids}::uuid[]) and event_id = ${eventId}`.execute(db);
  return new Map(rows.map((row) => [row.id, guestWithRsvp(storedGuestOf(row))]));
}

/** Columns that an import writes, with their types. */
const FIELDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(guestFields).map(([field, { column }]) => [field, column])),
  rsvp_status: 'text',
  maybe: 'boolean',
  coming: 'integer',
  coming_children: 'integer',
  waiting_since: 'timestamptz',
  waiting_order: 'integer',
  answered_at: 'timestamptz',
  answered_via: 'text',
};
/** List of these columns, each formatted for a place in a statement. */
const eachField = (form: (field: string, type: string) => string) =>
  sql.raw(
    Object.entries(FIELDS)
      .map(([field, type]) => form(field, type))
      .join(', '),
  );
const fieldNames = eachField((field) => field);
const fieldTypes = eachField((field, type) => `${field} ${type}`);

/** Default values of a new guest's columns; the other columns are null. */
const UNSAID: Readonly<Record<string, unknown>> = {
  ...NO_DETAILS,
  rsvp_status: 'pending',
  maybe: false,
  coming: 0,
  coming_children: 0,
};
const isUnsaid = (field: string, value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : value === (UNSAID[field] ?? null);
const saidOrUnsaid = sql.join(
  Object.entries(FIELDS).map(([field, type]) => {
    const unsaid = UNSAID[field] ?? null;
    return unsaid === null
      ? sql.ref(field)
      : sql`coalesce(${sql.ref(field)}, ${toParameter(unsaid)}::${sql.raw(type)})`;
  }),
);

/** Values of the row: all of them for a new guest, only the changed ones for a guest who is already on the list. */
function rowOf({ action, id, details, answer }: Written): object {
  const values = Object.entries({ ...details, ...answer })
    .filter(([field, value]) => field in FIELDS && (action === 'update' || !isUnsaid(field, value)))
    .map(([field, value]) => [field, toParameter(value)] as const);
  return { id, ...Object.fromEntries(values) };
}

type Staging = ReturnType<typeof openStaging>;

/** Staging table of one import. It holds the guests as they will be until all of them are written at once. */
function openStaging(db: Kysely<unknown>) {
  const id = newId();
  const jsonOf = (steps: readonly Written[], action: Written['action']): string =>
    JSON.stringify(steps.filter((step) => step.action === action).map(rowOf));
  return {
    id,

    async put(steps: readonly Written[]): Promise<void> {
      if (steps.length === 0) return;
      // Columns without a value keep the stored guest's values.
      await sql`
        insert into staged_guests (import_id, is_new, id, ${fieldNames})
        select ${id}::uuid, true, id, ${saidOrUnsaid}
        from json_to_recordset(${jsonOf(steps, 'create')}::json) as given (id uuid, ${fieldTypes})
        union all
        select ${id}::uuid, false, filled.id, ${eachField((field) => `filled.${field}`)}
        from json_array_elements(${jsonOf(steps, 'update')}::json) as given (guest)
        join guests stored on stored.id = (given.guest ->> 'id')::uuid
        cross join lateral json_populate_record(stored, given.guest) as filled`.execute(db);
    },

    async clear(): Promise<void> {
      await sql`delete from staged_guests where import_id = ${id}`.execute(db);
    },
  };
}

/** Deletes staged rows of imports whose server stopped before clearing them. No import takes an hour. */
export async function deleteStaleStaging(db: Kysely<unknown>): Promise<void> {
  await sql`delete from staged_guests where staged_at < clock_timestamp() - interval '1 hour'`.execute(db);
}

async function insertStaged(
  db: Kysely<unknown>,
  eventId: string,
  importId: string,
  now: Temporal.Instant,
): Promise<bigint> {
  const { numAffectedRows } = await sql`
    insert into guests (id, event_id, ${fieldNames}, created_at, updated_at)
    select id, ${eventId}::uuid, ${fieldNames}, ${toParameter(now)}::timestamptz, ${toParameter(now)}::timestamptz
    from staged_guests where import_id = ${importId} and is_new`.execute(db);
  return numAffectedRows ?? 0n;
}

async function updateStaged(db: Kysely<unknown>, importId: string, now: Temporal.Instant): Promise<bigint> {
  const { numAffectedRows } = await sql`
    update guests set ${eachField((field) => `${field} = staged.${field}`)}, updated_at = ${toParameter(now)}::timestamptz
    from staged_guests staged
    where staged.import_id = ${importId} and not staged.is_new and guests.id = staged.id`.execute(db);
  return numAffectedRows ?? 0n;
}
