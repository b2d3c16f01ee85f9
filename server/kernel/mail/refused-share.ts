/**
 * Number of a sender's newest mails by whose refusals the sender is judged. Only mails whose delivery has ended count
 * here.
 */
export const JUDGED_MAILS = 200;
export interface RefusalLimit {
  /** Minimum number of refused mails for which mails are stopped or slowed. */
  fewest: number;
  /** Largest share of refused mails that is tolerated. */
  share: number;
}

/**
 * Limits for refused mails. `sender`: a sender's own mails; anybody with an old list of addresses has a few refusals.
 * `network`: mails that visitors from one network requested. `visitors`: mails that visitors from all networks
 * requested. It is the last resort against an attacker with many networks, because it slows the mails of all visitors.
 */
export const REFUSAL_LIMITS = {
  sender: { fewest: 20, share: 1 / 5 },
  network: { fewest: 5, share: 1 / 5 },
  visitors: { fewest: 100, share: 1 / 2 },
} as const satisfies Record<string, RefusalLimit>;

/**
 * True if mail servers refused too many of the newest mails for good: mail servers judge this server by its share of
 * refused mails.
 */
export function isRefusedTooOften(
  { settled, refused }: { settled: number; refused: number },
  { fewest, share }: RefusalLimit,
): boolean {
  return refused >= fewest && refused > settled * share;
}
