const ESC = '\\u{1b}';
const ST = '\\u{9c}';
const SEQUENCES = new RegExp(
  [
    // Terminal sequences for colours and cursor movements
    `(?:${ESC}\\[|\\u{9b})[0-?]*[ -/]*[@-~]`,
    // Terminal sequences for titles and clipboards, with their text
    `${ESC}[\\]PX^_][^\\u{7}${ESC}${ST}]*(?:\\u{7}|${ESC}\\\\|${ST})`,
    `${ESC}[ -/]*[0-~]`,
  ].join('|'),
  'gu',
);
/** Pattern for invisible characters, which can reorder a line of a log, hide in it, or break it. */
const INVISIBLE = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u{fff9}-\u{fffb}]--\t]/gv;

/**
 * Reduces untrusted text to visible characters and tabs: without control sequences of terminals (ECMA-48) and without
 * invisible characters. The result can't control a terminal or look different from its content.
 */
export function plainText(line: string): string {
  return line.toWellFormed().replace(SEQUENCES, '').replace(INVISIBLE, '');
}
