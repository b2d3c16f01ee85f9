import { setImmediate as breathe } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { parameter } from '../../../kernel/database/transaction.ts';
import { FieldProblem } from '../../../kernel/fields.ts';
import { isUuid, newId } from '../../../kernel/identifiers.ts';
import type { Language } from '../../../kernel/languages.ts';
import { CommonRefusal, Refusal } from '../../../kernel/refusal.ts';
import { newestLine } from '../../../kernel/writes/history.ts';
import type { EventWrite } from '../../events/write.ts';
import { listQuestions } from '../../questions/store.ts';
import { moveUp, readHall } from '../capacity/seating.ts';
import { type Hall, seatedOf, UNANSWERED } from '../capacity/standing.ts';
import { guestFields, NO_DETAILS } from '../fields.ts';
import type { Noted } from '../meals.ts';
import { messages } from '../messages.ts';
import { type GuestRow, guestColumns, present } from '../rows.ts';
import { warningsOf } from '../warnings.ts';
import type { ImportReport, ImportRow } from './contract.ts';
import { toMend, withCells } from './mend.ts';
import { nameForm } from './names.ts';
import { Asked, createPlan, isReachable, type Known, MOST_OF_A_NAME, type Step } from './plan.ts';
import type { ReadRow, SheetGuest } from './read.ts';
import { type ImportOptions, reportOf } from './report.ts';
import type { Table } from './table.ts';

/** Rows between one breath and the next, whose guests are looked up at once: no more of them lie in memory. */
const BATCH = 500;
/** Of so many guests it is looked up whether a draft knew them as they are now; where more have changed, it is made again. */
const MOST_COMPARED = 1_000;

/** What would become of each row, as the event stood after a line of its history. Once done with, nothing is staged. */
export interface Draft extends Planned, AsyncDisposable {
  line: number;
  staging: Staging;
}

interface Planned {
  rows: ImportRow[];
  /** The rows that are not taken, where they are to be given back. */
  toMend: ImportReport['to_mend'];
  /** Whether places come free that somebody who waits may have. */
  freed: boolean;
  given: Given;
  /** The ids of the guests whom the file names. */
  named: ReadonlySet<string>;
  wouldSeat(hall: Hall): boolean;
}

/** Plans an import as the event stands now and stages what is to be written; locks nothing. */
export async function draftImport(
  db: Kysely<unknown>,
  eventId: string,
  table: Table,
  options: ImportOptions,
  now: Temporal.Instant,
): Promise<Draft> {
  // Read first: whatever changes from here on, the line is then another one.
  const line = await newestLine(db, eventId);
  const staging = openStaging(db);
  // What stays is forgotten later.
  const done = () => staging.clear().catch(() => {});
  try {
    const planned = await planOf(db, eventId, table, options, now, staging);
    return { line, staging, ...planned, [Symbol.asyncDispose]: done };
  } catch (error) {
    await done();
    throw error;
  }
}

/** What would become of each row, as the event stands now. */
export async function dryRun(
  db: Kysely<unknown>,
  eventId: string,
  table: Table,
  options: ImportOptions,
  now: Temporal.Instant,
): Promise<ImportReport> {
  const { rows, toMend } = await planOf(db, eventId, table, options, now);
  return reportOf(rows, table, options, true, toMend);
}

/**
 * Takes a table of guests into an event: all of its rows, or none when one is refused or asked about: then the refusal
 * carries the report. With `skip` the others are taken all the same. The draft was made without the lock, and is made
 * again under it where what happened since matters to it.
 */
