import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { EngineError } from '../errors.ts';

/** Time that managers may take to choose a new leader: they need some fifteen seconds. */
const LEADER_MS = 60_000;
const RETRY_MS = 500;
/**
 * Pattern for messages of a manager that knows no leader of the cluster, is no leader any more, or has waited 20 s for
 * one that is gone.
 */
const NO_LEADER = /\bleader\b|context deadline exceeded|rpc error: code = Unavailable|\braft: /i;

/**
 * Connection to a manager that repeats calls to a cluster whose leader is gone, on the same manager, until there is a
 * new leader.
 */
export function awaitingLeader(connection: Connection): Connection {
  return {
    ...connection,
    async ask<T>(call: Parameters<Connection['ask']>[0]): Promise<T> {
      const until = performance.now() + LEADER_MS;
      while (true) {
        try {
          return await connection.ask<T>(call);
        } catch (error) {
          const isLeaderless = error instanceof EngineError && NO_LEADER.test(error.message);
          if (!isLeaderless || call.body instanceof Readable || performance.now() > until) throw error;
        }
        await sleep(RETRY_MS, undefined, { signal: call.signal });
      }
    },
  };
}
