import type { FieldProblem } from '../../../kernel/fields.ts';
import type { Language } from '../../../kernel/languages.ts';
import type { Refusal } from '../../../kernel/refusal.ts';
import { UNANSWERED } from '../capacity/allocation.ts';
import { NO_DETAILS } from '../fields.ts';
import { messages } from '../messages.ts';
import { type WarnedGuest, warningsOf } from '../warnings.ts';
import type { ImportRow } from './contract.ts';
import { DecisionNeeded, type ImportStep } from './plan.ts';
import type { ReadRow } from './read.ts';
import type { ImportOptions, PlacedRow } from './report.ts';
import type { StagedStep, WritingStep } from './staging.ts';

/** Result of planning a row of the file: the step of the import, or the reason why the row is refused. */
export type RowResult = ImportStep | StagedStep | FieldProblem | Refusal;

type Line = Omit<ImportRow, 'row' | 'ref' | 'list'>;

/** Line of an import's report about one row of the file. */
export function placedRowOf(
  row: ReadRow,
  ref: string,
  result: RowResult,
  { describe, decisions, language }: ImportOptions,
): PlacedRow {
  const line =
    'action' in result
      ? plannedLine(result, language)
      : refusedLine(row.name, result, decisions.skips(ref), describe);
  return {
    place: row,
    placeTags: row.guest.placeTags ?? [],
    line: {
      row: row.row,
      ref,
      list: row.list,
      ...line,
      ...partySizeIn(row, result),
      ...familySizeIn(row, result),
      ...noticesOf(row, language),
    },
  };
}

function plannedLine(step: ImportStep | StagedStep, language: Language): Line {
  const { action } = step;
  if (action === 'skip')
    return { action, name: step.name, ...(step.looksLike && { looks_like: step.looksLike }) };
  if (action === 'keep') return { action, name: step.guest.name, guest_id: step.guest.id };
  const [warning] = warningsOf({ guest: afterStep(step), short: step.short }, language);
  if (action === 'create') {
    const added = 'id' in step && { guest_id: step.id };
    return { action, name: step.details.name, ...added, ...(warning && { warning }) };
  }
  const { id, name } = step.guest;
  const fields = [...Object.keys(step.details), ...(changesAnswer(step) ? ['rsvp_status'] : [])];
  const renamed = step.details.name !== undefined && { new_name: step.details.name };
  return { action, name, guest_id: id, fields, ...renamed, ...(warning && { warning }) };
}

/** Columns of a guest's answer that the guest sees. */
const ANSWER_COLUMNS = ['rsvp_status', 'maybe', 'coming', 'coming_children', 'waiting_order'] as const;

/** True if an update changes the answer. A new number of people invited leaves a yes for more people as it is. */
function changesAnswer({ guest, answer }: Extract<ImportStep, { action: 'update' }>): boolean {
  return ANSWER_COLUMNS.some((column) => column in answer && answer[column] !== guest[column]);
}

/** Guest as they will be after a step of an import. */
function afterStep(step: WritingStep): WarnedGuest {
  const { details, answer } = step;
  return step.action === 'create'
    ? { ...UNANSWERED, ...step.details, ...answer }
    : { ...step.guest, ...details, ...answer };
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

/** Number of people of a row's party as it will be on the list or, before a decision, as the row has it. */
function partySizeIn({ guest }: ReadRow, result: RowResult): Partial<ImportRow> {
  if (!('action' in result)) {
    const isCounted = 'details' in guest && !guest.isUncounted;
    return isCounted ? { party_size: guest.details.party_size ?? NO_DETAILS.party_size } : {};
  }
  switch (result.action) {
    case 'skip':
      return {};
    case 'create':
      return { party_size: result.details.party_size };
    case 'update':
      return { party_size: result.details.party_size ?? result.guest.party_size };
    case 'keep':
      return { party_size: result.guest.party_size };
  }
}

/** Number of people that the user gave for a family whose row in the file has no number. */
function familySizeIn({ guest }: ReadRow, result: RowResult): Partial<ImportRow> {
  const isUncounted = 'details' in guest && guest.isUncounted;
  return isUncounted && 'action' in result && result.action === 'create'
    ? { family_size: result.details.party_size }
    : {};
}

/**
 * Notices in the report about a row of the file: a number of people read from its name, and cells that can't be read.
 */
function noticesOf({ fromName, unread }: ReadRow, language: Language): Partial<ImportRow> {
  return {
    ...(fromName && { from_name: { written: fromName.written, party_size: fromName.people } }),
    // The warning about unreadable cells comes first: a missing phone number matters more than other warnings.
    ...(unread && { warning: { code: 'unread', message: messages.unread(unread)[language] } }),
  };
}
