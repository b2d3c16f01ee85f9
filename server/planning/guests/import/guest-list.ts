import type { Column, Mapped } from './headings.ts';

/** Reasons why an import leaves out a column whose heading is known or missing. */
export const LEFT_BECAUSE = ['row_numbers', 'no_numbers', 'no_ids', 'second', 'no_heading'] as const;
export type LeftBecause = (typeof LEFT_BECAUSE)[number];

export interface SheetColumn {
  /** Letters that spreadsheet programs show for the column, such as `B`. */
  letters: string;
  heading: string;
  field: Column | undefined;
  /** Id of the event’s question whose answers are in this column. */
  question?: string;
  left?: LeftBecause;
  /** Some values of the column, as examples. */
  samples: string[];
}

/** Reasons why an import leaves out a whole list of a file. */
export const LIST_LEFT_BECAUSE = ['not_chosen', 'hidden', 'no_names', 'other_content'] as const;
export type ListLeftBecause = (typeof LIST_LEFT_BECAUSE)[number];

/** List of guests within a file: a sheet, or some columns of a sheet that has several lists side by side. */
export interface GuestList {
  /** Name of the sheet that the list is on; empty for a file without sheets. */
  sheet: string;
  /** Index, in the file, of the sheet that the list is on. */
  sheetIndex: number;
  /** Index, in the sheet, of the list's first column. */
  first: number;
  /** Title above the list, if the sheet has several lists side by side. */
  title?: string;
  /** Number of the row with the list's headings; null if the list has none. */
  headings: number | null;
  columns: SheetColumn[];
  /** True if most rows have more than one filled cell, so that a single text is a title among them. */
  hasWideRows: boolean;
  /** True if few rows of the list have a cell merged over several columns, so that such a cell is a title. */
  hasMergedTitles: boolean;
  left?: ListLeftBecause;
}

/** Columns of a list that contain a guest's name or a part of it. */
export const NAME_COLUMNS: readonly (Mapped | undefined)[] = [
  'name',
  'first_name',
  'last_name',
  'husband',
  'wife',
];

/** True if a list has a column of names, without which no row can be a guest. */
export function hasNames({ columns }: Pick<GuestList, 'columns'>): boolean {
  return columns.some(({ field }) => NAME_COLUMNS.includes(field));
}
