/**
 * Number of a sender's newest mails by whose refusals the sender is judged. Only mails whose delivery has ended count
 * here.
 */
export const JUDGED_MAILS = 200;
/**
 * Minimum number of refused mails for which a sender's mail is stopped: anybody with an old list of addresses has a
 * few.
 */
const FEWEST_REFUSED = 20;
const LARGEST_SHARE = 1 / 5;

/**
 * True if mail servers refused so many of a sender's newest mails for good that the sender's mail must stop: mail
 * servers judge this server by its share of refused mails.
 */
export function isRefusedTooOften({ settled, refused }: { settled: number; refused: number }): boolean {
  return refused >= FEWEST_REFUSED && refused > settled * LARGEST_SHARE;
}
