import { stripVTControlCharacters } from 'node:util';

/** Sequences of a terminal for colours and bold text (SGR of ECMA-48). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of a terminal begin with the character ESC
const COLOURS = /\u001b\[[\d;:]{0,64}m/g;
const RESET = '\u001b[0m';
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

/** Line of a log for a terminal: like `printable`, but with its colours, which end with the line. */
export function printableInColour(line: string): string {
  const colours = line.match(COLOURS) ?? [];
  if (colours.length === 0) return printable(line);
  const texts = line.split(COLOURS).map((text, at) => printable(text) + (colours[at] ?? ''));
  return `${texts.join('')}${RESET}`;
}

/** Line of a log as a stream may have it: unchanged for programs. */
export function logLine(
  line: string,
  { isTerminal, hasColours }: { isTerminal: boolean; hasColours: boolean },
): string {
  if (!isTerminal) return line;
  return hasColours ? printableInColour(line) : printable(line);
}
