const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Turn around what stands behind them, also behind the text's own end. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/u;
const SEEN = /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a text stands on one line, can be seen, and leaves what stands beside it as it is. */
export function isOneLine(text: string): boolean {
  return !BREAKS.test(text) && !TURNS.test(text) && SEEN.test(text);
}

/** A text with what is not for one line left out: none, where nothing is to be seen. */
export function onOneLine(text: string): string {
  const line = text
    .toWellFormed()
    .replace(new RegExp(`(?:${BREAKS.source}|${TURNS.source})+`, 'gu'), ' ')
    .trim();
  return SEEN.test(line) ? line : '';
}
