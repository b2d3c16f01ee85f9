import { after } from 'node:test';
import { type DatabaseKind, startServer, type TestServer } from './server.ts';

export type SharedServer = Omit<TestServer, 'close'>;

const servers = new Map<string, Promise<TestServer>>();
let clients = 0;

after(async () => {
  for (const server of servers.values()) await (await server).close();
});

/**
 * Server that all tests of a process with these settings share; a process runs the tests of one folder. It is for tests
 * that look only at their own users and events. The server starts with the first such test and ends after the last one.
 * Each test gets a client that sends an IP address of its own.
 */
export async function sharedServer(
  kind: DatabaseKind,
  env: Record<string, string> = {},
): Promise<SharedServer> {
  const settings = { TRUSTED_PROXIES: '127.0.0.0/8', ...env };
  const name = JSON.stringify([kind, settings]);
  const running = servers.get(name) ?? startServer(kind, { env: settings });
  servers.set(name, running);
  const { close: _close, ...server } = await running;
  clients += 1;
  const address = `198.18.${clients >> 8}.${clients & 255}`;
  return {
    ...server,
    call: (method, path, { headers, ...options } = {}) =>
      server.call(method, path, { ...options, headers: { 'x-forwarded-for': address, ...headers } }),
    async [Symbol.asyncDispose]() {},
  };
}
