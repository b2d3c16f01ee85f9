import type { Guest } from '../contract.ts';
import { guestFields, sheetFields } from '../fields.ts';
import type { Cell, SheetLanguage } from '../sheets/cells.ts';
import type { ColumnLook } from '../sheets/write-xlsx.ts';

const columns = Object.entries(sheetFields) as [
  keyof typeof sheetFields,
  { headings: Readonly<Record<SheetLanguage, readonly string[]>>; cell: Cell<unknown> },
][];

const NUMBERS: ReadonlySet<string> = new Set([
  'coming',
  'coming_children',
  ...Object.entries(guestFields)
    .filter(([, { column }]) => column === 'integer')
    .map(([field]) => field),
]);

/** How people see the columns of an export in a spreadsheet. */
export const columnLooks: readonly ColumnLook[] = columns.map(([field]) => {
  if (field === 'id') return 'small';
  return NUMBERS.has(field) ? 'number' : 'text';
});

/** The headings of an export: those an import knows. */
export function headingsIn(language: SheetLanguage): string[] {
  return columns.map(([, { headings }]) => headings[language][0] ?? '');
}

/** A guest as cells, in words that an import reads back as the same guest. */
export function cellsOf(guest: Guest, language: SheetLanguage): string[] {
  const shown = {
    ...guest,
    ...(guest.maybe && { rsvp_status: 'maybe' }),
    ...(guest.waiting_since && { rsvp_status: 'waiting' }),
    // Of nobody who comes there is nothing to say.
    ...(guest.coming === 0 && { coming_children: null }),
  };
  return columns.map(([field, { cell }]) => cell.write(shown[field], language));
}
