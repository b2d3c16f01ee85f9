import { COLUMNS, type Column } from './headings.ts';

/** A row as the body a guest could be made from; empty cells are absent, so that they change nothing. */
export function recordOf(
  columns: readonly (Column | undefined)[],
  cells: readonly string[],
): Record<string, unknown> {
  const texts = new Map<Column, string[]>();
  for (const [index, column] of columns.entries()) {
    const text = (cells[index] ?? '').trim();
    if (column && text) texts.set(column, [...(texts.get(column) ?? []), text]);
  }
  const record: Record<string, unknown> = {};
  for (const [column, [first = '', ...more]] of texts) {
    const field = COLUMNS[column];
    record[column] = 'cell' in field ? field.cell.read(column, first, more) : first;
  }
  const { first_name, last_name, ...fields } = record;
  const names = [first_name, last_name].filter(Boolean).join(' ');
  return { ...(names && { name: names }), ...fields };
}
