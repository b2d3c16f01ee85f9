import { posix } from 'node:path';
import type { Entry } from 'yauzl';
import { columnIndexOf, SHEET_LIMITS, SheetProblem, type SheetRow } from './sheet.ts';
import { createSpans } from './spans.ts';
import { appendCellText, localName, openSpreadsheet, type Unpacked } from './unpack.ts';

/**
 * Reads the rows of the first sheet of an XLSX file (ECMA-376) as a stream. Each cell is the text that a person would
 * have typed.
 */
export async function* xlsxRows(path: string): AsyncGenerator<SheetRow> {
  const file = await openSpreadsheet(path);
  try {
    const sheet = await firstSheet(file);
    const shared = file.parts.get('xl/sharedStrings.xml');
    const strings = shared ? await sharedStrings(file, shared) : [];
    yield* sheetRows(file, sheet, strings, await mergedCells(file, sheet));
  } finally {
    file.close();
  }
}

/** Finds the first sheet of the workbook. Sheet files are numbered in the order in which they were created. */
async function firstSheet(file: Unpacked): Promise<Entry> {
  const { parts } = file;
  let id: string | undefined;
  await file.walk(parts.get('xl/workbook.xml'), {
    open: ({ name, attributes }) => {
      if (localName(name) === 'sheet') id ??= attributes['r:id'] ?? attributes['ns0:id'];
    },
  });
  let target: string | undefined;
  await file.walk(parts.get('xl/_rels/workbook.xml.rels'), {
    open: ({ name, attributes }) => {
      if (localName(name) === 'Relationship' && attributes.Id === id) target = attributes.Target;
    },
  });
  const path = target && (target.startsWith('/') ? target.slice(1) : posix.join('xl', target));
  const sheet = parts.get(path ?? 'xl/worksheets/sheet1.xml') ?? parts.get('xl/worksheets/sheet1.xml');
  if (!sheet) throw new SheetProblem('broken');
  return sheet;
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

/**
 * Merged cells that extend below their first row, by that row. The file lists them after the rows, so it is parsed an
 * extra time for them.
 */
async function mergedCells(file: Unpacked, sheet: Entry): Promise<ReadonlyMap<number, readonly Merged[]>> {
  const merged = new Map<number, Merged[]>();
  let count = 0;
  await file.walk(sheet, {
    open: ({ name, attributes }) => {
      if (localName(name) !== 'mergeCell') return;
      count += 1;
      if (count > SHEET_LIMITS.mergedCells) throw new SheetProblem('too_large');
      const [, letters = '', top, bottom] =
        /^([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/.exec(attributes.ref ?? '') ?? [];
      const column = columnIndexOf(letters);
      const [from, until] = [Number(top), Number(bottom)];
      if (column === undefined || column >= SHEET_LIMITS.columns || !(until > from)) return;
      const begun = merged.get(from);
      if (begun) begun.push({ column, until });
      else merged.set(from, [{ column, until }]);
    },
  });
  return merged;
}

async function* sheetRows(
  file: Unpacked,
  entry: Entry,
  strings: readonly string[],
  merged: ReadonlyMap<number, readonly Merged[]>,
): AsyncGenerator<SheetRow> {
  const done: SheetRow[] = [];
  const spans = createSpans();
  let row: string[] = [];
  let unread: number[] = [];
  let number = 0;
  let column = 0;
  let cells = 0;
  let cellsInAll = 0;
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
      cellsInAll += 1;
      if (cells > SHEET_LIMITS.rowCells || cellsInAll > SHEET_LIMITS.sheetCells)
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
        // Some programs write formulas without their value. Such a cell can't be read.
        if (type === 'e' || (isFormula && !hasValue)) unread.push(column);
      }
      if (name !== 'row') return;
      spans.fill(number, row);
      for (const cell of merged.get(number) ?? []) spans.begin(cell.column, row[cell.column], cell.until);
      done.push({ row: number, cells: row, ...(unread.length > 0 && { unread }) });
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
      // Scientific notation such as 5.01234567E8 may be a phone number.
      return value !== '' && Number.isFinite(Number(value)) ? String(Number(value)) : value;
  }
}

/** Decodes `_x000D_` and the like, the form of characters that XML has no form for (ECMA-376, ST_Xstring). */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Collects the text of `t` elements, without phonetic guides among them. */
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
