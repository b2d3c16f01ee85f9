import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { WebSocket, WebSocketServer } from 'ws';
import { newApplication } from '../../support/deployed.ts';
import { askGateway, startRawSite, startSite, type TestSite } from '../../support/gateway.ts';
import { placeSite, writeServing } from '../../support/placed-site.ts';
import { newServerGroup, type ServerGroupMember } from '../../support/server-group.ts';
import { until } from '../../support/until.ts';

const REPOSITORY = 'file:///nowhere';

describe('a server that does not run the sites passes on', () => {
  let fleet: Awaited<ReturnType<typeof newServerGroup>>;
  let other: ServerGroupMember;
  let site: TestSite;
  let chat: WebSocketServer;
  let host: string;

  before(async () => {
    fleet = await newServerGroup();
    const runs = await fleet.start();
    other = await fleet.start({ HOSTING: 'off' });
    site = await startSite((incoming, response) => {
      response.setHeader('x-seen', JSON.stringify(incoming.headersDistinct));
      response.writeHead(201);
      incoming.pipe(response);
    });
    chat = new WebSocketServer({ server: site.server });
    chat.on('connection', (client) =>
      client.on('message', (message, binary) => client.send(message, { binary })),
    );
    const app = await newApplication(other.call, other.url, REPOSITORY);
    host = app.host;
    await placeSite(runs, app.uuid, site.target);
    await until(() => other.simcha.sites.find(host)?.backends[0]?.target.kind === 'peer');
  });
  after(async () => {
    for (const client of chat.clients) client.terminate();
    await site[Symbol.asyncDispose]();
    await fleet[Symbol.asyncDispose]();
  });

  test('a body, and who sent it', async () => {
    const answer = await askGateway(other.port, host, '/form', { method: 'POST', body: 'name=נועה' });
    assert.deepEqual([answer.status, answer.text], [201, 'name=נועה']);
    const seen = JSON.parse(String(answer.headers['x-seen']));
    assert.deepEqual(seen['x-forwarded-for'], ['127.0.0.1, 127.0.0.1']);
    assert.deepEqual(seen.host, [host]);
    assert.equal(seen['simcha-passed-on'], undefined);
  });

  test('an upload as it comes', async () => {
    const pieces = Array.from({ length: 16 }, () => randomBytes(2 ** 19));
    const upload = request({ port: other.port, method: 'PUT', path: '/', agent: false, headers: { host } });
    const answered = once(upload, 'response');
    const hash = createHash('sha256');
    upload.write(pieces[0]);
    // The site has read some of it by now.
    const [response] = (await answered) as [IncomingMessage];
    const echoed = response.forEach((chunk: Buffer) => void hash.update(chunk));
    for (const piece of pieces.slice(1)) if (!upload.write(piece)) await once(upload, 'drain');
    upload.end();
    await echoed;
    const sent = createHash('sha256').update(Buffer.concat(pieces));
    assert.equal(hash.digest('hex'), sent.digest('hex'));
  });

  test('a WebSocket', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${other.port}/`, { headers: { host } });
    await once(socket, 'open');
    for (const message of ['שלום', 'x'.repeat(2 ** 20)]) {
      socket.send(message);
      assert.equal(String((await once(socket, 'message'))[0]), message);
    }
    socket.close(1000);
    assert.equal((await once(socket, 'close'))[0], 1000);
  });
});

test('a request that was passed on is not passed on again, where each server takes the other for the one that runs the sites', async () => {
  await using fleet = await newServerGroup();
  const settings = { HOSTING: 'off', APPS_WAIT_SECONDS: '0' };
  const members = [await fleet.start(settings), await fleet.start(settings)] as const;
  // Whoever asks here is led to the other one: first to the second, which would ask the first, and so on.
  await using way = await startRawSite((socket, nth) => {
    const member = connect(members[nth % 2]?.port ?? 0, '127.0.0.1');
    member.on('error', () => socket.destroy());
    socket.pipe(member).pipe(socket);
  });
  const [{ simcha, call, url, port }] = members;
  const app = await newApplication(call, url, REPOSITORY);
  await sql`
    insert into hosting_lease (server, machine, address, outlives, generation, held_until)
    values (${randomUUID()}, 'another', ${way.origin}, false, 1, now() + interval '1 hour')`.execute(
    simcha.database.sql,
  );
  await writeServing(simcha.database.sql, app.uuid, { kind: 'server', origin: 'http://127.0.0.1:9' });
  for (const member of members)
    await until(() => member.simcha.sites.find(app.host)?.backends[0]?.target.kind === 'peer');

  const { status, headers } = await askGateway(port, app.host);
  assert.deepEqual([status, headers['retry-after'], way.connections()], [503, '2', 1]);
  const refused = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host: app.host } });
  const [, { statusCode }] = await once(refused, 'unexpected-response');
  // The connection was kept.
  assert.deepEqual([statusCode, way.connections()], [503, 1]);
});
