import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { AccessLog, accessLogOf } from '../../server/hosting/access-log/access-log.ts';
import { forgetOldAccess } from '../../server/hosting/logs/store.ts';
import { newApplication, visitSite } from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { newLogs, openLogs, textOf } from '../support/logs.ts';
import { DATABASES, temporaryDatabase } from '../support/server.ts';
import { newServerGroup } from '../support/server-group.ts';
import { until } from '../support/until.ts';

const QUICK = { hostingTimes: { figures: { listMs: 20 } } };
const ENV = { APPS_GIT_PROTOCOLS: 'file' };
const LINE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (\S+ \S+ \d{3}) \d+ms \d+B (\S+)$/;

/** Method, path and status of each line of a log, with the client's network. */
const requestsIn = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => LINE.exec(line)?.slice(1).join(' ') ?? line);

test('the access log lists requests through any server, without values of queries and with the clients’ networks', async () => {
  await using repository = await createRepository({ 'index.html': '<p>here</p>' });
  await using group = await newServerGroup();
  const first = await group.start(ENV, QUICK);
  const app = await newApplication(first.call, first.url, repository.address);
  await app.deploy();
  const second = await group.start(
    { ...ENV, HOSTING: 'off', TRUSTED_PROXIES: '127.0.0.1,10.1.0.0/16' },
    QUICK,
  );
  await until(() => (second.simcha.sites.find(app.host)?.backends.length ?? 0) > 0);
  await visitSite(first.url, app.host, '/missing?token=s3cret');
  await until(async () => (await app.call('GET', '/access-log')).text !== '');

  const over = new AbortController();
  const stream = await fetch(`${first.url}${app.at}/access-log/stream`, {
    headers: { 'x-api-key': first.key },
    signal: over.signal,
  });
  let received = '';
  const following = (async () => {
    for await (const chunk of stream.body ?? []) received += Buffer.from(chunk).toString();
  })().catch(() => {});
  const forwarded = { 'x-forwarded-for': '6.6.6.6, 203.0.113.77, 10.1.2.3' };
  await visitSite(second.url, app.host, '/?page=2', { headers: forwarded });
  await until(() => received.includes('203.0.113'));
  over.abort();
  await following;
  const listed = ['GET /missing?token= 404 127.0.0.0', 'GET /?page= 200 203.0.113.0'];
  assert.deepEqual(requestsIn((await app.call('GET', '/access-log')).text), listed);
  assert.deepEqual(requestsIn((await app.call('GET', '/access-log?lines=1')).text), listed.slice(1));
  assert.match(received, /^data: \S+ GET \/missing\?token= 404 /m);

  const stranger = await newDeveloper(first, { verified: false });
  assert.equal((await stranger.call('GET', `${app.at}/access-log`)).status, 403);
});

test('beyond 200 requests of a site in a second, requests are counted', () => {
  const lines: string[] = [];
  const log = new AccessLog({ put: (_logId, _prefix, texts) => void lines.push(...texts) });
  let described = 0;
  const describe = () => {
    described += 1;
    return { method: 'GET', target: '/', status: 200, ms: 1, bytes: 9, address: '127.0.0.1' };
  };
  for (let i = 0; i < 1_000; i += 1) log.add('a', describe);
  log.add('b', describe);
  log.close();
  assert.equal(described, 201);
  assert.equal(lines.length, 202);
  assert.equal(lines.at(-1), '… 800 lines left out');
});

for (const kind of DATABASES) {
  test(`lines of access logs are deleted after a time and beyond 8 MiB, those of other logs are not (${kind})`, async () => {
    await using place = await temporaryDatabase(kind);
    await using at = await openLogs(place.env);
    const { site } = await newLogs(at.database);
    const access = accessLogOf(site);
    const put = async (log: string, texts: readonly string[]) => {
      at.logs.write.put(log, 'at', texts);
      await at.logs.write.flush(log);
    };
    for (const log of [site, access]) await put(log, ['old']);
    const { sql: db } = at.database;
    await sql`update log_chunks set written_at = now() - interval '8 days'`.execute(db);
    for (const log of [site, access]) await put(log, ['new']);
    await forgetOldAccess(db, Temporal.Now.instant().subtract({ hours: 7 * 24 }));
    assert.equal(await textOf(at.logs, access), 'at new\n');
    assert.equal(await textOf(at.logs, site), 'at old\nat new\n');
    const bytes = await at.logs.bytesOf(access);
    assert.ok(bytes > 7 && bytes < 200, String(bytes));

    const long = 'x'.repeat(60_000);
    for (let i = 0; i < 150; i += 1) await put(access, [`${i} ${long}`]);
    assert.ok((await at.logs.bytesOf(access)) <= 8 * 2 ** 20);
    assert.ok((await at.logs.bytesOf(access)) > 7 * 2 ** 20);
    assert.match(await textOf(at.logs, access), /^at 149 x/m);
  });
}
