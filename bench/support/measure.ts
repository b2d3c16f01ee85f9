import autocannon from 'autocannon';

export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
}

export interface Load {
  url: string;
  connections: number;
  seconds: number;
  requests: autocannon.Request[];
}

/**
 * Sends HTTP requests and measures them. Throws if a response is not a 2xx: a benchmark of errors would be meaningless.
 */
export async function measureHttp({ url, connections, seconds, requests }: Load): Promise<Measured> {
  const result = await autocannon({ url, connections, duration: seconds, requests });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} failed`);
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** Mean of several measurements: single figures of one machine fluctuate too much to be compared. */
export function meanOf(rounds: Measured[]): Measured {
  const of = (pick: (one: Measured) => number) =>
    rounds.reduce((sum, one) => sum + pick(one), 0) / rounds.length;
  return { perSecond: of((one) => one.perSecond), p50: of((one) => one.p50), p99: of((one) => one.p99) };
}

export const formatNumber = (value: number, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Table for the terminal: the first column is aligned left, the others right. */
export function formatTable(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}
