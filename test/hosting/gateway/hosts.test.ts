import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  askGateway,
  exchangeBytes,
  startGateway,
  startSite,
  type TestGateway,
  type TestSite,
} from '../../support/gateway.ts';

let gateway: TestGateway;
let site: TestSite;
const seen: string[] = [];

before(async () => {
  gateway = await startGateway();
  site = await startSite((request, response) => {
    seen.push(String(request.url));
    response.setHeader('x-answered-by', 'site');
    response.end(`site ${request.headers.host} ${request.url}`);
  });
  gateway.sites.set('a', { routes: [{ host: 'demo.apps.test' }], state: 'live', targets: [site.target] });
});
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const asked = async (host: string, headers = {}) => {
  const answer = await askGateway(gateway.port, host, '/', { headers });
  return answer.headers['x-answered-by'] ?? answer.status;
};
/** Status and who answered, of a request given as text. */
const spoken = async (...lines: string[]) => {
  const answer = await exchangeBytes(gateway.port, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  return [Number(answer.slice(9, 12)), /x-answered-by: (\w+)/i.exec(answer)?.[1]];
};

test('each name leads to its owner, however it is written', async () => {
  for (const host of [
    'demo.apps.test',
    'DEMO.APPS.TEST',
    'demo.apps.test.',
    'demo.apps.test:81',
    'Demo.Apps.Test.:1',
  ]) {
    assert.equal(await asked(host), 'site', host);
  }
  for (const host of [
    'console.test',
    'CONSOLE.TEST:3000',
    'localhost',
    '127.0.0.1:1',
    '[::1]:3000',
    '10.0.0.1',
    'simcha',
  ]) {
    assert.equal(await asked(host), 'platform', host);
  }
  for (const host of [
    'apps.test',
    'x.apps.test',
    'a.demo.apps.test',
    'demo.apps.test.evil.test',
    'evil.test',
    'xconsole.test',
  ]) {
    assert.equal(await asked(host), 404, host);
  }
});

test('other headers that name a host change nothing', async () => {
  for (const name of ['x-forwarded-host', 'x-host', 'forwarded', 'x-original-host', 'x-http-host-override']) {
    assert.equal(await asked('demo.apps.test', { [name]: 'console.test' }), 'site', name);
    assert.equal(await asked('console.test', { [name]: 'demo.apps.test' }), 'platform', name);
  }
});

test('a host that is none, several hosts, or none at all are refused', async () => {
  for (const host of [
    'console.test@demo.apps.test',
    'demo.apps.test/console.test',
    'demo.apps.test console.test',
    'demo.apps.test,console.test',
    'demo..apps.test',
    '',
    'דמו',
  ]) {
    const [status, who] = await spoken('GET / HTTP/1.1', `Host: ${Buffer.from(host).toString('latin1')}`);
    assert.deepEqual([status, who], [400, undefined], host);
  }
  assert.deepEqual(await spoken('GET / HTTP/1.1', 'Host: demo.apps.test', 'Host: console.test'), [
    400,
    undefined,
  ]);
  assert.deepEqual(await spoken('GET / HTTP/1.1', 'Host: demo.apps.test', 'hOST: demo.apps.test'), [
    400,
    undefined,
  ]);
  assert.deepEqual(await spoken('GET / HTTP/1.1', 'Host : console.test', 'Host: demo.apps.test'), [
    400,
    undefined,
  ]);
  assert.deepEqual(await spoken('GET / HTTP/1.1', 'Host: demo.apps.test', ' console.test'), [400, undefined]);
  assert.deepEqual(await spoken('GET / HTTP/1.1', 'X: y'), [400, undefined]);
  assert.deepEqual(await spoken('GET / HTTP/1.0', 'X: y'), [200, 'platform']);
});

test('an absolute target must name the same host', async () => {
  assert.deepEqual(await spoken('GET http://demo.apps.test/x HTTP/1.1', 'Host: demo.apps.test'), [
    200,
    'site',
  ]);
  assert.deepEqual(await spoken('GET http://console.test/ HTTP/1.1', 'Host: demo.apps.test'), [
    400,
    undefined,
  ]);
  assert.deepEqual(await spoken('GET http://demo.apps.test/ HTTP/1.1', 'Host: console.test'), [
    400,
    undefined,
  ]);
  assert.deepEqual(await spoken('GET http://console.test@demo.apps.test/ HTTP/1.1', 'Host: console.test'), [
    400,
    undefined,
  ]);
  assert.deepEqual(await spoken('GET //console.test/api HTTP/1.1', 'Host: demo.apps.test'), [200, 'site']);
  const [status] = await spoken('CONNECT console.test:80 HTTP/1.1', 'Host: demo.apps.test');
  assert.notEqual(status, 200);
});

test('a message whose end could be read in two ways is refused, and nothing behind it is a request', async () => {
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: console.test\r\n\r\n';
  for (const head of [
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    'Content-Length: 5\r\nContent-Length: 0\r\n\r\n',
    'Content-Length: 0\r\nContent-Length: 0\r\n\r\n',
    'Content-Length: +0\r\n\r\n',
    'Content-Length: 0, 0\r\n\r\n',
    'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n',
    'Content-Length: 0\n\r\n\r\n',
  ]) {
    const answer = await exchangeBytes(
      gateway.port,
      `POST / HTTP/1.1\r\nHost: demo.apps.test\r\n${head}${hidden}`,
    );
    assert.match(answer, /^HTTP\/1\.1 400 /, JSON.stringify(head));
    assert.ok(!answer.includes('/hidden'), JSON.stringify(head));
    assert.equal(answer.split('HTTP/1.1 ').length, 2, JSON.stringify(answer));
  }
  assert.ok(!seen.includes('/hidden'));
});

test('a Connection header names away nothing that frames the message', async () => {
  const answer = await exchangeBytes(
    gateway.port,
    'POST /one HTTP/1.1\r\nHost: demo.apps.test\r\nConnection: Content-Length, Host\r\nContent-Length: 41\r\n\r\n' +
      'GET /two HTTP/1.1\r\nHost: demo.apps.test\r\n\r\n'.slice(0, 41) +
      'GET /three HTTP/1.1\r\nHost: demo.apps.test\r\nConnection: close\r\n\r\n',
  );
  assert.match(answer, /site demo\.apps\.test \/one/);
  assert.match(answer, /site demo\.apps\.test \/three/);
  assert.doesNotMatch(answer, /\/two/);
});

test('requests for several owners on one connection each go their way', async () => {
  const get = (host: string, path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const answer = await exchangeBytes(
    gateway.port,
    get('demo.apps.test', '/1') +
      get('console.test', '/2') +
      get('nobody.apps.test', '/3') +
      get('demo.apps.test', '/4').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
  );
  const bodies = [
    'site demo.apps.test /1',
    'platform console.test /2',
    'There is no site here',
    'site demo.apps.test /4',
  ];
  const places = bodies.map((body) => answer.indexOf(body));
  assert.ok(
    places.every((place, i) => place > (places[i - 1] ?? 0)),
    JSON.stringify(answer),
  );
});

test('a port for sites alone knows no platform', async () => {
  const { sites } = gateway;
  await using other = await startGateway();
  await other.gateway.listen('127.0.0.1', 0);
  const port = other.gateway.sitesPort();
  assert.ok(port);
  other.sites.set('a', { routes: [{ host: 'demo.apps.test' }], state: 'live', targets: [site.target] });
  assert.equal((await askGateway(port, 'demo.apps.test')).text, 'site demo.apps.test /');
  for (const host of ['console.test', 'localhost', '127.0.0.1'])
    assert.equal((await askGateway(port, host)).status, 404);
  assert.match(await exchangeBytes(port, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 /);
  await other.gateway.close(1_000);
  assert.ok(sites.find('demo.apps.test'));
});
