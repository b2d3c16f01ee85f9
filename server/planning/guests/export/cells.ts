import type { Guest } from '../contract.ts';
import { sheetFields } from '../fields.ts';
import type { Cell, SheetLanguage } from '../sheets/cells.ts';

const columns = Object.entries(sheetFields) as [
  keyof typeof sheetFields,
  { headings: Readonly<Record<SheetLanguage, readonly string[]>>; cell: Cell<unknown> },
][];

/** The headings of an export: those an import knows. */
export function headingsIn(language: SheetLanguage): string[] {
  return columns.map(([, { headings }]) => headings[language][0] ?? '');
}

/** A guest as cells, in words that an import reads back as the same guest. */
export function cellsOf(guest: Guest, language: SheetLanguage): string[] {
  const shown = { ...guest, ...(guest.waiting_since && { rsvp_status: 'waiting' }) };
  return columns.map(([field, { cell }]) => cell.write(shown[field], language));
}
