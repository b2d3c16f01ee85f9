const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Bidirectional control characters: they reorder the text after them, even beyond the end of their own text. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/u;
const SEEN = /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/** True if a text is visible, is on a single line, and does not reorder the text beside it. */
export function isSingleLine(text: string): boolean {
  return !BREAKS.test(text) && !TURNS.test(text) && SEEN.test(text);
}

/** Text on a single line, without characters that break or reorder it; empty if nothing visible remains. */
export function toSingleLine(text: string): string {
  const line = text
    .toWellFormed()
    .replace(new RegExp(`(?:${BREAKS.source}|${TURNS.source})+`, 'gu'), ' ')
    .trim();
  return SEEN.test(line) ? line : '';
}
