import { createHash } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy extends AsyncDisposable {
  /** Database URL for a server under test, which leads through this proxy. */
  url: string;
  /** Freezes the proxy: it accepts connections and bytes, but forwards nothing in either direction until `resume`. */
  freeze(): void;
  /**
   * Freezes the proxy as soon as a query that contains this statement arrives. The query itself is not forwarded
   * either.
   */
  freezeAt(statement: string): void;
  resume(): void;
  /** Number of messages of a server that were forwarded so far; statements in one round trip are one message. */
  messages(): number;
  /**
   * Loses the result of a COMMIT. The proxy waits for the next transaction that contains this statement, forwards its
   * COMMIT to PostgreSQL, and breaks the connection instead of forwarding the reply. The promise then resolves.
   */
  loseCommitOf(statement: string): Promise<void>;
}

/** A commit, as it is prepared on a connection and as it is run: by its name (server/kernel/database). */
const COMMITS = ['\0commit\0', `\0${createHash('md5').update('commit').digest('hex')}\0`];

/**
 * Proxy before a PostgreSQL that fails as a network does. It sees statements with parameters only when they are new to
 * their connection.
 */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const there = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  let freezingAt: string | undefined;
  let messages = 0;
  let losing: { statement: string; lost: PromiseWithResolvers<void> } | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(there.port), there.hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    /** Stage of the transaction on this connection, if it is the transaction whose COMMIT is to be lost. */
    let stage: 'in it' | 'committing' | undefined;
    const watch = (bytes: Buffer) => {
      if (!losing) return;
      if (bytes.includes(losing.statement)) stage = 'in it';
      if (stage === 'in it' && COMMITS.some((commit) => bytes.includes(commit))) stage = 'committing';
    };
    client.on('data', (bytes: Buffer) => {
      if (freezingAt !== undefined && bytes.includes(freezingAt)) {
        freezingAt = undefined;
        freeze();
        client.unshift(bytes);
        return;
      }
      watch(bytes);
      messages += 1;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (stage !== 'committing') {
        client.write(bytes);
        return;
      }
      losing?.lost.resolve();
      losing = undefined;
      client.destroy();
    });
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        for (const one of pair) one.destroy();
      });
      if (isFrozen) socket.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;

  const each = (work: (socket: Socket) => void) => [...pairs].flat().forEach(work);
  const freeze = () => {
    isFrozen = true;
    each((socket) => socket.pause());
  };
  return {
    url: url.href,
    freeze,
    freezeAt(statement) {
      freezingAt = statement;
    },
    resume() {
      isFrozen = false;
      each((socket) => socket.resume());
    },
    messages: () => messages,
    loseCommitOf(statement) {
      losing = { statement, lost: Promise.withResolvers() };
      return losing.lost.promise;
    },
    async [Symbol.asyncDispose]() {
      each((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
