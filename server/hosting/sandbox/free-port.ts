import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/**
 * Finds a free port; `wanted` is chosen if it is free. No two callers get the same port, even before the first of them
 * listens.
 */
export async function freePort(portsInUse: Set<number>, wanted = 0): Promise<number> {
  for (let tried = wanted; ; tried = 0) {
    const probe = createServer().listen(tried, HOST);
    const isFree = new Promise((resolve, reject) => probe.once('listening', resolve).once('error', reject));
    if (tried > 0 && !(await isFree.then(() => true).catch(() => false))) continue;
    await isFree;
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    if (portsInUse.has(port)) continue;
    portsInUse.add(port);
    return port;
  }
}
