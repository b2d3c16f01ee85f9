import { isFilled } from './sheet.ts';

/** Merged cells that go on below the row in which they begin: what stands in them goes for all of their rows. */
export function createSpans() {
  const open = new Map<number, { text: string; until: number }>();
  return {
    begin(column: number, text: string | undefined, until: number): void {
      if (text !== undefined && isFilled(text)) open.set(column, { text, until });
    },

    /** Only a row with something of its own is one of the list; below its end a merged cell may go on. */
    fill(row: number, cells: string[]): void {
      const isRow = open.size > 0 && cells.some(isFilled);
      for (const [column, { text, until }] of open) {
        if (row > until) open.delete(column);
        else if (isRow && !isFilled(cells[column])) {
          while (cells.length < column) cells.push('');
          cells[column] = text;
        }
      }
    },
  };
}
