/** Formats a mailed sign-in code or a device's code while the user types it: capitals, in two groups of four. */
export function codeText(typed: string): string {
  const letters = typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 8);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}

/** Length of a complete sign-in code or device code, with its hyphen. */
export const CODE_LENGTH = 9;
