import type { ImportReport } from 'simcha-client';

export type ImportedList = ImportReport['lists'][number];

/** Parts of a guest's place in the file: the sheet, the title of a list beside others, the title above the row. */
export type TagSource = 'sheet' | 'list' | 'section';

/** Sheet of a file with the lists on it. */
export interface ImportedSheet {
  name: string;
  lists: ImportedList[];
  /** Number of rows with guests. */
  guests: number;
  /** True if at least one of its lists is read. */
  isRead: boolean;
  /** Reason why nothing of it is read. */
  because: string | undefined;
  /** True if it has a column of names, so that it can be read. */
  hasNames: boolean;
}

/** Sheets of a file, in order. A file without sheets has one without a name. */
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

/** Names of the sheets to read after one was chosen or left out. */
export function withSheet(sheets: readonly ImportedSheet[], changed: string, isRead: boolean): string[] {
  return sheets.filter((sheet) => (sheet.name === changed ? isRead : sheet.isRead)).map(({ name }) => name);
}

/** Names that spreadsheet programs give to sheets. */
const UNNAMED = /^(?:sheet|גיליון|גליון|ورقة|الورقة)\s*\d*$/iu;

/** Places in the file whose names are worth a tag, with these names. */
export function tagNamesOf(lists: readonly ImportedList[]): Readonly<Record<TagSource, string[]>> {
  const read = lists.filter(({ left }) => !left);
  const sheets = [...new Set(read.map(({ sheet }) => sheet))];
  return {
    sheet: sheets.length > 1 && !sheets.some((name) => UNNAMED.test(name)) ? sheets : [],
    list: read.flatMap(({ title }) => title ?? []),
    section: [...new Set(read.flatMap(({ sections }) => sections))],
  };
}

/** Places that become tags: those that the user chose, or else all whose names are worth one. */
export function tagSourcesOf(
  lists: readonly ImportedList[],
  { tagsFrom }: { tagsFrom?: readonly TagSource[] },
): TagSource[] {
  const names = tagNamesOf(lists);
  const worth = (Object.keys(names) as TagSource[]).filter((source) => names[source].length > 0);
  return tagsFrom ? worth.filter((source) => tagsFrom.includes(source)) : worth;
}
