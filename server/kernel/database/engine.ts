import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { QueryOptions, Results } from '@electric-sql/pglite';
import { THREAD_ENVIRONMENT } from '../threads.ts';

/** Functions of PGlite that Kysely, the job queue and the notifications use. */
export interface Engine {
  query<T>(text: string, values?: unknown[], options?: QueryOptions): Promise<Results<T>>;
  exec(text: string): Promise<Results[]>;
  transaction<T>(work: (transaction: EngineTransaction) => Promise<T>): Promise<T>;
  /**
   * Listens to notifications. `onGap` is called when listening resumes after a break: notifications in between are
   * lost.
   */
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onGap?: () => void,
  ): Promise<() => Promise<void>>;
  close(): Promise<void>;
  readonly closed: boolean;
  readonly ready: true;
  readonly waitReady: Promise<void>;
}

export interface EngineTransaction {
  query<T>(text: string, values?: unknown[], options?: QueryOptions): Promise<Results<T>>;
  rollback(): Promise<void>;
}

export type EngineCall =
  | { kind: 'query'; transaction?: number; text: string; values?: unknown[]; options?: QueryOptions }
  | { kind: 'exec'; text: string }
  | { kind: 'begin' | 'commit' | 'rollback'; transaction: number }
  | { kind: 'listen' | 'unlisten'; channel: string }
  | { kind: 'close' };

