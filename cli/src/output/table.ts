import stringWidth from 'string-width';
import { isolate } from './bidi.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

export interface Column<T> {
  heading: string;
  /** Text of the column's cell in a row. */
  text: (row: T) => string;
  /** Style of the cell on a terminal; it must not change the width. */
  style?: (text: string, row: T) => string;
  /** True if the cells are aligned on the right, as for numbers. */
  isRight?: boolean;
  /** True if the column becomes narrower when the line is longer than the terminal. */
  canShrink?: boolean;
}

const GAP = '  ';
const NARROWEST = 8;

/**
 * Lays out a table: aligned under headings on a terminal, without columns that are empty in all rows; else one row a
 * line with tabs between the cells and without headings, for programs.
 */
export function tableOf<T>(
  possible: readonly Column<T>[],
  rows: readonly T[],
  { isTerminal, colours, columns: most }: Terminal,
): string {
  if (rows.length === 0) return '';
  const shown = isTerminal ? printable : String;
  const columns = isTerminal ? possible.filter(({ text }) => rows.some((row) => text(row) !== '')) : possible;
  const cells = rows.map((row) => columns.map(({ text }) => singleLine(shown(text(row)))));
  if (!isTerminal) return cells.map((line) => line.join('\t')).join('\n');
  const widths = fit(
    columns.map(({ heading }, i) =>
      Math.max(stringWidth(heading), ...cells.map((line) => stringWidth(line[i] ?? ''))),
    ),
    columns.map(({ canShrink }) => canShrink === true),
    most,
  );
  const layOut = (line: readonly string[], style: (text: string, column: number) => string) =>
    columns
      .map(({ isRight }, i) => {
        const text = truncate(line[i] ?? '', widths[i] ?? 0);
        const space = ' '.repeat((widths[i] ?? 0) - stringWidth(text));
        const styled = style(isolate(text), i);
        return isRight ? space + styled : styled + space;
      })
      .join(GAP)
      .trimEnd();
  const heading = layOut(
    columns.map((column) => column.heading),
    (text) => colours.dim(text),
  );
  const lines = cells.map((line, n) =>
    layOut(line, (text, i) => columns[i]?.style?.(text, rows[n] as T) ?? text),
  );
  return [heading, ...lines].join('\n');
}

/** Lays out names and values under each other, as in the description of one thing. */
export function pairsOf(
  pairs: readonly (readonly [string, string | undefined])[],
  terminal: Terminal,
): string {
  const shown = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
  if (!terminal.isTerminal) return shown.map(([name, value]) => `${name}\t${singleLine(value)}`).join('\n');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown
    .map(([name, value]) => `${terminal.colours.dim(name.padEnd(width))}${GAP}${isolate(printable(value))}`)
    .join('\n');
}

/** Breaks a text between its words into lines of the terminal's width. */
export function wrap(text: string, { columns }: Terminal): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && stringWidth(`${last} ${word}`) > columns) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}

/** Reduces the widths of columns that can shrink, the widest first, until the line fits. */
function fit(widths: readonly number[], canShrink: readonly boolean[], most: number): number[] {
  const fitted = [...widths];
  let excess = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - most;
  while (excess > 0) {
    const candidates = fitted.map((width, i) => (canShrink[i] ? width : 0));
    const widest = Math.max(...candidates);
    if (widest <= NARROWEST) break;
    fitted[candidates.indexOf(widest)] = widest - 1;
    excess -= 1;
  }
  return fitted;
}

/**
 * Shortens a text to a number of the terminal's cells and marks the cut with an ellipsis; letters and their marks stay
 * together.
 */
export function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let cut = '';
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    if (stringWidth(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}

function singleLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
