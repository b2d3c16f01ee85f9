/** A sender's newest settled mails, as many as are judged. */
export const JUDGED_MAILS = 200;
/** Fewer happen to anybody with an old list. */
const FEWEST_REFUSED = 20;
const LARGEST_SHARE = 1 / 5;

/** Whether so many of a sender's newest mails were refused for good that their mail stops: mail servers judge ours by that share. */
export function isRefusedTooOften({ settled, refused }: { settled: number; refused: number }): boolean {
  return refused >= FEWEST_REFUSED && refused > settled * LARGEST_SHARE;
}
