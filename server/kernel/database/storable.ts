/** A text as a column of PostgreSQL can hold it: with half a character or a NUL in it a stranger's would fail a query that only has to find nothing. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
