import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * True if two texts are equal. The time of the comparison reveals neither the position of a difference nor a length.
 */
export function isSameSecret(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}
