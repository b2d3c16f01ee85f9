import { posix } from 'node:path';
import type { Entry } from 'yauzl';
import { columnIndexOf, SHEET_LIMITS, type SheetPart, SheetProblem, type SheetRow } from './sheet.ts';
import { createSpans } from './spans.ts';
import { appendCellText, localName, openSpreadsheet, type Unpacked } from './unpack.ts';

/**
 * Reads the rows of all sheets of an XLSX file (ECMA-376) as a stream, each sheet after its beginning. Each cell is the
 * text that a person would have typed.
 */
export async function* xlsxRows(path: string): AsyncGenerator<SheetPart> {
  const file = await openSpreadsheet(path);
  try {
    const sheets = await sheetsOf(file);
    const shared = file.parts.get('xl/sharedStrings.xml');
    const strings = shared ? await sharedStrings(file, shared) : [];
    const counted = { cells: 0, merged: 0 };
    for (const { name, isHidden, entry } of sheets) {
      yield { sheet: name, isHidden };
      yield* sheetRows(file, entry, strings, await mergedCells(file, entry, counted), counted);
    }
  } finally {
    file.close();
  }
}

/** Numbers of cells and of merged cells that were read of the workbook so far, to check them against the limits. */
interface Counted {
  cells: number;
  merged: number;
}

interface WorkbookSheet {
  name: string;
  isHidden: boolean;
  entry: Entry;
}

/**
 * Finds the worksheets in the order of their tabs. Sheet files are numbered in the order in which they were created.
 */
async function sheetsOf(file: Unpacked): Promise<WorkbookSheet[]> {
  const { parts } = file;
  const tabs: { name: string; isHidden: boolean; id: string | undefined }[] = [];
  await file.walk(parts.get('xl/workbook.xml'), {
    open: ({ name, attributes }) => {
      if (localName(name) !== 'sheet') return;
      if (tabs.length === SHEET_LIMITS.sheets) throw new SheetProblem('too_large');
      tabs.push({
        name: attributes.name ?? '',
        isHidden: (attributes.state ?? 'visible') !== 'visible',
        id: attributes['r:id'] ?? attributes['ns0:id'],
      });
    },
  });
  const targets = new Map<string, string>();
  await file.walk(parts.get('xl/_rels/workbook.xml.rels'), {
    open: ({ name, attributes: { Id = '', Target = '', Type = '/worksheet' } }) => {
      // Only worksheets are read: a chart can have a tab of its own in a workbook.
      if (localName(name) === 'Relationship' && Type.endsWith('/worksheet'))
        targets.set(Id, Target.startsWith('/') ? Target.slice(1) : posix.join('xl', Target));
    },
  });
  const read = new Set<Entry>();
  const sheets = tabs.flatMap(({ name, isHidden, id = '' }) => {
    const entry = parts.get(targets.get(id) ?? '');
    // Many tabs of a workbook can name the same sheet file. It is read only once, because the limits count its size
    // only once.
    if (!entry || read.has(entry)) return [];
    read.add(entry);
    return [{ name, isHidden, entry }];
  });
  if (sheets.length > 0) return sheets;
  const entry = parts.get('xl/worksheets/sheet1.xml');
  if (!entry) throw new SheetProblem('broken');
  return [{ name: tabs[0]?.name ?? '', isHidden: false, entry }];
}

async function sharedStrings(file: Unpacked, entry: Entry): Promise<string[]> {
  const strings: string[] = [];
  const text = textCollector();
  await file.walk(entry, {
    open: (tag) => text.open(tag),
    text: (part) => text.add(part),
    close: (name) => {
      text.close(name);
      if (localName(name) !== 'si') return;
      if (strings.length === SHEET_LIMITS.sharedTexts) throw new SheetProblem('too_large');
      strings.push(text.take());
    },
  });
  return strings;
}

interface Merged {
  column: number;
  until: number;
}

/** Merged cells of a sheet, by the first row of each. */
interface MergedCells {
  /** Merged cells of a sheet that extend over several rows, by the first row of each. */
  down: ReadonlyMap<number, readonly Merged[]>;
  /** Columns at which a cell begins that is merged over several columns of one row, by the index of that row. */
  wide: ReadonlyMap<number, readonly number[]>;
}

/** Reads the merged cells of a sheet, which the file lists after the rows, in a pass of their own. */
async function mergedCells(file: Unpacked, sheet: Entry, counted: Counted): Promise<MergedCells> {
  const down = new Map<number, Merged[]>();
  const wide = new Map<number, number[]>();
  await file.walk(sheet, {
    open: ({ name, attributes }) => {
      if (localName(name) !== 'mergeCell') return;
      counted.merged += 1;
      if (counted.merged > SHEET_LIMITS.mergedCells) throw new SheetProblem('too_large');
      const [, letters = '', top, last, bottom] =
        /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(attributes.ref ?? '') ?? [];
      const column = columnIndexOf(letters);
      const [from, until] = [Number(top), Number(bottom)];
      if (column === undefined || column >= SHEET_LIMITS.columns) return;
      if (until > from) append(down, from, { column, until });
      else if (until === from && last !== letters) append(wide, from, column);
    },
  });
  return { down, wide };
}

