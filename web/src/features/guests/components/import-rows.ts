import type { ImportChoices, ImportColumn, ImportRow } from '../api/import.ts';
import type { RowFilter } from '../api/import-search.ts';

/** Columns that contribute to a field, for each field that several columns can fill. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  name: ['name', 'first_name', 'middle_name', 'last_name', 'husband', 'wife'],
  party_size: ['party_size', 'adults', 'party_children', 'partner'],
  party_children: ['party_children', 'party_size', 'adults'],
  coming: ['coming', 'rsvp_status'],
  coming_children: ['coming_children', 'coming', 'rsvp_status'],
  tags: ['tags', 'labels', 'table'],
  kosher: ['kosher', 'kashrut_level'],
  mehadrin: ['mehadrin', 'kashrut_level'],
  chalav_yisrael: ['chalav_yisrael', 'kashrut_level'],
};

/** Fields that an error is about, by the error's code, for errors that name no single field. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  same_as_row: ['phone', 'email', 'id'],
  two_guests: ['phone', 'email', 'id'],
  other_name: ['phone', 'email'],
  unknown_id: ['id'],
  full: ['rsvp_status', 'coming', 'party_size'],
};

const isOf = (fields: readonly string[], { field }: ImportColumn): boolean =>
  field !== null && fields.includes(field);

/** Columns of a row that an error is about: those with contents, or else the first one that could contain the value. */
export function wrongColumns(row: ImportRow, columns: readonly ImportColumn[]): ImportColumn[] {
  const { field = '', code = '', cells = {} } = row;
  const there = columns.filter(({ column }) => column in cells);
  const question = field.startsWith('answers.') ? field.slice('answers.'.length) : undefined;
  if (question) return there.filter((column) => column.question === question);
  const fields = field ? [field] : (ABOUT[code] ?? []);
  const own = there.filter((column) => isOf(fields, column));
  const wider = own.length > 0 ? own : there.filter((column) => isOf(PARTS[field] ?? [], column));
  const filled = wider.filter(({ column }) => cells[column] !== '');
  return filled.length > 0 ? filled : wider.slice(0, 1);
}

/**
 * Row as it was when the server asked whether it is a duplicate, before or after the decision; undefined if it did not
 * ask.
 */
export const doubtOf = (row: ImportRow, decided: ImportChoices['decided']): ImportRow | undefined =>
  row.action === 'ask' ? row : row.action === 'refuse' ? undefined : decided[row.ref]?.asked;

export function matchesRowFilter(
  row: ImportRow,
  show: RowFilter,
  decided: ImportChoices['decided'],
): boolean {
  if (show === 'all') return true;
  if (show === 'ask') return doubtOf(row, decided) !== undefined;
  return show === 'warned' ? row.warning !== undefined : row.action === show;
}
