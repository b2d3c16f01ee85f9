const ESC = '\\u{1b}';
const ST = '\\u{9c}';
const SEQUENCES = new RegExp(
  [
    // What sets colours and moves the cursor.
    `(?:${ESC}\\[|\\u{9b})[0-?]*[ -/]*[@-~]`,
    // What sets titles and clipboards, with the text of it.
    `${ESC}[\\]PX^_][^\\u{7}${ESC}${ST}]*(?:\\u{7}|${ESC}\\\\|${ST})`,
    `${ESC}[ -/]*[0-~]`,
  ].join('|'),
  'gu',
);
/** Without a shape of their own: they reorder a line, hide in it, or break it. */
const INVISIBLE = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u{fff9}-\u{fffb}]--\t]/gv;

/**
 * A stranger's line as text alone: without a terminal's control sequences (ECMA-48) and without characters that can't
 * be seen, but for tabs. It neither moves a terminal nor shows one thing and says another.
 */
export function plainText(line: string): string {
  return line.toWellFormed().replace(SEQUENCES, '').replace(INVISIBLE, '');
}
