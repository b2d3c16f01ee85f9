import { isFilled } from './sheet.ts';

/** Keeps track of merged cells that extend over several rows. Their text applies to each of these rows. */
export function createSpans() {
  const open = new Map<number, { text: string; until: number }>();
  return {
    begin(column: number, text: string | undefined, until: number): void {
      if (text !== undefined && isFilled(text)) open.set(column, { text, until });
    },

    /**
     * Fills the empty cells of a row with the texts of merged cells that began above it. A row without cells of its own
     * stays empty, as a merged cell may extend below the end of the list.
     */
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
