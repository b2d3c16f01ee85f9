import { answerText, type GuestQuestion } from '../../questions/answers.ts';
import type { Guest } from '../contract.ts';
import { guestFields, type Member, sheetFields } from '../fields.ts';
import { personColumns } from '../person-columns.ts';
import { questionHeading } from '../question-columns.ts';
import type { Cell, SheetLanguage } from '../sheets/cells.ts';
import type { ColumnLook } from '../sheets/write-xlsx.ts';

const { id, ...fields } = sheetFields;
const columns = Object.entries(fields) as [
  keyof typeof fields,
  { headings: Readonly<Record<SheetLanguage, readonly string[]>>; cell: Cell<unknown> },
][];

const people = Object.entries(personColumns) as [
  keyof typeof personColumns,
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
  /** `guests`: one row a guest; `people`: one row a person, with the guest's columns in the first one. */
  rows: 'guests' | 'people';
  questions: readonly GuestQuestion[];
}

/** Formats of the columns when the guest list is exported as a spreadsheet. */
export function columnLooks({ questions, rows }: ExportOptions): ColumnLook[] {
  const looks = columns.map(([field]): ColumnLook => (NUMBERS.has(field) ? 'number' : 'text'));
  const answers = questions.map(({ kind }): ColumnLook => (kind === 'number' ? 'number' : 'text'));
  return [...looks, ...answers, ...(rows === 'people' ? people.map((): ColumnLook => 'text') : []), 'small'];
}

/** Headings of an exported guest list. An import recognizes all of them. */
export function exportHeadings({ language, questions, rows }: ExportOptions): string[] {
  const texts = questions.map((question) => questionHeading(question, language));
  return [
    ...columns.map(([, { headings }]) => headings[language][0] ?? ''),
    ...texts,
    ...(rows === 'people' ? people.map(([, { headings }]) => headings[language][0] ?? '') : []),
    id.headings[language][0],
  ];
}

/** Rows of a guest in an export: one, or one for each person of the party. An import reads the same guest from them. */
export function guestRows(guest: Guest, options: ExportOptions): string[][] {
  const cells = guestCells(guest, options);
  if (options.rows === 'guests') return [[...cells, guest.id]];
  const repeated = cells.map((cell, index) => (columns[index]?.[0] === 'name' ? cell : ''));
  const count = Math.max(guest.members.length, guest.coming || guest.party_size);
  return Array.from({ length: count }, (_, index) => [
    ...(index === 0 ? cells : repeated),
    ...personCells(guest.members[index], options.language),
    guest.id,
  ]);
}

/** Cells of a person in an export of people; all empty for a person who is not known. */
function personCells(member: Member | undefined, language: SheetLanguage): string[] {
  if (!member) return people.map(() => '');
  const values = {
    person: member.name,
    person_child: member.child,
    person_meal: member.meal,
    person_allergies: member.allergies,
    person_coming: member.coming,
  };
  return people.map(([column, { cell }]) => cell.write(values[column], language));
}

function guestCells(guest: Guest, { language, questions }: ExportOptions): string[] {
  const shown = {
    ...guest,
    ...(guest.maybe && { rsvp_status: 'maybe' }),
    ...(guest.waiting_since && { rsvp_status: 'waiting' }),
    // The cell for the number of children stays empty for a guest who does not come.
    ...(guest.coming === 0 && { coming_children: null }),
  };
  const answers = questions.map((question) => answerText(question, guest.answers[question.id], language));
  return [...columns.map(([field, { cell }]) => cell.write(shown[field], language)), ...answers];
}
