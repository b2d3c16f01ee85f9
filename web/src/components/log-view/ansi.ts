/** Part of a log line in one style. Colors are the eight of a terminal; bright ones count as the same. */
export interface Span {
  text: string;
  color?: Color;
  isBold?: boolean;
  isDim?: boolean;
}

const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
export type Color = (typeof COLORS)[number];

type Style = Omit<Span, 'text'>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of a terminal begin with the character ESC
const SGR = /\u001b\[([\d;:]*)m/g;

/** Text without its sequences for colors. */
export const withoutColors = (text: string): string =>
  text.includes('\u001b') ? text.replace(SGR, '') : text;

/**
 * Spans of a text with the sequences for colors of ECMA-48 (SGR). Other styles are ignored, also concealed text, so that
 * a log hides nothing.
 */
export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let style: Style = {};
  let at = 0;
  for (const found of text.matchAll(SGR)) {
    if (found.index > at) spans.push({ text: text.slice(at, found.index), ...style });
    style = styleAfter(style, (found[1] ?? '').split(/[;:]/).map(Number));
    at = found.index + found[0].length;
  }
  if (at < text.length) spans.push({ text: text.slice(at), ...style });
  return spans;
}

const EXTENDED_FOREGROUND = 38;
const EXTENDED_BACKGROUND = 48;
/** Number of codes behind 38 or 48, by the first of them: `5;n` and `2;r;g;b`. */
const EXTENDED_LENGTH: Readonly<Record<number, number>> = { 5: 2, 2: 4 };

function styleAfter(before: Style, codes: readonly number[]): Style {
  let style = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === EXTENDED_FOREGROUND || code === EXTENDED_BACKGROUND) {
      at += EXTENDED_LENGTH[codes[at + 1] ?? 0] ?? 0;
      continue;
    }
    style = withCode(style, code);
  }
  return style;
}

function withCode({ color, ...style }: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 39) return style;
  const found = COLORS[code >= 90 && code <= 97 ? code - 90 : code - 30];
  if (found) return { ...style, color: found };
  const kept: Style = { ...style, ...(color && { color }) };
  if (code === 1) return { ...kept, isBold: true };
  if (code === 2) return { ...kept, isDim: true };
  if (code === 22) {
    const { isBold: _bold, isDim: _dim, ...plain } = kept;
    return plain;
  }
  return kept;
}
