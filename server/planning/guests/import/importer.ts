import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../../kernel/clock.ts';
import { CommonRefusal, Refusal } from '../../../kernel/refusal.ts';
import type { EventWrite, WriteEarly, WriteOutcome } from '../../events/write.ts';
import { promoteFromWaitingList } from '../capacity/waiting-list.ts';
import { messages } from '../messages.ts';
import type { ImportReport, ImportRow } from './contract.ts';
import { draftImport, type ImportDraft, isDraftCurrent, planImport } from './draft.ts';
import { type ImportOptions, importReportOf } from './report.ts';
import { writeStaged } from './staging.ts';
import type { Table } from './table.ts';

// Steps of an import:
//
// 1. sheets/ (csv.ts, xlsx.ts, ods.ts, vcard.ts): the file as sheets with rows and cells (SheetRow)
// 2. lists.ts, layout.ts, mapping.ts: the lists of guests within the sheets, their headings and columns (GuestList)
// 3. read.ts, record.ts, in a worker thread: a guest for each row, or a complaint (ReadRow); all of them are a Table
// 4. named-guests.ts: the guests of the event whom each row names (NamedGuests)
// 5. plan.ts: for each row create, update, keep or skip the guest, or ask the organizer (ImportStep)
// 6. draft.ts: the steps of all rows, made without a lock; staging.ts stages those that write (ImportDraft)
// 7. importer.ts: the draft written, then checked under the event's lock
// 8. report.ts, report-line.ts: the report

/** Plans an import for the event's current state and writes nothing. */
export async function dryRunImport(
  db: Kysely<unknown>,
  eventId: string,
  table: Table,
  options: ImportOptions,
  now: Temporal.Instant,
): Promise<ImportReport> {
  const { rows, toMend } = await planImport(db, eventId, table, options, now);
  return importReportOf(rows, table, options, true, toMend);
}

/** Event into which guests are imported, and the ways to change it: see `EventWriter`. */
export interface ImportTarget {
  db: Kysely<unknown>;
  eventId: string;
  clock: Clock;
  change(work: ImportWork): Promise<ImportAnswer>;
  changeEarly(writeEarly: WriteEarly, work: ImportWork): Promise<ImportAnswer>;
}
type ImportWork = (write: EventWrite) => Promise<WriteOutcome<ImportAnswer>>;
interface ImportAnswer {
  import: ImportReport;
}

/** Number of times that an import is planned without the event's lock, if others change what it is about meanwhile. */
const EARLY_ATTEMPTS = 2;
/**
 * Maximum time for which an import that has written guests waits for the event's lock: whoever has the lock may wait for
 * one of these guests. It is less than the time after which PostgreSQL looks for a deadlock, one second.
 */
const LONGEST_EARLY_WAIT_MS = 200;

/**
 * Imports a table of guests into an event. Either all rows are written or, if one is refused or needs a decision,
 * none; the refusal then carries the report. With `skip` the other rows are written anyway.
 *
 * The import is planned, and its guests are written, before the event is locked, so that other changes of the event,
 * such as answers, don't wait. If one of them concerns the import, the import is undone and planned again, the last time
 * with the event locked. So is an import whose answers don't all get places: it needs the order of the waiting list.
 */
export async function importGuests(
  { db, eventId, clock, change, changeEarly }: ImportTarget,
  table: Table,
  options: ImportOptions,
): Promise<ImportAnswer> {
  for (let attempt = 1; attempt <= EARLY_ATTEMPTS; attempt += 1) {
    await using draft = await draftImport(db, eventId, table, options, clock());
    if (draft.isTight) break;
    const report = importReportOf(draft.rows, table, options, false, draft.toMend);
    try {
      return await changeEarly(
        async (transaction, now) => {
          if (isRefused(report, options) || !writes(report)) return;
          await sql`select set_config('lock_timeout', ${`${LONGEST_EARLY_WAIT_MS}ms`}, true)`.execute(
            transaction,
          );
          await writeGuests(transaction, eventId, draft, report, now);
        },
        async (write) => {
          refuseRows(report, options);
          if (!(await isDraftCurrent(write.transaction, eventId, draft))) throw new OutdatedDraft();
          return finishImport(write, draft, report);
        },
      );
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
  return change(async (write) => {
    const { transaction, now } = write;
    const draft = await draftImport(transaction, eventId, table, options, now);
    const report = importReportOf(draft.rows, table, options, false, draft.toMend);
    refuseRows(report, options);
    if (writes(report)) await writeGuests(transaction, eventId, draft, report, now);
    await draft.staging.clear();
    return finishImport(write, draft, report);
  });
}

/** Thrown to undo an import that others' changes concern. */
class OutdatedDraft extends Error {}

/**
 * Codes of PostgreSQL for a transaction that another one was in the way of: a phone or email that somebody has got, a
 * lock that another one has for too long, a deadlock.
 */
const CONFLICTS: readonly unknown[] = ['23505', '55P03', '40P01'];

function isOutdated(error: unknown): boolean {
  return error instanceof OutdatedDraft || CONFLICTS.includes((error as { code?: unknown }).code);
}

function isRefused({ refused, asked }: ImportReport, { onProblem }: ImportOptions): boolean {
  return onProblem === 'refuse' && refused + asked > 0;
}

function writes({ created, updated }: ImportReport): boolean {
  return created + updated > 0;
}

/** Throws the refusal of an import with rows that are not imported, unless these may be left out. */
function refuseRows(report: ImportReport, options: ImportOptions): void {
  if (!isRefused(report, options)) return;
  throw new Refusal(400, 'rows_refused', messages.rowsRefused(report.refused + report.asked), {
    body: { import: { ...report, rows: report.rows.map(asPlanned) } },
  });
}

async function writeGuests(
  transaction: Kysely<unknown>,
  eventId: string,
  { staging }: ImportDraft,
  { created, updated }: ImportReport,
  now: Temporal.Instant,
): Promise<void> {
  const written = await writeStaged(transaction, eventId, staging.id, now);
  // The staging table is unlogged: if PostgreSQL crashed, its rows are lost, and fewer guests were written than
  // planned.
  if (written !== created + updated) throw new CommonRefusal(503, 'unavailable');
}

/** Gives freed places to the waiting list and notes the import in the history. */
async function finishImport(
  write: EventWrite,
  { freed }: ImportDraft,
  report: ImportReport,
): Promise<WriteOutcome<ImportAnswer>> {
  if (freed) await promoteFromWaitingList(write);
  if (writes(report)) {
    write.note('guest', null, 'imported', {
      created: { from: null, to: report.created },
      updated: { from: null, to: report.updated },
    });
  }
  return { body: { import: report } };
}

/** Leaves out the ids of new guests from an import's report: if the import is refused, these guests do not exist. */
function asPlanned({ guest_id, ...row }: ImportRow): ImportRow {
  return row.action === 'create' || guest_id === undefined ? row : { ...row, guest_id };
}
