import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { CommonRefusal } from './refusal.ts';

/** Node's folder of compiled modules, if it is used: it has a folder for each version of node. */
const compiled = getCompileCacheDir();
/** Environment variables of a thread: no setting of the server, only node's folder of compiled modules. */
export const THREAD_ENVIRONMENT = { ...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }) };

export interface ThreadLimits {
  /** Maximum number of threads that run at once; further callers wait until a thread ends. */
  atOnce: number;
  /** Longest time that a caller waits for a free thread, in milliseconds; after it the caller gets a 503. */
  waitMs: number;
  /** Longest time that a thread may run, in milliseconds; after it the thread is ended. */
  runMs: number;
  heapMb: number;
}

/** Thrown if a thread was ended because its work took too much memory or time. */
export class ThreadExhausted extends Error {}

export type RunInThread<Input, Message> = (
  input: Input,
  onMessage: (message: Message) => void,
) => Promise<void>;

/**
 * Runs `file` in a new thread for each input (its `workerData`), so that the work can neither block other requests nor
 * use up the server's memory. Resolves when the thread has ended by itself.
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
    const timedOut = sleep(waitMs, 'late', { signal: waited.signal }).catch(() => 'late');
    if ((await Promise.race([promise, timedOut])) === 'mine') return waited.abort();
    const place = line.indexOf(turn);
    // A caller whose waiting time ended may have been given a free thread at that very moment.
    if (place < 0) return;
    line.splice(place, 1);
    throw new CommonRefusal(503, 'unavailable');
  };

  /** Lets the next waiting caller start a thread, after another thread has ended. */
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
 * Sends questions to `file`, a thread that answers each message with one message. A thread that has answered waits for
 * the next question, since starting one takes longer than most answers; it doesn't keep the process alive. Rejects with
 * ThreadExhausted, and with errors of the thread.
 */
export function createStandbyThread<Question, Answer>(
  file: URL,
  { runMs, heapMb }: Pick<ThreadLimits, 'runMs' | 'heapMb'>,
): (question: Question) => Promise<Answer> {
  let idle: Worker | undefined;

  const open = (): Worker => {
    const worker = new Worker(file, { resourceLimits: limitsOf(heapMb), env: THREAD_ENVIRONMENT });
    // An error of a thread that ends while it waits for a question is ignored; the next question starts another thread.
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
