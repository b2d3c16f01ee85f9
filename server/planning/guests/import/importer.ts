import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../../identity/tokens.ts';
import { inTransaction, parameter } from '../../../kernel/database/transaction.ts';
import { FieldProblem } from '../../../kernel/fields.ts';
import { newId } from '../../../kernel/identifiers.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { recordChange } from '../../../kernel/writes/history.ts';
import { moveUp, readHall } from '../../answers/seating.ts';
import { authorOf, writableEvent } from '../../events/access.ts';
import type { Details } from '../input.ts';
import { messages } from '../messages.ts';
import { phone as readPhone } from '../phone.ts';
import { csvRows } from '../sheets/csv.ts';
import { formatOf, LIMITS, SheetProblem } from '../sheets/sheet.ts';
import { xlsxRows } from '../sheets/xlsx.ts';
import { guestColumns, present } from '../store.ts';
import type { ImportReport, ImportRow } from './contract.ts';
import { type Column, columnsOf } from './headings.ts';
import { createPlan, type Known, type Matches, RowRefused, type Step } from './plan.ts';
import { recordOf } from './record.ts';

const BATCH = 500;

/** Rows were refused, so nothing was written. */
export class ImportRefused extends Error {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super('rows were refused');
    this.report = report;
  }
}

export interface ImportRequest {
  caller: Caller;
  eventId: string;
  path: string;
  dryRun: boolean;
  now: Temporal.Instant;
  /** A row's problem as a sentence. */
  sentence: (error: FieldProblem | Refusal) => string;
}

/**
 * Takes a file of guests into an event: all of its rows, or none when one is refused (ImportRefused). Rows pass
 * through in batches; what stays in memory of each is a line of the report.
 */
export async function importGuests(db: Kysely<unknown>, request: ImportRequest): Promise<ImportReport> {
  const { caller, eventId, path, dryRun, now } = request;
  return inTransaction(db, async (transaction) => {
    const event = await writableEvent(transaction, caller, eventId);
    const { columns, ignored, records } = await openTable(path);
    const plan = createPlan(await readHall(transaction, event.id), now);
    const rows: ImportRow[] = [];
    for await (const batch of inBatches(records(columns))) {
      const matches = await findMatches(transaction, event.id, batch);
      const steps: Step[] = [];
      for (const { row, record } of batch) {
        const outcome = planned(() => plan.step(row, record(), matches), request.sentence);
        if (typeof outcome === 'string')
          rows.push({ row, action: 'refuse', name: nameOf(record), problem: outcome });
        else steps.push(outcome);
      }
      const refused = rows.some(({ action }) => action === 'refuse');
      rows.push(...(await carryOut(transaction, event.id, steps, now, !refused && !dryRun)));
    }
    const report = reportOf(rows, ignored, dryRun);
    if (dryRun) return report;
    if (report.refused > 0) throw new ImportRefused(report);
    if (plan.freed) await moveUp(transaction, event.id, now);
    await recordChange(transaction, {
      event_id: event.id,
      at: now,
      by: authorOf(caller),
      subject: 'guest',
      subject_id: null,
      action: 'imported',
      changes: {
        created: { from: null, to: report.created },
        updated: { from: null, to: report.updated },
      },
    });
    return report;
  });
}

interface RawRow {
  row: number;
  /** Throws for cells that can't be read. */
  record: () => Record<string, unknown>;
}

async function openTable(path: string) {
  const source = (await formatOf(path)) === 'xlsx' ? xlsxRows(path) : csvRows(path);
  let row = 0;
  let headings: string[] | undefined;
  for (;;) {
    const { value, done } = await source.next();
    if (done) break;
    row += 1;
    if (row > 50) break;
    if (value.some((cell) => cell.trim() !== '')) {
      headings = value;
      break;
    }
  }
  if (!headings) throw new SheetProblem('empty');
  const columns = columnsOf(headings);
  if (!columns.some((column) => column === 'name' || column === 'first_name' || column === 'last_name')) {
    await source.return(undefined);
    throw new Refusal(400, 'no_name_column', messages.noNameColumn);
  }
  const ignored = headings.filter((heading, index) => heading.trim() !== '' && !columns[index]);
  async function* records(named: readonly (Column | undefined)[]): AsyncGenerator<RawRow> {
    for await (const cells of source) {
      row += 1;
      if (row > LIMITS.rows + 1) throw new SheetProblem('too_many_rows');
      if (cells.every((cell) => cell.trim() === '')) continue;
      yield { row, record: () => recordOf(named, cells) };
    }
  }
  return { columns, ignored: ignored.slice(0, 50).map((heading) => heading.slice(0, 100)), records };
}

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function planned(plan: () => Step, sentence: ImportRequest['sentence']): Step | string {
  try {
    return plan();
  } catch (error) {
    if (error instanceof FieldProblem || error instanceof Refusal) return sentence(error);
    if (!(error instanceof RowRefused)) throw error;
    if (error.problem === 'same_as_row') return messages.sameAsRow(error.row);
    return error.problem === 'full' ? messages.full : messages.twoGuests;
  }
}

function nameOf(record: RawRow['record']): string {
  try {
    return String(record().name ?? '').slice(0, 100);
  } catch {
    return '';
  }
}

