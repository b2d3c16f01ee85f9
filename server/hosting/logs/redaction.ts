import { createSearch } from './search.ts';
import { secretParts } from './secret-parts.ts';

const MASK = '••••••';

/** Takes what must not be read out of a line. */
export type Hide = (line: string) => string;

/** Hides values in a line, in every form of theirs (secret-parts.ts). It costs no more than in proportion to the line. */
export function createRedactor(values: Iterable<string>): Hide {
  const search = createSearch(secretParts(values));
  return (line) => {
    const text = line.toWellFormed();
    let shown = '';
    let from = 0;
    for (const { start, end } of search(text)) {
      shown += text.slice(from, start) + MASK;
      from = end;
    }
    return shown + text.slice(from);
  };
}
