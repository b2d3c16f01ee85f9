import { decodedIn } from './decoded.ts';
import { createSearch, type Span } from './search.ts';
import { secretParts } from './secret-parts.ts';

const MASK = '••••••';

/** Takes what must not be read out of a line. */
export type Hide = (line: string) => string;

/**
 * Hides values in a line, in every form of theirs (secret-parts.ts) and with any of their characters escaped (decoded.ts). It
 * costs no more than in proportion to the line.
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
    let shown = '';
    let from = 0;
    for (const { start, end } of spansIn(text)) {
      shown += text.slice(from, start) + MASK;
      from = end;
    }
    return shown + text.slice(from);
  };
}

/** The same in their order, those that meet as one. */
function joined(spans: Span[]): Span[] {
  const apart: Span[] = [];
  for (const span of spans.sort((one, other) => one.start - other.start)) {
    const last = apart.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else apart.push(span);
  }
  return apart;
}
