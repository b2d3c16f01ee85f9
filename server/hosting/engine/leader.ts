import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, EngineError } from './connection.ts';

/** For so long managers may choose a leader, once the one before is gone: it takes them some fifteen seconds. */
const LEADER_MS = 60_000;
const AGAIN_MS = 500;
/** What a manager answers that knows of no leader, is none any more, or has waited for one that is gone, which it does for 20 s. */
const LEADERLESS = /\bleader\b|context deadline exceeded|rpc error: code = Unavailable|\braft: /i;

/** What is asked of a cluster whose leader is gone is asked again of the next one, by the same manager. */
export function awaitingLeader(connection: Connection): Connection {
  return {
    ...connection,
    async ask<T>(call: Parameters<Connection['ask']>[0]): Promise<T> {
      const until = performance.now() + LEADER_MS;
      while (true) {
        try {
          return await connection.ask<T>(call);
        } catch (error) {
          const isLeaderless = error instanceof EngineError && LEADERLESS.test(error.message);
          if (!isLeaderless || call.body instanceof Readable || performance.now() > until) throw error;
        }
        await sleep(AGAIN_MS, undefined, { signal: call.signal });
      }
    },
  };
}
