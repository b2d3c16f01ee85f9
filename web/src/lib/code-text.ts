/** Formats a code as it is typed: capitals, in two groups of four. */
export function codeText(typed: string): string {
  const letters = typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 8);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}

/** Length of a whole code, with its hyphen. */
export const CODE_LENGTH = 9;
