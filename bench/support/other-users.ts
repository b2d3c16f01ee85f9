import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchServer } from './server.ts';

const ASKED_EVERY_MS = 20;

/** Times of responses to other requests during some work, in milliseconds, in ascending order. */
export interface OtherUsers<T> {
  done: T;
  tookMs: number;
  answers: number[];
  health: number[];
  page: number[];
  /** Responses of the server with a status other than 200. */
  failures: string[];
}

/**
 * Runs `work`. Meanwhile a guest answers through the link with `token` without a pause, and /healthz and the guest's
 * page are requested every 20 ms.
 */
export async function runBesideOthers<T>(
  server: BenchServer,
  token: string,
  work: () => Promise<T>,
): Promise<OtherUsers<T>> {
  const failures: string[] = [];
  const stop = new AbortController();
  const others = Promise.all([answering(stop.signal), asking('/healthz'), asking(`/r/${token}`)]);
  others.catch(() => {});
  await sleep(500);
  const began = performance.now();
  const done = await work();
  const tookMs = performance.now() - began;
  await sleep(300);
  stop.abort();
  const [answers, health, page] = (await others).map((times) => times.sort((a, b) => a - b));
  return { done, tookMs, answers: answers ?? [], health: health ?? [], page: page ?? [], failures };

  /** Sends answers of guests without a pause: the next one as soon as the previous one is accepted. */
  async function answering(signal: AbortSignal): Promise<number[]> {
    const times: number[] = [];
    for (let turn = 0; !signal.aborted; turn += 1) {
      const answer = { rsvp_status: 'confirmed', message: `${turn}` };
      times.push(await timed(`/api/rsvp/${token}`, performance.now(), answer));
    }
    return times;
  }

  /**
   * Sends requests at fixed times, whether or not the previous one has its response, so that a stall shows in all
   * requests that it would delay.
   */
  async function asking(path: string): Promise<number[]> {
    const asked: Promise<number>[] = [];
    const first = performance.now();
    for (let turn = 0; !stop.signal.aborted; turn += 1) {
      const due = first + turn * ASKED_EVERY_MS;
      const wait = due - performance.now();
      if (wait > 0) await sleep(wait);
      asked.push(timed(path, Math.max(due, performance.now())));
    }
    return Promise.all(asked);
  }

  async function timed(path: string, from: number, body?: object): Promise<number> {
    const response = await fetch(server.url + path, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...(body && { 'content-type': 'application/json' }) },
    });
    await response.arrayBuffer();
    if (response.status !== 200)
      failures.push(`${path.split('/').slice(0, -1).join('/') || path} answered ${response.status}`);
    return performance.now() - from;
  }
}

/** Time within which the given share of all requests finished. */
export function percentileOf(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Text of failures: each different failure with the number of times that it occurred. */
export function countFailures(failures: readonly string[]): string {
  const times = Map.groupBy(failures, (failure) => failure);
  return [...times].map(([failure, all]) => `${failure} (${all.length}×)`).join('; ');
}
