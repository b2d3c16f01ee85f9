import { setTimeout as sleep } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { CommonRefusal } from './refusal.ts';

const { NODE_COMPILE_CACHE } = process.env;
/** What a thread knows of the environment: none of the server's settings, but where node keeps compiled modules, if it does. */
export const THREAD_ENVIRONMENT = { ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };

export interface ThreadLimits {
  /** How many run at the same time; whoever comes then waits in line. */
  atOnce: number;
  /** How long somebody stands in line before they get a 503. */
  waitMs: number;
  /** How long one may run. */
  runMs: number;
  heapMb: number;
}

/** A thread was ended because what it worked on took too much memory or too long. */
export class ThreadExhausted extends Error {}

export type RunInThread<Input, Message> = (
  input: Input,
  onMessage: (message: Message) => void,
) => Promise<void>;

/**
 * Runs `file` in a thread of its own, anew for each input (its `workerData`): what it works on can neither hold up the
 * requests of others nor take the server's memory with it. Resolves when the thread has ended by itself.
 */
export function createThreads<Input, Message>(
  file: URL,
  { atOnce, waitMs, runMs, heapMb }: ThreadLimits,
): RunInThread<Input, Message> {
  const line: (() => void)[] = [];
  let running = 0;

  const enter = async (): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<'mine'>();
    const turn = () => resolve('mine');
    line.push(turn);
    const waited = new AbortController();
    const tired = sleep(waitMs, 'tired', { signal: waited.signal }).catch(() => 'tired');
    if ((await Promise.race([promise, tired])) === 'mine') return waited.abort();
    const place = line.indexOf(turn);
    // The turn may have come at the last moment.
    if (place < 0) return;
    line.splice(place, 1);
    throw new CommonRefusal(503, 'unavailable');
  };

  /** Whoever is next in line takes over the place. */
  const leave = (): void => {
    const next = line.shift();
    if (next) next();
    else running -= 1;
  };

  return async (input, onMessage) => {
    await enter();
    try {
      await run(input, onMessage);
    } finally {
      leave();
    }
  };

  async function run(input: Input, onMessage: (message: Message) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const resourceLimits = limitsOf(heapMb);
    const worker = new Worker(file, { workerData: input, resourceLimits, env: THREAD_ENVIRONMENT });
    const timer = setTimeout(() => reject(new ThreadExhausted('a thread took too long')), runMs);
    worker.on('message', onMessage);
    worker.on('messageerror', reject);
    worker.on('error', (error) => reject(exhaustedOr(error)));
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`))));
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      await worker.terminate();
    }
  }
}

/**
 * Asks `file`, a thread that answers each message with one of its own. One that has answered stands by for the next question,
 * since a thread takes longer to begin than most answers do; it keeps nobody from ending. Rejects with ThreadExhausted, and
 * with what the thread throws.
 */
export function createStandby<Question, Answer>(
  file: URL,
  { runMs, heapMb }: Pick<ThreadLimits, 'runMs' | 'heapMb'>,
): (question: Question) => Promise<Answer> {
  let idle: Worker | undefined;

  const open = (): Worker => {
    const worker = new Worker(file, { resourceLimits: limitsOf(heapMb), env: THREAD_ENVIRONMENT });
    // One that ends while it stands by is none any more.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (idle === worker) idle = undefined;
    });
    return worker;
  };

  return async (question) => {
    const worker = idle ?? open();
    idle = undefined;
    worker.ref();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => reject(new ThreadExhausted('a thread took too long')), runMs);
    const fail = (error: unknown) => reject(exhaustedOr(error));
    const end = (code: number) => reject(new Error(`a thread ended with ${code}`));
    worker.on('message', resolve).on('messageerror', fail).on('error', fail).on('exit', end);
    try {
      worker.postMessage(question);
      const answer = await promise;
      worker.off('message', resolve).off('messageerror', fail).off('error', fail).off('exit', end);
      worker.unref();
      if (idle) await worker.terminate();
      else idle = worker;
      return answer;
    } catch (error) {
      await worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}

function limitsOf(heapMb: number): ResourceLimits {
  return { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
}

function exhaustedOr(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadExhausted(message) : error;
}
