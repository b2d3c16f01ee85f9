import { coloredText, headOf, plainText, withoutColors } from './plain-text.ts';
import type { Hide } from './redaction.ts';

const LONGEST_LINE = 8_000;

/** Prepares an untrusted line for a log: without secrets and invisible characters, and with limited length. */
export function sanitizedOutput(line: string, hide: Hide): string {
  const hidden = hide(line);
  const plain = plainText(hidden);
  // A secret may have had invisible characters in its middle, which are removed now; so the text is searched for
  // secrets again.
  const safe = plain === hidden ? plain : hide(plain);
  return safe.slice(0, LONGEST_LINE).toWellFormed();
}

/**
 * Prepares an untrusted line for a log like `sanitizedOutput`, with its colours. A line in which a secret has a colour
 * in its middle loses all colours.
 */
export function sanitizedColors(line: string, hide: Hide): string {
  const colored = coloredText(hide(line));
  const plain = withoutColors(colored);
  return hide(plain) === plain ? headOf(colored, LONGEST_LINE) : sanitizedOutput(line, hide);
}
