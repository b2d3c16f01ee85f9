import { plainText } from './plain-text.ts';
import type { Hide } from './redaction.ts';

const LONGEST_LINE = 8_000;

/** A line of a stranger's as a log shows it: without secrets, invisible characters, and what is too long. */
export function sanitizedOutput(line: string, hide: Hide): string {
  const hidden = hide(line);
  const plain = plainText(hidden);
  // What is taken out of a line may have stood in the middle of a secret.
  const safe = plain === hidden ? plain : hide(plain);
  return safe.slice(0, LONGEST_LINE).toWellFormed();
}
