import {
  DECISIONS,
  type Decision,
  type ImportChoices,
  type ImportColumn,
  type ImportRow,
} from '../api/import.ts';
import type { RowFilter } from '../api/import-search.ts';

/** Columns of an imported file from which a guest field can get its value, for fields with several such columns. */
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

const CONTACTS = ['phone', 'other_phones', 'email', 'other_emails'];

/** Guest fields that cause an import error, by the error's code, for errors that name no single field. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  same_as_row: [...CONTACTS, 'id'],
  two_guests: [...CONTACTS, 'id'],
  other_name: CONTACTS,
  unknown_id: ['id'],
  full: ['rsvp_status', 'coming', 'party_size'],
};

const isOf = (fields: readonly string[], { field }: ImportColumn): boolean =>
  field !== null && fields.includes(field);

/**
 * Columns of an imported row that an error is about: those with contents, or else the first column that could contain
 * the value.
 */
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
 * Row as the server sent it when it asked whether the row is a duplicate, even if the user has decided since; undefined
 * if the server did not ask.
 */
export const doubtOf = (row: ImportRow, decided: ImportChoices['decided']): ImportRow | undefined =>
  isDuplicate(row) ? row : row.action === 'refuse' ? undefined : askedBefore(row, decided);

const isDuplicate = ({ action, code }: ImportRow): boolean => action === 'ask' && code !== 'how_many';

const askedBefore = ({ ref }: ImportRow, decided: ImportChoices['decided']): ImportRow | undefined => {
  const asked = decided[ref]?.asked;
  return asked && isDuplicate(asked) ? asked : undefined;
};

/**
 * Decisions that are possible about an imported row. A row that resembles an earlier row of the file can't update a
 * guest; a row with the phone number or email address of a guest can't become another guest.
 */
export function decisionsOf({ code, looks_like: like }: ImportRow): Decision[] {
  return DECISIONS.filter((one) =>
    one === 'update' ? like?.ref === undefined : one === 'create' ? code !== 'other_name' : true,
  );
}

/** True for an imported family whose row gives no number of people, even if the user has entered one since. */
export const isUncounted = ({ code, family_size: size }: ImportRow): boolean =>
  code === 'how_many' || size !== undefined;

/** Number of rows of an import without the skipped ones, of the people in them, and of rows whose number is not known. */
export function partyTotals(rows: readonly ImportRow[]): { rows: number; people: number; unknown: number } {
  const taken = rows.filter(({ action }) => action !== 'skip');
  return {
    rows: taken.length,
    people: taken.reduce((sum, { party_size: size = 0 }) => sum + size, 0),
    unknown: taken.filter(({ party_size: size }) => size === undefined).length,
  };
}

/** True for an imported row that the user left out although it is no possible duplicate. */
export const isLeftOut = (row: ImportRow, decided: ImportChoices['decided']): boolean =>
  row.action === 'skip' && decided[row.ref] !== undefined && doubtOf(row, decided) === undefined;

export function matchesRowFilter(
  row: ImportRow,
  show: RowFilter,
  decided: ImportChoices['decided'],
): boolean {
  switch (show) {
    case 'all':
      return true;
    case 'left':
      return false;
    case 'ask':
      return doubtOf(row, decided) !== undefined;
    case 'names':
      return row.from_name !== undefined;
    case 'uncounted':
      return isUncounted(row);
    case 'renamed':
      return row.new_name !== undefined;
    case 'warned':
      return row.warning !== undefined;
    default:
      return row.action === show;
  }
}
