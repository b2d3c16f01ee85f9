/**
 * Makes a text storable in PostgreSQL: half a character or a NUL in a stranger's text would make even a search for it
 * fail.
 */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