function append<T>(lists: Map<number, T[]>, key: number, value: T): void {
  const begun = lists.get(key);
  if (begun) begun.push(value);
  else lists.set(key, [value]);
}

async function* sheetRows(
  file: Unpacked,
  entry: Entry,
  strings: readonly string[],
  merged: MergedCells,
  counted: Counted,
): AsyncGenerator<SheetRow> {
  const done: SheetRow[] = [];
  const spans = createSpans();
  let row: string[] = [];
  let unread: number[] = [];
  let number = 0;
  let column = 0;
  let cells = 0;
  let type = '';
  let value = '';
  let inValue = false;
  let hasValue = false;
  let isFormula = false;
  const text = textCollector();
  const pieces = file.read(entry, {
    open: (tag) => {
      const name = localName(tag.name);
      text.open(tag);
      if (name === 'row') {
        row = [];
        unread = [];
        cells = 0;
        number = Math.max(number + 1, rowNamed(tag.attributes.r));
      }
      if (name === 'v') {
        inValue = true;
        hasValue = true;
      }
      if (name === 'f') isFormula = true;
      if (name !== 'c') return;
      cells += 1;
      counted.cells += 1;
      if (cells > SHEET_LIMITS.rowCells || counted.cells > SHEET_LIMITS.sheetCells)
        throw new SheetProblem('too_large');
      type = tag.attributes.t ?? '';
      value = '';
      hasValue = false;
      isFormula = false;
      text.take();
      column = columnIndexOf(/^[A-Z]+/.exec(tag.attributes.r ?? '')?.[0] ?? '') ?? row.length;
    },
    text: (part) => {
      if (inValue) value = appendCellText(value, part);
      text.add(part);
    },
    close: (tag) => {
      const name = localName(tag);
      text.close(tag);
      if (name === 'v') inValue = false;
      if (name === 'c' && column < SHEET_LIMITS.columns) {
        while (row.length < column) row.push('');
        row[column] = cellText(type, value, text.take(), strings);
        // A formula cell without a stored value, as some programs write it, can't be read.
        if (type === 'e' || (isFormula && !hasValue)) unread.push(column);
      }
      if (name !== 'row') return;
      spans.fill(number, row);
      for (const cell of merged.down.get(number) ?? [])
        spans.begin(cell.column, row[cell.column], cell.until);
      const wide = merged.wide.get(number);
      done.push({ row: number, cells: row, ...(unread.length > 0 && { unread }), ...(wide && { wide }) });
    },
  });
  for await (const _ of pieces) yield* done.splice(0);
}

/** Number of a row as the file gives it, because a file may leave out empty rows; 0 if it gives none. */
function rowNamed(reference: string | undefined): number {
  const number = Number(reference ?? 0);
  return Number.isInteger(number) && number <= SHEET_LIMITS.sheetRows ? number : 0;
}

function cellText(type: string, value: string, inline: string, strings: readonly string[]): string {
  switch (type) {
    case 's':
      return strings[Number(value)] ?? '';
    case 'inlineStr':
      return inline;
    case 'str':
      return unescaped(value);
    case 'b':
      return value === '1' ? 'true' : 'false';
    case 'e':
      return '';
    default:
      // A number in scientific notation, such as 5.01234567E8, may be a phone number and is written out.
      return value !== '' && Number.isFinite(Number(value)) ? String(Number(value)) : value;
  }
}

/**
 * Decodes `_x000D_` and the like in a cell's text: such codes stand for characters that XML can't contain (ECMA-376,
 * ST_Xstring).
 */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/**
 * Collects the text of a cell from the `t` elements of the XML, without the pronunciation guides of East Asian texts.
 */
function textCollector() {
  let collected = '';
  let inText = false;
  let inPhonetics = false;
  return {
    open({ name }: { name: string }) {
      if (localName(name) === 't') inText = !inPhonetics;
      if (localName(name) === 'rPh') inPhonetics = true;
    },
    add(part: string) {
      if (inText) collected = appendCellText(collected, part);
    },
    close(name: string) {
      if (localName(name) === 't') inText = false;
      if (localName(name) === 'rPh') inPhonetics = false;
    },
    take(): string {
      const text = unescaped(collected);
      collected = '';
      return text;
    },
  };
}
