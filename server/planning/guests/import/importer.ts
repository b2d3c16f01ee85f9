import type { Kysely } from 'kysely';
import { CommonRefusal, Refusal } from '../../../kernel/refusal.ts';
import type { EventWrite } from '../../events/write.ts';
import { promoteFromWaitingList } from '../capacity/waiting-list.ts';
import { messages } from '../messages.ts';
import type { ImportReport, ImportRow } from './contract.ts';
import { draftImport, type ImportDraft, isDraftCurrent, planImport } from './draft.ts';
import { type ImportOptions, importReportOf } from './report.ts';
import { insertStaged, updateStaged } from './staging.ts';
import type { Table } from './table.ts';

/*
 * Steps of an import:
 *
 *   file → sheets/ (csv.ts, xlsx.ts, ods.ts, vcard.ts) → sheets with their rows and cells (SheetRow)
 *        → lists.ts, layout.ts, mapping.ts: the lists of guests within the sheets, their headings and columns
 * (GuestList)        → read.ts, record.ts, in a worker thread: a guest for each row, or a complaint (ReadRow); all of
 * them: Table        → named-guests.ts: the guests of the event whom each row names (NamedGuests)        → plan.ts: for
 * each row create, update, keep or skip the guest, or ask the organizer (ImportStep)        → draft.ts: the steps of
 * all rows, those that write staged by staging.ts, made without a lock (ImportDraft)        → importer.ts: the draft
 * checked and written under the event's lock        → report.ts, report-line.ts: the report
 */

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
  const isCurrent = await isDraftCurrent(transaction, event.id, draft);
  const { staging, rows, freed, toMend } = isCurrent
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
  // The staging table is unlogged: if PostgreSQL crashed, its rows are lost, and fewer guests were written than
  // planned.
  if (written !== BigInt(report.created + report.updated)) throw new CommonRefusal(503, 'unavailable');
  if (!isCurrent) await staging.clear();
  if (freed) await promoteFromWaitingList(write);
  if (report.created + report.updated > 0) {
    note('guest', null, 'imported', {
      created: { from: null, to: report.created },
      updated: { from: null, to: report.updated },
    });
  }
  return report;
}

/** Leaves out the ids of new guests from an import's report: if the import is refused, these guests do not exist. */
function asPlanned({ guest_id, ...row }: ImportRow): ImportRow {
  return row.action === 'create' || guest_id === undefined ? row : { ...row, guest_id };
}