// TypeScript's types declare WebAssembly only for browsers, so it is declared here.
declare global {
  namespace WebAssembly {
    type Module = object;
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

/** Data that the embedded database's thread receives when it starts, as its `workerData`. */
export interface EngineThreadData {
  folder: string;
  program: WebAssembly.Module;
}

const OPENED = 0;

/**
 * Reply of the embedded database's thread to the call with the same id. The id OPENED means that the database is open.
 */
export type EngineReply =
  | { id: number; value: unknown }
  | { id: number; failed: string; facts: Record<string, unknown> };

export interface EngineNotification {
  channel: string;
  payload: string;
}

interface ChannelListener {
  onMessage(payload: string): void;
  onGap(): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Error for calls to the embedded database whose thread ended before its reply. Its code is PostgreSQL's for an end in
 * the middle of a statement, which becomes a 503.
 */
class EngineGone extends Error {
  readonly code = '57P02';
}

const REOPENED_AFTER_MS = 500;

/**
 * PostgreSQL's program, compiled once for all threads that run it one after another: compiling takes most of the time
 * of opening.
 */
let program: Promise<WebAssembly.Module> | undefined;

/**
 * Number of bytes of a function of PostgreSQL's program that run before V8 optimizes the function, instead of 13 million.
 * Optimizing the parser alone takes a quarter of a second and 60 MB; a server in use reaches this number in seconds.
 */
const OPTIMIZED_AFTER_BYTES = 1_000_000_000;

async function compileProgram(): Promise<WebAssembly.Module> {
  setFlagsFromString(`--wasm-tiering-budget=${OPTIMIZED_AFTER_BYTES}`);
  program ??= readFile(new URL(import.meta.resolve('@electric-sql/pglite/pglite.wasm'))).then((bytes) =>
    WebAssembly.compile(bytes),
  );
  try {
    return await program;
  } catch (error) {
    // If PostgreSQL's program could not be compiled, the next thread of the embedded database compiles it again.
    program = undefined;
    throw error;
  }
}

/**
 * Opens PGlite on a folder, in a thread of its own: PostgreSQL in WebAssembly blocks its thread while a statement runs,
 * and meanwhile this thread can serve other requests. If the thread ends unexpectedly, `onGone` receives the reason,
 * and a new thread opens the folder as after a crash; calls that were running get a 503.
 */
export async function openEngine(
  folder: string,
  onGone: (error: unknown) => void,
  resourceLimits: ResourceLimits = {},
): Promise<Engine> {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Set<ChannelListener>>();
  let worker: Worker | undefined;
  let calls = OPENED;
  let transactions = 0;
  let closed = false;

  await start();

  const engine: Engine = {
    query: (text, values, options) => query(undefined, text, values, options),
    exec: (text) => call({ kind: 'exec', text }) as Promise<Results[]>,
    async transaction(work) {
      transactions += 1;
      const transaction = transactions;
      await call({ kind: 'begin', transaction });
      let ended = false;
      const rollback = async () => {
        ended = true;
        await call({ kind: 'rollback', transaction });
      };
      try {
        const done = await work({
          query: (text, values, options) => query(transaction, text, values, options),
          rollback,
        });
        if (!ended) await call({ kind: 'commit', transaction });
        return done;
      } catch (error) {
        if (!ended) await rollback().catch(() => {});
        throw error;
      }
    },
    async listen(channel, onMessage, onGap = () => {}) {
      const channelListeners = listeners.get(channel) ?? new Set();
      const listener = { onMessage, onGap };
      listeners.set(channel, channelListeners);
      channelListeners.add(listener);
      if (channelListeners.size === 1) await call({ kind: 'listen', channel });
      return async () => {
        channelListeners.delete(listener);
        if (channelListeners.size > 0 || !worker) return;
        listeners.delete(channel);
        await call({ kind: 'unlisten', channel });
      };
    },
    async close() {
      if (closed) return;
      closed = true;
      if (worker) await call({ kind: 'close' });
      await worker?.terminate();
    },
    get closed() {
      return closed;
    },
    ready: true,
    waitReady: Promise.resolve(),
  };
  return engine;

  function query<T>(
    transaction: number | undefined,
    text: string,
    values?: unknown[],
    options?: QueryOptions,
  ): Promise<Results<T>> {
    return call({
      kind: 'query',
      text,
      ...(transaction !== undefined && { transaction }),
      ...(values && { values }),
      ...(options && { options }),
    }) as Promise<Results<T>>;
  }

  async function call(what: EngineCall): Promise<unknown> {
    if (!worker) throw new EngineGone('the embedded database has ended');
    calls += 1;
    const id = calls;
    worker.postMessage({ id, call: what });
    return wait(worker, id);
  }

  /**
   * Waits for the reply of the embedded database's thread to a call. The thread keeps the process alive only while
   * replies are pending.
   */
  function wait(on: Worker, id: number): Promise<unknown> {
    on.ref();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set(id, { resolve, reject });
    return promise;
  }

  async function start(): Promise<void> {
    const file = new URL('./engine-thread.ts', import.meta.url);
    const workerData: EngineThreadData = { folder, program: await compileProgram() };
    const own = new Worker(file, { workerData, env: THREAD_ENVIRONMENT, resourceLimits });
    own.on('message', (message: EngineReply | EngineNotification) => {
      if ('channel' in message) {
        for (const { onMessage } of listeners.get(message.channel) ?? []) onMessage(message.payload);
        return;
      }
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if (waiting.size === 0) own.unref();
      if ('failed' in message) one?.reject(Object.assign(new Error(message.failed), message.facts));
      else one?.resolve(message.value);
    });
    const opened = wait(own, OPENED);
    own.once('error', (error) => end(own, error));
    own.once('exit', () => end(own, new Error('the thread of the embedded database ended')));
    await opened;
    worker = own;
  }

  function end(own: Worker, error: unknown): void {
    waiting.get(OPENED)?.reject(error);
    waiting.delete(OPENED);
    if (own !== worker) return;
    worker = undefined;
    for (const { reject } of waiting.values()) {
      reject(new EngineGone('the embedded database ended', { cause: error }));
    }
    waiting.clear();
    if (closed) return;
    onGone(error);
    void startAgain();
  }

  async function startAgain(): Promise<void> {
    while (!closed && !worker) {
      await sleep(REOPENED_AFTER_MS, undefined, { ref: false });
      try {
        if (!closed) await start();
        for (const [channel, channelListeners] of listeners) {
          await call({ kind: 'listen', channel });
          for (const { onGap } of channelListeners) onGap();
        }
      } catch (error) {
        onGone(error);
      }
    }
  }
}
