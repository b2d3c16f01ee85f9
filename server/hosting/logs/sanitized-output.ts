import { plainText } from './plain-text.ts';
import type { Hide } from './redaction.ts';

const LONGEST_LINE = 8_000;

/** Prepares an untrusted line for a log: without secrets and invisible characters, and with limited length. */
export function sanitizedOutput(line: string, hide: Hide): string {
  const hidden = hide(line);
  const plain = plainText(hidden);
  // Removed characters may have been in the middle of a secret, so the result is searched again.
  const safe = plain === hidden ? plain : hide(plain);
  return safe.slice(0, LONGEST_LINE).toWellFormed();
}