/** The guests whom a batch's phones and addresses name, in one look. */
async function findMatches(transaction: Kysely<unknown>, eventId: string, batch: RawRow[]): Promise<Matches> {
  const phones: string[] = [];
  const emails: string[] = [];
  for (const { record } of batch) {
    // A row that can't be read is refused when its turn comes.
    const { phone, email } = attempt(record) ?? {};
    const number = attempt(() => readPhone('phone', phone));
    if (number) phones.push(number);
    if (typeof email === 'string' && email.isWellFormed() && !email.includes('\0'))
      emails.push(email.toLowerCase());
  }
  if (phones.length + emails.length === 0) return { byPhone: new Map(), byEmail: new Map() };
  const { rows } = await sql<Parameters<typeof present>[0] & { waiting_order: number | null }>`
    select ${guestColumns}, guests.waiting_order from guests
    where event_id = ${eventId} and phone = any(${phones}::text[])
    union
    select ${guestColumns}, guests.waiting_order from guests
    where event_id = ${eventId} and email = any(${emails}::text[])`.execute(transaction);
  const known = rows.map(({ waiting_order, ...row }): Known => {
    const { guest } = present(row);
    return { ...guest, waiting_order, waiting: waiting_order !== null };
  });
  const by = (field: 'phone' | 'email') =>
    new Map(known.flatMap((guest) => (guest[field] ? [[guest[field], guest] as const] : [])));
  return { byPhone: by('phone'), byEmail: by('email') };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The steps as lines of the report; written too, when `write`. */
async function carryOut(
  transaction: Kysely<unknown>,
  eventId: string,
  steps: Step[],
  now: Temporal.Instant,
  write: boolean,
): Promise<ImportRow[]> {
  const created = new Map<Step, string>();
  const inserts: object[] = [];
  const updates: object[] = [];
  for (const step of steps) {
    if (step.action === 'create') {
      const id = newId();
      created.set(step, id);
      inserts.push({ id, ...rowOf(step.details, step, now) });
    }
    if (step.action === 'update') {
      const merged = { ...step.guest, ...step.details };
      updates.push({ id: step.guest.id, ...rowOf(merged, step, now, step.guest) });
    }
  }
  if (write && inserts.length > 0) await insert(transaction, eventId, inserts, now);
  if (write && updates.length > 0) await update(transaction, updates, now);
  return steps.map((step): ImportRow => {
    if (step.action === 'create') {
      const guest_id = write ? created.get(step) : undefined;
      return { row: step.row, action: 'create', name: step.details.name, ...(guest_id && { guest_id }) };
    }
    const fields = step.action === 'update' ? Object.keys(step.details) : [];
    return {
      row: step.row,
      action: step.action,
      name: step.guest.name,
      guest_id: step.guest.id,
      ...(step.action === 'update' && { fields: [...fields, ...(step.seat ? ['rsvp_status'] : [])] }),
    };
  });
}

type Written = Extract<Step, { action: 'create' | 'update' }>;

function rowOf(
  details: Details | Known,
  { seat, answered }: Written,
  now: Temporal.Instant,
  before?: Known,
): object {
  const stood = before ?? { rsvp_status: 'pending', coming: 0, waiting_since: null, waiting_order: null };
  const { rsvp_status, coming, waiting_since, waiting_order } = seat ?? stood;
  const { name, phone, email, tags, language, party_size, kashrut_level } = details;
  const { vegetarian, vegan, allergies, note, message } = details;
  return {
    ...{
      name,
      phone,
      email,
      tags,
      language,
      party_size,
      kashrut_level,
      vegetarian,
      vegan,
      allergies,
      note,
      message,
    },
    ...{ rsvp_status, coming, waiting_since: parameter(waiting_since), waiting_order },
    answered_at: answered ? parameter(now) : (before?.answered_at ?? null),
    answered_via: answered ? 'import' : (before?.answered_via ?? null),
  };
}

const FIELDS = {
  name: 'text',
  phone: 'text',
  email: 'text',
  tags: 'text[]',
  language: 'text',
  party_size: 'integer',
  kashrut_level: 'text',
  vegetarian: 'boolean',
  vegan: 'boolean',
  allergies: 'text',
  note: 'text',
  message: 'text',
  rsvp_status: 'text',
  coming: 'integer',
  waiting_since: 'timestamptz',
  waiting_order: 'integer',
  answered_at: 'timestamptz',
  answered_via: 'text',
};
const fieldNames = sql.raw(Object.keys(FIELDS).join(', '));
const fieldTypes = sql.raw(
  Object.entries(FIELDS)
    .map(([field, type]) => `${field} ${type}`)
    .join(', '),
);

async function insert(
  db: Kysely<unknown>,
  eventId: string,
  rows: object[],
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into guests (id, event_id, ${fieldNames}, created_at, updated_at)
    select id, ${eventId}::uuid, ${fieldNames}, ${parameter(now)}::timestamptz, ${parameter(now)}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (id uuid, ${fieldTypes})`.execute(db);
}

async function update(db: Kysely<unknown>, rows: object[], now: Temporal.Instant): Promise<void> {
  const set = Object.keys(FIELDS).map((field) => `${field} = given.${field}`);
  await sql`
    update guests set ${sql.raw(set.join(', '))}, updated_at = ${parameter(now)}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (id uuid, ${fieldTypes})
    where guests.id = given.id`.execute(db);
}

function reportOf(rows: ImportRow[], ignored: string[], dryRun: boolean): ImportReport {
  const count = (action: ImportRow['action']) => rows.filter((row) => row.action === action).length;
  rows.sort((a, b) => a.row - b.row);
  return {
    dry_run: dryRun,
    created: count('create'),
    updated: count('update'),
    unchanged: count('keep'),
    refused: count('refuse'),
    ignored_columns: ignored,
    rows,
  };
}