export async function importGuests(
  write: EventWrite,
  table: Table,
  options: ImportOptions,
  draft: Draft,
): Promise<ImportReport> {
  const { transaction, event, now, note } = write;
  const holds = await stillHolds(transaction, event.id, draft);
  const { staging, rows, freed, toMend } = holds
    ? draft
    : await draftImport(transaction, event.id, table, options, now);
  const report = reportOf(rows, table, options, false, toMend);
  if (options.onProblem === 'refuse' && report.refused + report.asked > 0) {
    throw new Refusal(400, 'rows_refused', messages.rowsRefused(report.refused + report.asked), {
      body: { import: { ...report, rows: rows.map(asPlanned) } },
    });
  }
  const written =
    (report.created > 0 ? await insertStaged(transaction, event.id, staging.id, now) : 0n) +
    (report.updated > 0 ? await updateStaged(transaction, staging.id, now) : 0n);
  // A PostgreSQL that crashed meanwhile has lost what was staged.
  if (written !== BigInt(report.created + report.updated)) throw new CommonRefusal(503, 'unavailable');
  if (!holds) await staging.clear();
  if (freed) await moveUp(write);
  if (report.created + report.updated > 0) {
    note('guest', null, 'imported', {
      created: { from: null, to: report.created },
      updated: { from: null, to: report.updated },
    });
  }
  return report;
}

/** Whether the draft would be the same, were it made now. */
async function stillHolds(db: Kysely<unknown>, eventId: string, draft: Draft): Promise<boolean> {
  const { rows } = await sql<{ subject: string; id: string | null }>`
    select distinct subject, subject_id as id from history
    where event_id = ${eventId} and id > ${draft.line} and subject in ('guest', 'question')
    limit ${MOST_COMPARED + 1}`.execute(db);
  // Of a question that changed, answers may be gone.
  if (rows.some(({ subject }) => subject === 'question')) return false;
  const ids = rows.map(({ id }) => id).filter((id) => id !== null);
  if (ids.length < rows.length || ids.length > MOST_COMPARED || ids.some((id) => draft.named.has(id)))
    return false;
  const { rows: changed } = await sql<{ name: string; phone: string | null; email: string | null }>`
    select name, phone, email from guests where id = any(${ids}::uuid[])`.execute(db);
  const { keys, names } = draft.given;
  const isGiven = (key: string | null) => key !== null && keys.has(key);
  if (changed.some(({ name, phone, email }) => isGiven(phone) || isGiven(email) || names.has(nameForm(name))))
    return false;
  return draft.wouldSeat(await readHall(db, eventId));
}

/** Of a guest who was not taken there is no id. */
function asPlanned({ guest_id, ...row }: ImportRow): ImportRow {
  return row.action === 'create' || guest_id === undefined ? row : { ...row, guest_id };
}

/** A step that changes something. */
type Changing = Extract<Step, { action: 'create' | 'update' }>;
/** The same to be written. */
type Written = Changing & { id: string };

/** The guest as the step leaves them. */
function afterStep(step: Changing): Noted {
  const { details, answer } = step;
  return step.action === 'create'
    ? { ...UNANSWERED, ...step.details, ...answer }
    : { ...step.guest, ...details, ...answer };
}

