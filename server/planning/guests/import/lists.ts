import type { QuestionColumn } from '../question-columns.ts';
import { csvRows } from '../sheets/csv.ts';
import { odsRows } from '../sheets/ods.ts';
import {
  detectFormat,
  isFilled,
  isSheetStart,
  SHEET_LIMITS,
  type SheetPart,
  SheetProblem,
  type SheetRow,
  type SheetStart,
} from '../sheets/sheet.ts';
import { vcardRows } from '../sheets/vcard.ts';
import { xlsxRows } from '../sheets/xlsx.ts';
import { type GuestList, hasNames } from './guest-list.ts';
import { countKnownHeadings, detectLists, HEADINGS_WITHIN, ROWS_BELOW_HEADINGS } from './layout.ts';
import type { Mapping } from './mapping.ts';

const READERS = {
  csv: (path: string) => csvRows(path, (cells) => countKnownHeadings(cells)),
  xlsx: xlsxRows,
  ods: odsRows,
  vcard: vcardRows,
};

/** Sheet of a file with its rows, which must be read before the next sheet. */
export interface Sheet extends SheetStart {
  sheetIndex: number;
  rows: AsyncGenerator<SheetRow>;
}

/** Reads the sheets of a file one after the other, with their filled rows. Throws a SheetProblem. */
export async function* sheetsIn(path: string): AsyncGenerator<Sheet> {
  const source = filledRows(path);
  try {
    let start = await source.next();
    for (let sheetIndex = 0; !start.done; sheetIndex += 1) {
      if (!isSheetStart(start.value)) throw new Error('rows before a sheet');
      let next: IteratorResult<SheetPart> | undefined;
      const rows = (async function* () {
        for (next = await source.next(); !next.done && !isSheetStart(next.value); next = await source.next())
          yield next.value;
      })();
      yield { ...start.value, sheetIndex, rows };
      // The remaining rows of the sheet are read and ignored, as the caller may have left some.
      for await (const _ of rows);
      start = next ?? (await source.next());
    }
  } finally {
    await source.return(undefined);
  }
}

async function* filledRows(path: string): AsyncGenerator<SheetPart, void> {
  const read = READERS[await detectFormat(path)];
  let count = 0;
  let characters = 0;
  for await (const part of read(path)) {
    if (isSheetStart(part)) {
      yield part;
      continue;
    }
    count += 1;
    if (count > SHEET_LIMITS.sheetRows) throw new SheetProblem('too_many_rows');
    // The limits are checked before a row's texts are copied: a repeated text is in memory only once until then.
    const own = part.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (own > SHEET_LIMITS.rowCharacters) throw new SheetProblem('row_too_large');
    characters += own;
    if (characters > SHEET_LIMITS.characters) throw new SheetProblem('text_too_large');
    if (part.unread || part.cells.some(isFilled)) yield part;
  }
}

/** Usual names of sheets that contain vendors, money or tasks, and no guests. */
const OTHER_CONTENT =
  /ספק|תקציב|הוצאות|תשלומים|משימות|לוח זמנים|לו"ז|הוראות|הסבר|מתנות|vendor|supplier|budget|expense|payment|task|to.?do|checklist|timeline|schedule|instruction|read ?me|gifts|ميزانية|موردون|مهام|مصاريف|تعليمات|هدايا/iu;

export interface ListOptions {
  mapping: Mapping;
  questions?: readonly QuestionColumn[] | undefined;
  /** Names of the sheets to read; if absent, all sheets that contain guests are read. */
  sheets?: readonly string[] | undefined;
}

/** Detects the lists of a sheet; an empty sheet has none. Returns them with the rows read for it. */
export async function listsIn(
  sheet: Sheet,
  { mapping, questions, sheets }: ListOptions,
  matched: Set<string>,
): Promise<{ lists: GuestList[]; start: SheetRow[] }> {
  const start: SheetRow[] = [];
  for (let next = await sheet.rows.next(); !next.done; next = await sheet.rows.next()) {
    start.push(next.value);
    if (start.length === HEADINGS_WITHIN + ROWS_BELOW_HEADINGS) break;
  }
  if (start.length === 0) return { lists: [], start };
  const lists = detectLists(sheet, start, mapping, questions, matched).map((list) => {
    const left = whyLeft(sheet, list, sheets);
    return left ? { ...list, left } : list;
  });
  return { lists, start };
}

function whyLeft(
  { sheet, isHidden }: SheetStart,
  list: GuestList,
  sheets: readonly string[] | undefined,
): GuestList['left'] {
  if (sheets) {
    if (!sheets.includes(sheet)) return 'not_chosen';
  } else if (isHidden) return 'hidden';
  if (!hasNames(list)) return 'no_names';
  return !sheets && OTHER_CONTENT.test(sheet) ? 'other_content' : undefined;
}
