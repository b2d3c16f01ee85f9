import { connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy extends AsyncDisposable {
  /** The same database, by way of the proxy. */
  url: string;
  /** Takes connections and bytes, and hands nothing on, either way, until it is resumed. */
  freeze(): void;
  /** The same as soon as a query with this statement comes, which is not handed on before. */
  freezeAt(statement: string): void;
  resume(): void;
  /**
   * Of the next transaction with this statement the COMMIT is handed on, and its answer is not: the connection breaks
   * instead. Resolves then.
   */
  loseCommitOf(statement: string): Promise<void>;
}

/** Stands before a PostgreSQL, as a network does. Of statements with parameters it sees those that are new to their connection. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const there = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  let freezingAt: string | undefined;
  let losing: { statement: string; lost: PromiseWithResolvers<void> } | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(there.port), there.hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    /** What the connection's transaction has come to, when its commit is to be lost. */
    let stage: 'in it' | 'committing' | undefined;
    const watch = (bytes: Buffer) => {
      if (!losing) return;
      if (bytes.includes(losing.statement)) stage = 'in it';
      else if (stage === 'in it' && /^Q....commit\0/s.test(bytes.toString('latin1'))) stage = 'committing';
    };
    client.on('data', (bytes: Buffer) => {
      if (freezingAt !== undefined && bytes.includes(freezingAt)) {
        freezingAt = undefined;
        freeze();
        client.unshift(bytes);
        return;
      }
      watch(bytes);
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