/** `staging` takes what is to be written; without it nothing is to be. */
async function planOf(
  db: Kysely<unknown>,
  eventId: string,
  table: Table,
  { say, decide, onProblem, language }: ImportOptions,
  now: Temporal.Instant,
  staging?: Staging,
): Promise<Planned> {
  const warn: Warn = (step) => warningsOf({ guest: afterStep(step), short: step.short }, language)[0];
  const plan = createPlan(await readHall(db, eventId), now, decide, await listQuestions(db, eventId));
  const { rows: read } = table;
  const given = givenIn(read);
  const named = await findNamed(db, eventId, given);
  const ids = new Set<string>();
  const rows: ImportRow[] = [];
  let refused = false;
  for (let from = 0; from < read.length; from += BATCH) {
    const batch = read.slice(from, from + BATCH);
    const whose = batch.map(({ guest }) => ('details' in guest ? idsOf(guest, named) : {}));
    for (const id of whose.flatMap((one) => Object.values(one))) if (id) ids.add(id);
    const known = await findKnown(db, eventId, whose);
    const of = (id: string | undefined) => known.get(id ?? '');
    const steps: Written[] = [];
    for (const [index, { row, name, guest, unread }] of batch.entries()) {
      const told = unread && { warning: unreadWarning(unread, language) };
      try {
        if (!('details' in guest)) throw new FieldProblem(guest.field, guest.complaint);
        const { byId, byPhone, byEmail, byName } = whose[index] ?? {};
        const whom = { byId: of(byId), byPhone: of(byPhone), byEmail: of(byEmail), byName: of(byName) };
        const step = plan.step(row, guest, whom);
        if (step.action === 'keep' || step.action === 'skip' || !staging)
          rows.push({ ...lineOf(step, warn), ...told });
        else {
          const written = { ...step, id: step.action === 'create' ? newId() : step.guest.id };
          steps.push(written);
          rows.push({ ...lineOf(written, warn), ...told });
        }
      } catch (error) {
        if (!(error instanceof FieldProblem || error instanceof Refusal)) throw error;
        refused = true;
        const asked = error instanceof Asked && { action: 'ask' as const, looks_like: error.looksLike };
        rows.push({ row, action: 'refuse', name, ...asked, ...say(error), ...told });
      }
    }
    // Of an import with a row that is refused nothing is written, unless the others are to be.
    if (!refused || onProblem === 'skip') await staging?.put(steps);
    await breathe();
  }
  const { freed, wouldSeat } = plan;
  const left =
    onProblem === 'skip'
      ? { rows, toMend: await toMend(rows, table, language) }
      : { rows: await withCells(rows, table), toMend: undefined };
  return {
    ...left,
    freed,
    given,
    named: ids,
    wouldSeat,
  };
}

/** Before any other: of a guest whose number could not be read the rest matters less. */
function unreadWarning(cells: readonly string[], language: Language): NonNullable<ImportRow['warning']> {
  return { code: 'unread', message: messages.unread(cells)[language] };
}

type Warn = (step: Changing) => ImportRow['warning'];

function lineOf(step: Step | Written, warn: Warn): ImportRow {
  const { row, action } = step;
  if (action === 'skip') return { row, action, name: step.name, looks_like: step.looksLike };
  if (action === 'keep') return { row, action, name: step.guest.name, guest_id: step.guest.id };
  const warning = warn(step);
  if (action === 'create') {
    const added = 'id' in step && { guest_id: step.id };
    return { row, action, name: step.details.name, ...added, ...(warning && { warning }) };
  }
  const { id, name } = step.guest;
  const fields = [...Object.keys(step.details), ...('rsvp_status' in step.answer ? ['rsvp_status'] : [])];
  return { row, action, name, guest_id: id, fields, ...(warning && { warning }) };
}

/** What guests may be known by. */
interface Given {
  /** The phones and addresses in the file. */
  keys: ReadonlySet<string>;
  /** The forms of its names. */
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
  /** The ids of guests, by their phones and addresses. */
  byKey: ReadonlyMap<string, string>;
  byName: ReadonlyMap<string, readonly { id: string; isReachable: boolean }[]>;
}

/**
 * The guests whom the file's phones, addresses and names name. These of every guest are read once and held
 * against the file here: the database would plan a join by statistics that know nothing of an event filled a moment ago,
 * and compare each guest with each row.
 */
async function findNamed(db: Kysely<unknown>, eventId: string, { keys, names }: Given): Promise<NamedBy> {
  const { rows } = await sql<Pick<GuestRow, 'id' | 'name' | 'phone' | 'email'>>`
    select id, name, phone, email from guests where event_id = ${eventId}`.execute(db);
  const byKey = new Map<string, string>();
  const byName = new Map<string, { id: string; isReachable: boolean }[]>();
  for (const [index, guest] of rows.entries()) {
    const { id, name, phone, email } = guest;
    for (const key of [phone, email]) if (key !== null && keys.has(key)) byKey.set(key, id);
    const form = nameForm(name);
    if (names.has(form)) {
      const one = { id, isReachable: isReachable(guest) };
      const namesakes = byName.get(form) ?? [];
      const alike = namesakes.filter((other) => other.isReachable === one.isReachable);
      if (alike.length < MOST_OF_A_NAME) byName.set(form, [...namesakes, one]);
    }
    if (index % BATCH === BATCH - 1) await breathe();
  }
  return { byKey, byName };
}

