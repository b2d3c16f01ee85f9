import { answerText, type GuestQuestion } from '../../questions/answers.ts';
import type { Guest } from '../contract.ts';
import { guestFields, sheetFields } from '../fields.ts';
import { questionHeading } from '../question-columns.ts';
import type { Cell, SheetLanguage } from '../sheets/cells.ts';
import type { ColumnLook } from '../sheets/write-xlsx.ts';

const { id, ...fields } = sheetFields;
const columns = Object.entries(fields) as [
  keyof typeof fields,
  { headings: Readonly<Record<SheetLanguage, readonly string[]>>; cell: Cell<unknown> },
][];

const NUMBERS: ReadonlySet<string> = new Set([
  'coming',
  'coming_children',
  ...Object.entries(guestFields)
    .filter(([, { column }]) => column === 'integer')
    .map(([field]) => field),
]);

/**
 * Language of an exported guest list, and the event's questions. The columns are the guest's fields, the answers to the
 * questions, and last the guest's id.
 */
export interface ExportOptions {
  language: SheetLanguage;
  questions: readonly GuestQuestion[];
}

/** Formats of the columns of an export in a spreadsheet. */
export function columnLooks({ questions }: ExportOptions): ColumnLook[] {
  const looks = columns.map(([field]): ColumnLook => (NUMBERS.has(field) ? 'number' : 'text'));
  const answers = questions.map(({ kind }): ColumnLook => (kind === 'number' ? 'number' : 'text'));
  return [...looks, ...answers, 'small'];
}

/** Headings of an export, all of which an import recognizes. */
export function exportHeadings({ language, questions }: ExportOptions): string[] {
  const texts = questions.map((question) => questionHeading(question, language));
  return [
    ...columns.map(([, { headings }]) => headings[language][0] ?? ''),
    ...texts,
    id.headings[language][0],
  ];
}

/** Cells of a guest, from which an import reads the same guest. */
export function guestCells(guest: Guest, { language, questions }: ExportOptions): string[] {
  const shown = {
    ...guest,
    ...(guest.maybe && { rsvp_status: 'maybe' }),
    ...(guest.waiting_since && { rsvp_status: 'waiting' }),
    // A guest who does not come has no number of children.
    ...(guest.coming === 0 && { coming_children: null }),
  };
  const answers = questions.map((question) => answerText(question, guest.answers[question.id], language));
  return [...columns.map(([field, { cell }]) => cell.write(shown[field], language)), ...answers, guest.id];
}
