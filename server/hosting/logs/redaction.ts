import { decodedIn } from './decoded.ts';
import { createSearch, type Span } from './search.ts';
import { secretParts } from './secret-parts.ts';

const MASK = '••••••';

/** Function that replaces secrets in a line of a log. */
export type Hide = (line: string) => string;

/**
 * Creates a function that hides values in a line, in all their encodings (secret-parts.ts) and with any characters
 * escaped (decoded.ts). Runs in time linear in the line.
 */
export function createRedactor(values: Iterable<string>): Hide {
  const search = createSearch(secretParts(values));
  const spansIn = (text: string): Span[] => {
    const spans = search(text);
    for (const { text: decoded, at } of decodedIn(text)) {
      for (const { start, end } of search(decoded)) spans.push({ start: at[start] ?? 0, end: at[end] ?? 0 });
    }
    return joined(spans);
  };
  return (line) => {
    const text = line.toWellFormed();
    let redacted = '';
    let from = 0;
    for (const { start, end } of spansIn(text)) {
      redacted += text.slice(from, start) + MASK;
      from = end;
    }
    return redacted + text.slice(from);
  };
}

/** Sorts ranges of a text by their beginning, and merges those that overlap or touch. */
function joined(spans: Span[]): Span[] {
  const apart: Span[] = [];
  for (const span of spans.sort((one, other) => one.start - other.start)) {
    const last = apart.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else apart.push(span);
  }
  return apart;
}
