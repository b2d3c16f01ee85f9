import { LARGEST_PARTY } from '../fields.ts';
import { normalizeWord } from '../sheets/words.ts';
import { mayBeRowNumber } from './headings.ts';

/** Part of a column's cells that must look like row numbers for the column to count as row numbers. */
const NEARLY = 0.9;
/**
 * Minimum number of unordered values that count as row numbers. Shorter columns may be party sizes that happen to be
 * distinct.
 */
const FEWEST_OUT_OF_ORDER = 8;
/** Row numbers of a list from which rows were deleted reach at most this multiple of the number of rows. */
const FARTHEST_APART = 3;

/**
 * True if the numbers of a column number the rows: consecutive, or, in a list that was sorted or shortened, distinct.
 */
export function areRowNumbers(texts: readonly string[], heading = ''): boolean {
  const numbers = texts.map(rowNumberIn).filter((number) => number !== undefined);
  const steps = numbers.slice(1).filter((number, at) => number === (numbers[at] ?? 0) + 1).length;
  // Two rows with the numbers 1 and 2 prove nothing: they may be parties of one and two people.
  const areSteps = steps >= (mayBeRowNumber(heading) ? 1 : 2) && steps >= (texts.length - 1) * NEARLY;
  return areSteps || areOutOfOrder(numbers, texts.length);
}

/** Reads a row number, written `7`, `7.`, `7)` or `#7`; undefined if the text is none. */
function rowNumberIn(text: string): number | undefined {
  const [, digits] = /^#? ?(\d{1,6})(?:\.0+)?\)?$/.exec(normalizeWord(text)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Recognizes row numbers that are out of order: they are distinct and close together. Sizes of families repeat, and
 * distinct sizes of a few large groups are far apart.
 */
function areOutOfOrder(numbers: readonly number[], rows: number): boolean {
  const most = Math.max(0, ...numbers);
  const areDistinct = numbers.length >= FEWEST_OUT_OF_ORDER && new Set(numbers).size >= rows * NEARLY;
  if (!areDistinct || most < rows * NEARLY) return false;
  const grow = numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
  return grow || most <= rows * FARTHEST_APART || most > LARGEST_PARTY;
}