type Whose = Partial<Record<'byId' | 'byPhone' | 'byEmail' | 'byName', string | undefined>>;

/** Whom a row names; by the name only whom nothing else tells from it. */
function idsOf({ id, details, form }: SheetGuest, { byKey, byName }: NamedBy): Whose {
  const { phone, email } = details;
  const found = { byId: id?.toLowerCase(), byPhone: byKey.get(phone ?? ''), byEmail: byKey.get(email ?? '') };
  const alike = byName.get(form)?.find(({ isReachable }) => !(isReachable && (phone || email)));
  return { ...found, byName: alike?.id };
}

/** The guests whom some rows name, whole, by their ids. */
async function findKnown(
  db: Kysely<unknown>,
  eventId: string,
  whose: readonly Whose[],
): Promise<ReadonlyMap<string, Known>> {
  const ids = whose.flatMap((one) => Object.values(one).filter((id) => id !== undefined && isUuid(id)));
  if (ids.length === 0) return new Map();
  const { rows } = await sql<GuestRow>`
    select ${guestColumns} from guests where id = any(${ids}::uuid[]) and event_id = ${eventId}`.execute(db);
  return new Map(rows.map((row) => [row.id, seatedOf(present(row))]));
}

/** What an import writes of a guest, by the type of the column. */
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
/** Each of them in the form that a statement wants. */
const eachField = (form: (field: string, type: string) => string) =>
  sql.raw(
    Object.entries(FIELDS)
      .map(([field, type]) => form(field, type))
      .join(', '),
  );
const fieldNames = eachField((field) => field);
const fieldTypes = eachField((field, type) => `${field} ${type}`);

/** What stands in a new guest's columns of which nothing is said; null in the others. */
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
      : sql`coalesce(${sql.ref(field)}, ${parameter(unsaid)}::${sql.raw(type)})`;
  }),
);

/** Of a new guest what is said, of another what changes. */
function rowOf({ action, id, details, answer }: Written): object {
  const values = Object.entries({ ...details, ...answer })
    .filter(([field, value]) => field in FIELDS && (action === 'update' || !isUnsaid(field, value)))
    .map(([field, value]) => [field, parameter(value)] as const);
  return { id, ...Object.fromEntries(values) };
}

type Staging = ReturnType<typeof openStaging>;

/** Where the guests of one import stand as they are to be, until they are written all at once. */
function openStaging(db: Kysely<unknown>) {
  const id = newId();
  const jsonOf = (steps: readonly Written[], action: Written['action']): string =>
    JSON.stringify(steps.filter((step) => step.action === action).map(rowOf));
  return {
    id,

    async put(steps: readonly Written[]): Promise<void> {
      if (steps.length === 0) return;
      // What is not given of a guest stays as it is.
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

/** What imports left behind whose server ended. None takes as long. */
export async function forgetStaged(db: Kysely<unknown>): Promise<void> {
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
    select id, ${eventId}::uuid, ${fieldNames}, ${parameter(now)}::timestamptz, ${parameter(now)}::timestamptz
    from staged_guests where import_id = ${importId} and is_new`.execute(db);
  return numAffectedRows ?? 0n;
}

async function updateStaged(db: Kysely<unknown>, importId: string, now: Temporal.Instant): Promise<bigint> {
  const { numAffectedRows } = await sql`
    update guests set ${eachField((field) => `${field} = staged.${field}`)}, updated_at = ${parameter(now)}::timestamptz
    from staged_guests staged
    where staged.import_id = ${importId} and not staged.is_new and guests.id = staged.id`.execute(db);
  return numAffectedRows ?? 0n;
}
