import { type Kysely, sql } from 'kysely';
import { FieldProblem } from '../../../kernel/fields.ts';
import { newId } from '../../../kernel/identifiers.ts';
import { createPauses } from '../../../kernel/pauses.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { newestLine } from '../../../kernel/writes/history.ts';
import { listQuestions } from '../../questions/store.ts';
import type { EventCapacity } from '../capacity/capacity.ts';
import { readCapacity } from '../capacity/waiting-list.ts';
import { type Contacts, contactsOf } from '../contacts.ts';
import type { ImportReport } from './contract.ts';
import { type GivenValues, NamedGuestsReader } from './named-guests.ts';
import { normalizeName } from './names.ts';
import { ImportPlan, type ImportStep, type NamedGuests } from './plan.ts';
import type { ReadRow } from './read.ts';
import type { ImportOptions, PlacedRow } from './report.ts';
import { placedRowOf, type RowResult } from './report-line.ts';
import { addCells, fileToCorrect } from './rows-to-correct.ts';
import { type StagedStep, Staging } from './staging.ts';
import type { Table } from './table.ts';

/** Number of rows whose guests are read with one query and staged with one statement. */
const BATCH = 500;
/**
 * Maximum number of changed guests with which a draft of an import is compared again. If more guests have changed since
 * the draft was made, it is made anew.
 */
const MOST_COMPARED = 1_000;

/** Plan of an import: the report's lines, and what is needed to check later whether the plan still holds. */
interface Planned {
  rows: PlacedRow[];
  /** Rows that are not imported, as a file that the user can correct; only if the request asks for it. */
  toMend: ImportReport['to_mend'];
  /** True if the import frees places for guests on the waiting list. */
  freed: boolean;
  /** True if an answer in the file did not get all the places that it asks for. */
  isTight: boolean;
  given: GivenValues;
  /** Ids of the event's guests whom the imported file names. */
  named: ReadonlySet<string>;
  hasSameResultWith(after: EventCapacity): boolean;
}

/**
 * Plan of an import whose rows to write are in the staging table. It is based on the event as it was after the history
 * line `line`. Disposing of the draft deletes its rows from the staging table.
 */
export interface ImportDraft extends Planned, AsyncDisposable {
  line: number;
  staging: Staging;
}

/** Plans an import for the event's current state, and stores the rows to write in the staging table. Takes no lock. */
export async function draftImport(
  db: Kysely<unknown>,
  eventId: string,
  table: Table,
  options: ImportOptions,
  now: Temporal.Instant,
): Promise<ImportDraft> {
  // The history line is read first: a later change gets a higher number, so the draft never misses one.
  const line = await newestLine(db, eventId);
  const staging = new Staging(db);
  // Staged rows that can't be removed now are removed later, by `deleteStaleStaging`.
  const done = () => staging.clear().catch(() => {});
  try {
    const planned = await planImport(db, eventId, table, options, now, staging);
    return { line, staging, ...planned, [Symbol.asyncDispose]: done };
  } catch (error) {
    await done();
    throw error;
  }
}

/**
 * True if the draft of an import, which this transaction has written, is still valid: a draft made now would be the
 * same.
 */
export async function isDraftCurrent(
  db: Kysely<unknown>,
  eventId: string,
  draft: ImportDraft,
): Promise<boolean> {
  const { rows } = await sql<{ subject: string; id: string | null }>`
    select distinct subject, subject_id as id from history
    where event_id = ${eventId} and id > ${draft.line} and subject in ('guest', 'question')
    limit ${MOST_COMPARED + 1}`.execute(db);
  // If one of the event's questions changed, the draft is not valid: the question may no longer accept its answers.
  if (rows.some(({ subject }) => subject === 'question')) return false;
  const ids = rows.map(({ id }) => id).filter((id) => id !== null);
  if (ids.length < rows.length || ids.length > MOST_COMPARED || ids.some((id) => draft.named.has(id)))
    return false;
  const { rows: changed } = await sql<{ name: string } & Contacts>`
    select name, phone, other_phones, email, other_emails from guests where id = any(${ids}::uuid[])`.execute(
    db,
  );
  const { contacts, names } = draft.given;
  const isGiven = (contact: string) => contacts.has(contact);
  if (changed.some((guest) => contactsOf(guest).some(isGiven) || names.has(normalizeName(guest.name))))
    return false;
  return draft.hasSameResultWith(await readCapacity(db, eventId));
}

/** Plans the import of a table. Rows to write go to `staging`; without `staging` no rows are stored there. */
export async function planImport(
  db: Kysely<unknown>,
  eventId: string,
  table: Table,
  options: ImportOptions,
  now: Temporal.Instant,
  staging?: Staging,
): Promise<Planned> {
  const { decisions, onProblem, language } = options;
  const plan = new ImportPlan(
    await readCapacity(db, eventId),
    now,
    decisions,
    await listQuestions(db, eventId),
  );
  const reader = await NamedGuestsReader.open(db, eventId, table.rows);
  const pause = createPauses();
  const rows: PlacedRow[] = [];
  let isRefused = false;
  for (let from = 0; from < table.rows.length; from += BATCH) {
    const batch = table.rows.slice(from, from + BATCH);
    const named = await reader.read(batch);
    const results: RowResult[] = [];
    for (const [index, row] of batch.entries()) {
      const ref = table.referenceOf(row);
      const planned = resultOf(plan, ref, row, named[index]);
      const result = staging ? withId(planned) : planned;
      const placed = placedRowOf(row, ref, result, options);
      isRefused ||= placed.line.action === 'refuse' || placed.line.action === 'ask';
      results.push(result);
      rows.push(placed);
      await pause();
    }
    // If on_problem is `refuse`, nothing will be written once a row is refused, so this batch and later ones are not
    // stored in the staging table.
    if (!isRefused || onProblem === 'skip') await staging?.put(results.filter(isStaged));
  }
  const left =
    onProblem === 'skip'
      ? { rows, toMend: await fileToCorrect(rows, table, language) }
      : { rows: await addCells(rows, table), toMend: undefined };
  return {
    ...left,
    freed: plan.freed,
    isTight: plan.isTight,
    given: reader.given,
    named: reader.ids,
    hasSameResultWith: (after) => plan.hasSameResultWith(after),
  };
}

/** Step of an import for one row of the file, or the reason why the row is refused. */
function resultOf(
  plan: ImportPlan,
  ref: string,
  { guest }: ReadRow,
  named: NamedGuests = {},
): ImportStep | FieldProblem | Refusal {
  try {
    if (!('details' in guest)) throw new FieldProblem(guest.field, guest.complaint);
    return plan.step(ref, guest, named);
  } catch (error) {
    if (error instanceof FieldProblem || error instanceof Refusal) return error;
    throw error;
  }
}

/** Adds the guest's id to an import's step that writes a guest. */
function withId(result: ImportStep | FieldProblem | Refusal): RowResult {
  if (!('action' in result)) return result;
  if (result.action === 'create') return { ...result, id: newId() };
  return result.action === 'update' ? { ...result, id: result.guest.id } : result;
}

function isStaged(result: RowResult): result is StagedStep {
  return 'action' in result && 'id' in result;
}
