import type { SheetColumn } from './guest-list.ts';
import type { Column } from './headings.ts';

/** Filled cell in a row of an imported sheet. */
export interface Filled {
  heading: string;
  text: string;
}

/** Filled cells in a row of an imported sheet, by column. */
export type FilledCells = ReadonlyMap<Column, readonly Filled[]>;

/** Pattern for dashes alone, which stand for an empty cell in many lists. */
const NOTHING = /^[-–—־_]*$/;

/** Collects the filled cells of a row of a sheet, by column. */
export function filledCellsOf(columns: readonly SheetColumn[], cells: readonly string[]): FilledCells {
  const given = new Map<Column, Filled[]>();
  for (const [index, { field, heading }] of columns.entries()) {
    const text = (cells[index] ?? '').trim();
    if (!field || NOTHING.test(text)) continue;
    const filled = given.get(field);
    if (filled) filled.push({ heading, text });
    else given.set(field, [{ heading, text }]);
  }
  return given;
}

/** Cells of a row with answers to the event's questions, by question id; undefined if there are none. */
export function answerCellsOf(
  columns: readonly SheetColumn[],
  cells: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const answered = columns.flatMap(({ question }, index) => {
    const text = (cells[index] ?? '').trim();
    return question && !NOTHING.test(text) ? [[question, text]] : [];
  });
  return answered.length > 0 ? Object.fromEntries(answered) : undefined;
}
