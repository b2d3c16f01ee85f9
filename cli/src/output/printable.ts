import { stripVTControlCharacters } from 'node:util';

/** Control characters but for line breaks and tabs. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;
/** Characters that turn the direction of the text after them around, up to the end of the line. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * Text of others, such as a guest's name or a site's output, without what a terminal would obey: escape sequences,
 * control characters and marks of direction.
 */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(CONTROLS, '').replaceAll(DIRECTIONS, '');
}
