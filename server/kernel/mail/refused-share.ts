/** Number of a sender's newest settled mails that are judged. */
export const JUDGED_MAILS = 200;
/** Smallest number of refusals that counts: fewer happen to anybody with an old list. */
const FEWEST_REFUSED = 20;
const LARGEST_SHARE = 1 / 5;

/**
 * True if so many of a sender's newest mails were refused for good that their mail must stop: mail servers judge us by
 * that share.
 */
export function isRefusedTooOften({ settled, refused }: { settled: number; refused: number }): boolean {
  return refused >= FEWEST_REFUSED && refused > settled * LARGEST_SHARE;
}
