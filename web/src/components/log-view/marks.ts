import { type Span, spansOf } from './ansi.ts';

/** Part of a log line: a match of the search, which may have several colors, or the text between two matches. */
export interface Part {
  isMatch: boolean;
  spans: Span[];
}

/**
 * Text in lower case, for searching. It is as long as the text: the few letters whose lower case is longer, such as
 * `İ`, stay, because otherwise positions would differ.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  }).join('');
}

/** Parts of a text with sequences for colors. `searched` is in the form of `foldCase`; empty: nothing is a match. */
export function partsOf(text: string, searched: string): Part[] {
  const spans = spansOf(text);
  const parts: Part[] = [];
  let from = 0;
  const add = (to: number, isMatch: boolean) => {
    if (to > from) parts.push({ isMatch, spans: cut(spans, from, to) });
    from = to;
  };
  const folded = foldCase(spans.map((span) => span.text).join(''));
  if (searched !== '') {
    for (let at = folded.indexOf(searched); at >= 0; at = folded.indexOf(searched, from)) {
      add(at, false);
      add(at + searched.length, true);
    }
  }
  add(folded.length, false);
  return parts;
}

/** Spans of the characters between two positions of their text. */
function cut(spans: readonly Span[], from: number, to: number): Span[] {
  const found: Span[] = [];
  let at = 0;
  for (const span of spans) {
    const text = span.text.slice(Math.max(from - at, 0), Math.max(to - at, 0));
    if (text !== '') found.push({ ...span, text });
    at += span.text.length;
  }
  return found;
}
