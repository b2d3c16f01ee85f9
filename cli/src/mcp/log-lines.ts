import * as z from 'zod';
import { printable } from '../output/printable.ts';

/** Maximum length of a line that an assistant gets, in UTF-16 units. */
const LONGEST_LINE = 400;

/** Argument for the number of log lines, of which an assistant can only read so many. */
export const numberOfLines = (usual: number) =>
  z.int().min(1).max(200).default(usual).describe('Number of the newest lines.');

/** Newest lines of a log, long ones cut, without escape sequences and control characters. */
export function newestLines(log: unknown, count: number): string[] {
  const lines = String(log)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.slice(-count).map((line) => cut(printable(line)));
}

const cut = (line: string) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} …` : line);
