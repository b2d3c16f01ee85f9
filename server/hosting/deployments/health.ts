import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { RuntimeFailure } from '../builds/failure.ts';
import { messages } from './messages.ts';

export interface HealthCheck {
  origin: string;
  path: string;
  /** What the site is asked as: some answer only to their own name. */
  host: string;
  withinMs: number;
  /** Resolves, with how, when the site has ended. */
  ended: Promise<string>;
  signal: AbortSignal;
}

const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 250;
const ONE_ANSWER_MS = 5_000;

/** Resolves once the site answers with a status under 500. Throws a RuntimeFailure when it ends before, or is late. */
export async function waitUntilHealthy(check: HealthCheck): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([check.signal, over.signal]);
  const ended = check.ended.then((how) => {
    throw new RuntimeFailure(messages.endedBeforeHealthy(how));
  });
  try {
    await Promise.race([ended, ask(check, signal)]);
  } finally {
    over.abort();
    ended.catch(() => {});
  }
}

async function ask({ origin, path, host, withinMs }: HealthCheck, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + withinMs;
  let last = '';
  for (let wait = FIRST_WAIT_MS; performance.now() < deadline; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    const verdict = await answer(new URL(path, origin), host, signal);
    signal.throwIfAborted();
    if (typeof verdict === 'number' && verdict < 500) return;
    last = typeof verdict === 'number' ? messages.statusWas(verdict) : messages.noAnswer(verdict);
    await sleep(wait, undefined, { signal });
  }
  throw new RuntimeFailure(messages.notHealthy(path, Math.round(withinMs / 1_000), last));
}

/** The status, or why there is none. */
function answer(url: URL, host: string, signal: AbortSignal): Promise<number | string> {
  return new Promise((resolve) => {
    const asked = request(url, { headers: { host }, agent: false, signal, timeout: ONE_ANSWER_MS });
    asked.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    asked.on('timeout', () => asked.destroy(new Error('timeout')));
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    asked.end();
  });
}
