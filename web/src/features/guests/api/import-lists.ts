import type { ImportReport } from 'simcha-client';

export type ImportedList = ImportReport['lists'][number];

/**
 * Names in an imported file that can become tags of a guest: of the sheet, of the list (if the sheet has several beside
 * each other), and the title above a group of rows.
 */
export type TagSource = 'sheet' | 'list' | 'section';

/** Sheet of an imported file, with the lists on the sheet. */
export interface ImportedSheet {
  name: string;
  lists: ImportedList[];
  /** Number of guests on the sheet. */
  guests: number;
  /** True if the import reads at least one list of the sheet. */
  isRead: boolean;
  /** Reason why the import reads no list of the sheet. */
  because: string | undefined;
  /** True if some list on the sheet has a column with names, without which the import can't read a list. */
  hasNames: boolean;
}

/** Sheets of an imported file, in order. A file without sheets, such as CSV, counts as one sheet without a name. */
export function sheetsOf(lists: readonly ImportedList[]): ImportedSheet[] {
  return [...Map.groupBy(lists, ({ sheet }) => sheet)].map(([name, own]) => ({
    name,
    lists: own,
    guests: own.reduce((sum, { rows }) => sum + rows, 0),
    isRead: own.some(({ left }) => !left),
    because: own.find(({ left }) => left)?.left_because,
    hasNames: own.some(({ left }) => left !== 'no_names'),
  }));
}

/** Names of the sheets that the import reads after the user chose one or left one out. */
export function withSheet(sheets: readonly ImportedSheet[], changed: string, isRead: boolean): string[] {
  return sheets.filter((sheet) => (sheet.name === changed ? isRead : sheet.isRead)).map(({ name }) => name);
}

/** Default names that spreadsheet programs give to new sheets. */
const UNNAMED = /^(?:sheet|גיליון|גליון|ورقة|الورقة)\s*\d*$/iu;

/** Names in the file that are useful as tags of its guests: of the sheets, of the lists, and of parts of a list. */
export function tagNamesOf(lists: readonly ImportedList[]): Readonly<Record<TagSource, string[]>> {
  const read = lists.filter(({ left }) => !left);
  const sheets = [...new Set(read.map(({ sheet }) => sheet))];
  return {
    sheet: sheets.length > 1 && !sheets.some((name) => UNNAMED.test(name)) ? sheets : [],
    list: read.flatMap(({ title }) => title ?? []),
    section: [...new Set(read.flatMap(({ sections }) => sections))],
  };
}

/**
 * Kinds of names (of the sheet, the list, a part of the list) that become tags: those that the user chose, or else all
 * that are useful.
 */
export function tagSourcesOf(
  lists: readonly ImportedList[],
  { tagsFrom }: { tagsFrom?: readonly TagSource[] },
): TagSource[] {
  const names = tagNamesOf(lists);
  const worth = (Object.keys(names) as TagSource[]).filter((source) => names[source].length > 0);
  return tagsFrom ? worth.filter((source) => tagsFrom.includes(source)) : worth;
}
