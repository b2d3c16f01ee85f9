import { BUCKETS, quantileMs } from './histogram.ts';
import type { ProcessInterval, RequestInterval } from './store.ts';
import { STATUS_CLASSES } from './traffic.ts';

/** Counts of requests, as answers show them. */
export interface PresentedTraffic {
  requests: number;
  responses: Record<'1xx' | '2xx' | '3xx' | '4xx' | '5xx', number>;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
  bytes_in: number;
  bytes_out: number;
}

type Counts = Omit<RequestInterval, 'at'>;

const NONE: Counts = {
  responses: Array.from({ length: STATUS_CLASSES }, () => 0),
  bytes_in: 0,
  bytes_out: 0,
  durations: Array.from({ length: BUCKETS }, () => 0),
};

/** Presents the counts of every interval from `since` to `until` (seconds since 1970), including those without requests. */
export function presentIntervals(
  found: readonly RequestInterval[],
  { since, until, step }: { since: number; until: number; step: number },
): (PresentedTraffic & { at: string })[] {
  const byStart = new Map(found.map((interval) => [interval.at, interval]));
  const first = Math.floor(since / step) * step;
  const count = Math.max(0, Math.ceil((until - first) / step));
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * step;
    return { at: timestampOf(at), ...presentTraffic(byStart.get(at) ?? NONE) };
  });
}

export function presentTraffic({ responses, bytes_in, bytes_out, durations }: Counts): PresentedTraffic {
  const [informational = 0, successful = 0, redirects = 0, clientErrors = 0, serverErrors = 0] = responses;
  return {
    requests: responses.reduce((sum, count) => sum + count, 0),
    responses: {
      '1xx': informational,
      '2xx': successful,
      '3xx': redirects,
      '4xx': clientErrors,
      '5xx': serverErrors,
    },
    p50_ms: rounded(quantileMs(durations, 0.5)),
    p95_ms: rounded(quantileMs(durations, 0.95)),
    p99_ms: rounded(quantileMs(durations, 0.99)),
    bytes_in,
    bytes_out,
  };
}

/** Counts of all intervals together. */
export function totalOf(intervals: readonly RequestInterval[]): Counts {
  return intervals.reduce<Counts>(
    (total, one) => ({
      responses: addElements(total.responses, one.responses),
      bytes_in: total.bytes_in + one.bytes_in,
      bytes_out: total.bytes_out + one.bytes_out,
      durations: addElements(total.durations, one.durations),
    }),
    NONE,
  );
}

/** Use of the machine by each process. Intervals without a measurement are absent. */
export function presentProcesses(found: readonly ProcessInterval[]) {
  return [...Map.groupBy(found, ({ process }) => process)].map(([process, intervals]) => ({
    process,
    intervals: intervals.map(({ at, memory_bytes, processor_ms }) => ({
      at: timestampOf(at),
      memory_bytes,
      processor_ms,
    })),
  }));
}

function addElements(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, index) => value + (other[index] ?? 0));
}

function timestampOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

/** Rounds a duration to three significant digits, which is more than the histogram knows. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Number(ms.toPrecision(3));
}
