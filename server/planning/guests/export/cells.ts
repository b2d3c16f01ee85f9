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

/** Formats of the columns when the guest list is exported as a spreadsheet. */
export function columnLooks({ questions }: ExportOptions): ColumnLook[] {
  const looks = columns.map(([field]): ColumnLook => (NUMBERS.has(field) ? 'number' : 'text'));
  const answers = questions.map(({ kind }): ColumnLook => (kind === 'number' ? 'number' : 'text'));
  return [...looks, ...answers, 'small'];
}

/** Headings of an exported guest list. An import recognizes all of them. */
export function exportHeadings({ language, questions }: ExportOptions): string[] {
  const texts = questions.map((question) => questionHeading(question, language));
  return [
    ...columns.map(([, { headings }]) => headings[language][0] ?? ''),
    ...texts,
    id.headings[language][0],
  ];
}

/** Cells of one guest in an exported guest list. An import reads the same guest from these cells. */
export function guestCells(guest: Guest, { language, questions }: ExportOptions): string[] {
  const shown = {
    ...guest,
    ...(guest.maybe && { rsvp_status: 'maybe' }),
    ...(guest.waiting_since && { rsvp_status: 'waiting' }),
    // The cell for the number of children stays empty for a guest who does not come.
    ...(guest.coming === 0 && { coming_children: null }),
  };
  const answers = questions.map((question) => answerText(question, guest.answers[question.id], language));
  return [...columns.map(([field, { cell }]) => cell.write(shown[field], language)), ...answers, guest.id];
}
