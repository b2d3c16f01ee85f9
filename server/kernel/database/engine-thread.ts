import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, type Transaction, types } from '@electric-sql/pglite';
import type { EngineCall, EngineNotification, EngineReply, EngineThreadData } from './engine.ts';
import { createStatements } from './statements.ts';

/**
 * PostgreSQL's memory for pages of tables, instead of 128 MB: all of it is in use from the start on. The operating system
 * keeps further pages that were read or written.
 */
const SHARED_BUFFERS = '32MB';

// The thread that engine.ts starts: PGlite on the folder in `workerData`. Calls start in the order they arrive; PGlite
// itself gives a transaction the database alone.

const { folder, program }: EngineThreadData = workerData;
const engine = await PGlite.create(folder, {
  pgliteWasmModule: program,
  startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
});
// PGlite parses PostgreSQL's time format, `0022-05-30 20:19:05+00`, by `new Date`. That gives a wrong year, or none,
// for years before 100.
engine.parsers[types.TIMESTAMPTZ] = (text) =>
  new Date(text.replace(' ', 'T').replace(/[+-]\d\d$/, (hours) => `${hours}:00`));
const run = createStatements(engine);
const transactions = new Map<number, { transaction: Transaction; end: End; ended: Promise<void> }>();
const listening = new Map<string, () => Promise<void>>();

interface End {
  resolve(): void;
  reject(reason: unknown): void;
}

const post = (message: EngineReply | EngineNotification) => parentPort?.postMessage(message);

function begin(id: number): Promise<void> {
  const { promise: until, resolve, reject } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const ended = engine.transaction(async (transaction) => {
    transactions.set(id, { transaction, end: { resolve, reject }, ended });
    begun.resolve();
    await until;
  });
  ended.catch(begun.reject);
  return begun.promise;
}

function findTransaction(id: number) {
  const one = transactions.get(id);
  if (!one) throw new Error('there is no such transaction');
  return one;
}

function takeTransaction(id: number) {
  const one = findTransaction(id);
  transactions.delete(id);
  return one;
}

async function answer(call: EngineCall): Promise<unknown> {
  switch (call.kind) {
    case 'query': {
      const { transaction: id, text, values, options } = call;
      return run(id === undefined ? engine : findTransaction(id).transaction, text, values, options);
    }
    case 'exec':
      return engine.exec(call.text);
    case 'begin':
      return begin(call.transaction);
    case 'commit': {
      const { end, ended } = takeTransaction(call.transaction);
      end.resolve();
      return ended;
    }
    case 'rollback': {
      const { end, ended } = takeTransaction(call.transaction);
      end.reject(new Error('rolled back'));
      return ended.catch(() => {});
    }
    case 'listen': {
      const { channel } = call;
      listening.set(channel, await engine.listen(channel, (payload) => post({ channel, payload })));
      return undefined;
    }
    case 'unlisten':
      await listening.get(call.channel)?.();
      listening.delete(call.channel);
      return undefined;
    case 'close':
      return engine.close();
  }
}

parentPort?.on('message', async ({ id, call }: { id: number; call: EngineCall }) => {
  try {
    post({ id, value: await answer(call) });
  } catch (error) {
    // PGlite adds the statement and its values to an error. Values are personal data and must not be logged, so both
    // are removed.
    const {
      query: _query,
      params: _params,
      queryOptions: _options,
      ...facts
    } = { ...(error as object) } as {
      [fact: string]: unknown;
    };
    post({ id, failed: (error as Error).message, facts });
    // A RuntimeError means that PostgreSQL itself has ended and would never answer again, so the thread ends too.
    if ((error as Error).name === 'RuntimeError') throw error;
  }
});

post({ id: 0, value: undefined });
