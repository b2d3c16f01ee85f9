import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchServer } from './server.ts';

const ASKED_EVERY_MS = 20;

/** What others waited while something ran, in milliseconds, from the shortest to the longest. */
export interface Beside<T> {
  done: T;
  tookMs: number;
  answers: number[];
  health: number[];
  page: number[];
  /** What was answered by anything but a 200. */
  failures: string[];
}

/**
 * Runs `work` beside everybody else: a guest who answers by the link `token` without a pause, and somebody who asks for
 * /healthz and somebody who asks for the guest's page every 20 ms.
 */
export async function beside<T>(
  server: BenchServer,
  token: string,
  work: () => Promise<T>,
): Promise<Beside<T>> {
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

  /** A guest who answers again as soon as the last answer is taken. */
  async function answering(signal: AbortSignal): Promise<number[]> {
    const times: number[] = [];
    for (let turn = 0; !signal.aborted; turn += 1) {
      const answer = { rsvp_status: 'confirmed', message: `${turn}` };
      times.push(await timed(`/api/rsvp/${token}`, performance.now(), answer));
    }
    return times;
  }

  /** Asks at fixed times, whether the last one was answered or not: a wait is then seen by all who would have waited. */
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

/** The time that `share` of them stayed within. */
export function within(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Each failure once, with how often. */
export function counted(failures: readonly string[]): string {
  const times = Map.groupBy(failures, (failure) => failure);
  return [...times].map(([failure, all]) => `${failure} (${all.length}×)`).join('; ');
}
