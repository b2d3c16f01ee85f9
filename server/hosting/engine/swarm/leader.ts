import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { EngineError } from '../errors.ts';

/** Time that a Docker Swarm's managers may take to choose a new leader among them: they need some fifteen seconds. */
const LEADER_MS = 60_000;
const RETRY_MS = 500;
/**
 * Pattern for error messages of a Docker Swarm manager that knows no leader of the Swarm's managers, is no longer their
 * leader itself, or has waited 20 s for a leader that is gone.
 */
const NO_LEADER = /\bleader\b|context deadline exceeded|rpc error: code = Unavailable|\braft: /i;

/**
 * Connection to a Docker Swarm manager. While the managers have no leader, each call is repeated on the same manager
 * until there is a new leader.
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
