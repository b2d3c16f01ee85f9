import type { SaxesTagPlain } from 'saxes';
import { isFilled, SHEET_LIMITS, type SheetPart, SheetProblem } from './sheet.ts';
import { createSpans } from './spans.ts';
import { appendCellText, localName, openSpreadsheet, type Unpacked } from './unpack.ts';

/**
 * Reads the rows of all sheets of an OpenDocument spreadsheet (OASIS, OpenDocument 1.3, part 3, 9) as a stream, each
 * sheet after its beginning. Cells and rows can be declared to repeat; the limits of a list apply to the repetitions.
 */
export async function* odsRows(path: string): AsyncGenerator<SheetPart> {
  const file = await openSpreadsheet(path);
  try {
    await refuseEncrypted(file);
    yield* sheetRows(file);
  } finally {
    file.close();
  }
}

async function refuseEncrypted(file: Unpacked): Promise<void> {
  const manifest = file.parts.get('META-INF/manifest.xml');
  if (!manifest) return;
  await file.walk(manifest, {
    open: ({ name }) => {
      if (localName(name) === 'encryption-data') throw new SheetProblem('encrypted');
    },
  });
}

interface RepeatedRow {
  cells: string[];
  unread: number[];
  wide: number[];
  /** Cells of the row that are merged with cells of the rows below. */
  merged: { column: number; rows: number }[];
  times: number;
}

async function* sheetRows(file: Unpacked): AsyncGenerator<SheetPart> {
  const done: (RepeatedRow | { sheet: string; isHidden: boolean })[] = [];
  const hiddenStyles = new Set<string>();
  let style = '';
  let tables = 0;
  /** Number of tables in which the parser is at present. A cell may contain a table of its own, which is skipped. */
  let within = 0;
  let cells: string[] = [];
  let unread: number[] = [];
  let wide: number[] = [];
  let merged: RepeatedRow['merged'] = [];
  let column = 0;
  let count = 0;
  let countInAll = 0;
  let cell: SaxesTagPlain['attributes'] = {};
  let rowTimes = 1;
  const text = paragraphs();
  const pieces = file.read(file.parts.get('content.xml'), {
    open: ({ name, attributes }) => {
      if (localName(name) === 'style') style = attributes['style:name'] ?? '';
      if (localName(name) === 'table-properties' && attributes['table:display'] === 'false')
        hiddenStyles.add(style);
      if (localName(name) === 'table') {
        within += 1;
        if (within === 1) {
          tables += 1;
          if (tables > SHEET_LIMITS.sheets) throw new SheetProblem('too_large');
          const isHidden = hiddenStyles.has(attributes['table:style-name'] ?? '');
          done.push({ sheet: attributes['table:name'] ?? '', isHidden });
        }
      }
      if (within > 1) return;
      text.open(localName(name), attributes);
      switch (localName(name)) {
        case 'table-row':
          cells = [];
          unread = [];
          wide = [];
          merged = [];
          column = 0;
          count = 0;
          rowTimes = repeated(attributes['table:number-rows-repeated']);
          break;
        case 'table-cell':
        case 'covered-table-cell':
          count += 1;
          countInAll += 1;
          if (count > SHEET_LIMITS.rowCells || countInAll > SHEET_LIMITS.sheetCells)
            throw new SheetProblem('too_large');
          cell = attributes;
          text.take();
      }
    },
    text: (part) => {
      if (within <= 1) text.add(part);
    },
    close: (tag) => {
      const name = localName(tag);
      if (name === 'table') within -= 1;
      if (within > 1 || (within === 1 && name === 'table')) return;
      text.close(name);
      if (name === 'table-cell' || name === 'covered-table-cell') {
        const times = repeated(cell['table:number-columns-repeated']);
        // Cells hidden by a merge may still have an old text, so only a visible `table-cell` is read.
        const isUnread = name === 'table-cell' && isUnreadable(cell);
        const value = name === 'table-cell' && !isUnread ? cellText(cell, text.take()) : '';
        const rows = repeated(cell['table:number-rows-spanned']);
        if (rows > 1 && column < SHEET_LIMITS.columns) merged.push({ column, rows });
        else if (repeated(cell['table:number-columns-spanned']) > 1) wide.push(column);
        const end = Math.min(column + times, SHEET_LIMITS.columns);
        if (isFilled(value)) {
          while (cells.length < column) cells.push('');
          while (cells.length < end) cells.push(value);
        }
        if (isUnread) for (let at = column; at < end; at += 1) unread.push(at);
        column += times;
      }
      if (name === 'table-row') {
        done.push({ cells, unread, wide, merged, times: rowTimes });
      }
    },
  });
  let spans = createSpans();
  let row = 0;
  for await (const _ of pieces) {
    for (const part of done.splice(0)) {
      if ('sheet' in part) {
        row = 0;
        spans = createSpans();
        yield part;
        continue;
      }
      const { cells: own, unread: notRead, wide: titles, merged: starts, times } = part;
      if (!own.some(isFilled) && notRead.length === 0) {
        row += times;
        continue;
      }
      if (times > SHEET_LIMITS.rows) throw new SheetProblem('too_many_rows');
      for (let time = 0; time < times; time += 1) {
        row += 1;
        const filled = [...own];
        spans.fill(row, filled);
        for (const { column: at, rows } of starts) spans.begin(at, filled[at], row + rows - 1);
        yield {
          row,
          cells: filled,
          ...(notRead.length > 0 && { unread: notRead }),
          ...(titles.length > 0 && { wide: titles }),
        };
      }
    }
  }
}

function repeated(times: string | undefined): number {
  const number = Number(times ?? 1);
  return Number.isInteger(number) && number > 0 && number <= SHEET_LIMITS.sheetRows ? number : 1;
}

/** True for a cell that can't be read: an error, as LibreOffice marks it, or a formula without a stored value. */
function isUnreadable(cell: SaxesTagPlain['attributes']): boolean {
  const isFormula = cell['table:formula'] !== undefined;
  return cell['calcext:value-type'] === 'error' || (isFormula && cell['office:value-type'] === undefined);
}

/** Text of a cell. For numbers it is the stored value, not the displayed text: `501,234,567` may be a phone number. */
function cellText(cell: SaxesTagPlain['attributes'], text: string): string {
  switch (cell['office:value-type']) {
    case 'float':
      return String(Number(cell['office:value'] ?? text));
    case 'boolean':
      return cell['office:boolean-value'] ?? text;
    default:
      return text;
  }
}

/** Collects the text of a cell's paragraphs, one line for each, without annotations. */
function paragraphs() {
  let collected = '';
  let lines = 0;
  let depth = 0;
  let annotations = 0;
  const add = (part: string) => {
    if (depth > 0 && annotations === 0) collected = appendCellText(collected, part);
  };
  return {
    add,
    open(name: string, attributes: SaxesTagPlain['attributes']) {
      if (name === 'annotation') annotations += 1;
      if (annotations > 0) return;
      if (name === 'p') {
        depth += 1;
        lines += 1;
        if (lines > 1) add('\n');
      }
      // In an ODF file, repeated spaces are one space and a count.
      if (name === 's')
        add(' '.repeat(Math.min(repeated(attributes['text:c']), SHEET_LIMITS.cellCharacters)));
      if (name === 'tab') add('\t');
      if (name === 'line-break') add('\n');
    },
    close(name: string) {
      if (name === 'annotation') annotations -= 1;
      else if (name === 'p' && annotations === 0) depth -= 1;
    },
    take(): string {
      const text = collected;
      collected = '';
      lines = 0;
      return text;
    },
  };
}
