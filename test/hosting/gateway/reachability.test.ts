import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { watchReachability } from '../../../server/hosting/gateway/reachability.ts';
import { visitSite } from '../../support/deployed.ts';
import { startGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

const HOST = 'demo.apps.test';
/** Of this machine, as others reach it. */
const ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

/** A site's server at that address; one that is `frozen` takes requests and says nothing. */
async function siteAt(address: string, answer: string | undefined, port = 0) {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    if (answer !== undefined) response.end(answer);
  });
  server.listen(port, address);
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  return {
    target: { kind: 'server', origin: `http://${address}:${own}` } as const,
    port: own,
    asked: () => asked,
    /** Takes no more connections; those that stand stay as they are. */
    stopListening: () => server.close(),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('what waits at a machine that is gone is asked of another, and nothing more is asked there until it is back', {
  skip: ADDRESS === undefined && 'this machine has no address that others reach',
}, async () => {
  const address = ADDRESS ?? '';
  await using gateway = await startGateway();
  const unwatch = watchReachability(gateway.sites);
  using frozen = await siteAt(address, undefined);
  using other = await siteAt(address, 'other');
  const base = `http://127.0.0.1:${gateway.port}`;
  const serve = (...targets: (typeof other)['target'][]) =>
    gateway.sites.set('a', { routes: [{ host: HOST }], state: 'live', targets });
  try {
    serve(frozen.target);
    const waiting = visitSite(base, HOST, '/');
    await until(() => frozen.asked() === 1);
    // One that is slow is left alone for as long as its machine takes connections.
    serve(frozen.target, other.target);
    const early = await Promise.race([
      waiting,
      new Promise((resolve) => setTimeout(resolve, 3_000, 'waits')),
    ]);
    assert.equal(early, 'waits');

    frozen.stopListening();
    assert.deepEqual(await waiting, { status: 200, text: 'other' });
    serve(frozen.target, other.target);
    for (let i = 0; i < 4; i += 1) assert.equal((await visitSite(base, HOST, '/')).text, 'other');
    assert.equal(frozen.asked(), 1);

    using again = await siteAt(address, 'again', frozen.port);
    await until(async () => {
      serve(again.target, other.target);
      const [one, two] = [await visitSite(base, HOST, '/'), await visitSite(base, HOST, '/')];
      return [one.text, two.text].includes('again');
    });
  } finally {
    unwatch();
  }
});
