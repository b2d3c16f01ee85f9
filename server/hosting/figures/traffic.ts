import { BUCKETS, bucketOf } from './histogram.ts';

/** Number of classes of status codes, from 1xx to 5xx. */
export const STATUS_CLASSES = 5;
const BYTES_IN = STATUS_CLASSES;
const BYTES_OUT = STATUS_CLASSES + 1;
const FIRST_BUCKET = STATUS_CLASSES + 2;
const SLOTS = FIRST_BUCKET + BUCKETS;

/** Status code of an accepted WebSocket; its duration says nothing about how fast the site answers. */
const SWITCHING_PROTOCOLS = 101;

/** Counts of one environment's requests. */
export interface TrafficCounts {
  /** Number of responses by class of status code: 1xx, 2xx, 3xx, 4xx, 5xx. */
  responses: number[];
  bytesIn: number;
  bytesOut: number;
  /** Histogram of the responses' durations (histogram.ts). */
  durations: number[];
}

/** Finished request to a site. */
export interface FinishedRequest {
  status: number;
  /** Time from the request's head to the end of its response, in milliseconds. */
  ms: number;
  bytesIn: number;
  bytesOut: number;
}

/**
 * Counts of this process's requests to sites, by environment, since they were last taken. Counting a request adds to
 * four numbers in place and allocates nothing.
 */
export class Traffic {
  #counts = new Map<string, Float64Array>();

  count(environmentId: string, { status, ms, bytesIn, bytesOut }: FinishedRequest): void {
    const counts = this.#countsOf(environmentId);
    add(counts, Math.min(STATUS_CLASSES, Math.max(1, Math.trunc(status / 100))) - 1, 1);
    add(counts, BYTES_IN, bytesIn);
    add(counts, BYTES_OUT, bytesOut);
    if (status !== SWITCHING_PROTOCOLS) add(counts, FIRST_BUCKET + bucketOf(ms), 1);
  }

  /** Returns all counts, and begins again at zero. */
  take(): Map<string, TrafficCounts> {
    const taken = this.#counts;
    this.#counts = new Map();
    return new Map([...taken].map(([id, counts]) => [id, describe(counts)]));
  }

  /** Adds counts that were taken, but could not be stored. */
  putBack(taken: ReadonlyMap<string, TrafficCounts>): void {
    for (const [id, { responses, bytesIn, bytesOut, durations }] of taken) {
      const counts = this.#countsOf(id);
      for (const [slot, value] of [...responses, bytesIn, bytesOut, ...durations].entries())
        add(counts, slot, value);
    }
  }

  #countsOf(environmentId: string): Float64Array {
    let counts = this.#counts.get(environmentId);
    if (!counts) {
      counts = new Float64Array(SLOTS);
      this.#counts.set(environmentId, counts);
    }
    return counts;
  }
}

function add(counts: Float64Array, slot: number, amount: number): void {
  counts[slot] = (counts[slot] as number) + amount;
}

function describe(counts: Float64Array): TrafficCounts {
  return {
    responses: [...counts.subarray(0, STATUS_CLASSES)],
    bytesIn: counts[BYTES_IN] ?? 0,
    bytesOut: counts[BYTES_OUT] ?? 0,
    durations: [...counts.subarray(FIRST_BUCKET)],
  };
}
