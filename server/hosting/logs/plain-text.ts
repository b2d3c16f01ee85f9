const ESC = '\\u{1b}';
const ST = '\\u{9c}';
/** Longest kept parameters of a sequence for colours; two colours of 24 bits need 33 characters. */
const LONGEST_COLORS = 64;
/** Terminal sequences for colours and bold text (SGR of ECMA-48). */
const COLORS = new RegExp(`${ESC}\\[[\\d;:]{0,${LONGEST_COLORS}}m`, 'gu');
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
const CUT_OFF = new RegExp(`${ESC}(?:\\[[\\d;:]*)?$`, 'u');
/** Pattern for invisible characters, which can reorder a line of a log, hide in it, or break it. */
const INVISIBLE = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u{fff9}-\u{fffb}]--\t]/gv;

/**
 * Reduces untrusted text to visible characters and tabs: without control sequences of terminals (ECMA-48) and without
 * invisible characters. The result can't control a terminal or look different from its content.
 */
export function plainText(line: string): string {
  return line.toWellFormed().replace(SEQUENCES, '').replace(INVISIBLE, '');
}

/**
 * Reduces untrusted text like `plainText`, but keeps its sequences for colours: the only ones in the result. They do not
 * conceal text.
 */
export function coloredText(line: string): string {
  const colors = (line.match(COLORS) ?? []).map(withoutConceal);
  return line
    .split(COLORS)
    .map((text, at) => plainText(text) + (colors[at] ?? ''))
    .join('');
}

const CONCEAL = 8;
/** Number of codes that follow code 38, 48 or 58, by the first of them: `5;n` and `2;r;g;b`. */
const LENGTH_OF_COLOR: Readonly<Record<string, number>> = { 5: 2, 2: 4 };
const BEGINS_COLOR = /^0*[345]8$/;

/** Sequence for colours without its code that conceals text; empty if no code is left. */
function withoutConceal(sequence: string): string {
  const codes = sequence.slice(2, -1).split(';');
  const left: string[] = [];
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? '';
    const following = BEGINS_COLOR.test(code) ? (LENGTH_OF_COLOR[Number(codes[at + 1])] ?? 0) : 0;
    if (Number(code.split(':')[0]) !== CONCEAL) left.push(...codes.slice(at, at + 1 + following));
    at += following;
  }
  return left.length === 0 ? '' : `\x1b[${left.join(';')}m`;
}

/** Text of `coloredText` without its sequences for colours. */
export function withoutColors(text: string): string {
  return text.includes('\x1b') ? text.replace(COLORS, '') : text;
}

/** First `most` UTF-16 code units of a text of `coloredText`, without a sequence that is cut off. */
export function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, most).replace(CUT_OFF, '').toWellFormed();
}
