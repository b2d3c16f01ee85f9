/** Limits of a command's output per second. Unused room is saved up, within bounds. */
export const LINES_A_SECOND = 1_000;
export const MOST_LINES_SAVED = 5_000;
const BYTES_A_SECOND = 256 * 2 ** 10;
const MOST_BYTES_SAVED = 2 ** 20;

export interface LogRateLimit {
  /** Room for output within the rate limit now: numbers of lines and bytes. */
  room(): { lines: number; bytes: number };
  spend(lines: number, bytes: number): void;
  /**
   * Counts output lines that are left out because they are over the limit. Until the next second begins, all further
   * lines are left out too, so that one remark can report them together.
   */
  leaveOut(lines: number): void;
  /** Returns how many lines were left out, once the next second has begun, and resets the count. */
  renew(): number;
  /** Returns how many lines were left out when the output ends, without waiting for the next second. */
  end(): number;
}

/** Rate limit that decides how much of a command's output is kept; counting the rest costs almost nothing. */
export function createLogRateLimit(now: () => number): LogRateLimit {
  let lines = MOST_LINES_SAVED;
  let bytes = MOST_BYTES_SAVED;
  let since = now();
  let leftOut = 0;
  const forget = () => {
    const count = leftOut;
    leftOut = 0;
    return count;
  };
  return {
    room: () => (leftOut > 0 ? { lines: 0, bytes: 0 } : { lines, bytes }),
    spend(linesGiven, bytesGiven) {
      lines -= linesGiven;
      bytes -= bytesGiven;
    },
    leaveOut(count) {
      leftOut += count;
    },
    renew() {
      const seconds = Math.floor((now() - since) / 1_000);
      if (seconds < 1) return 0;
      since += seconds * 1_000;
      lines = Math.min(MOST_LINES_SAVED, lines + seconds * LINES_A_SECOND);
      bytes = Math.min(MOST_BYTES_SAVED, bytes + seconds * BYTES_A_SECOND);
      return forget();
    },
    end: forget,
  };
}
