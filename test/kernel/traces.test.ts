import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../../server/kernel/config.ts';
import { openTracing } from '../../server/kernel/tracing/open.ts';
import { statementName } from '../../server/kernel/tracing/statement-spans.ts';
import { createClient } from '../support/client.ts';
import { newDeveloper } from '../support/developers.ts';
import { mailTo } from '../support/outbox.ts';
import { spawnReadyServer } from '../support/process.ts';
import { BOTH_DATABASES, startServer } from '../support/server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { startTraceCollector, type TraceCollector } from '../support/trace-collector.ts';
import { newWebhook, startReceiver, WEBHOOKS } from '../support/webhook-receiver.ts';

const EVENT = { title: 'Secret party', event_date: '2099-06-15T19:30', venue_name: 'Eden' };
const CALLER = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
const traceparent = `00-${CALLER.trace}-${CALLER.span}-01`;

const settings = (collector: TraceCollector) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  WEBHOOKS_ALLOW_PRIVATE_HOSTS: 'true',
});

for (const kind of BOTH_DATABASES) {
  test(`a request, its statements, its job and its mail are one trace, that of its caller, on ${kind}`, async () => {
    await using collector = await startTraceCollector();
    const env = {
      ...settings(collector),
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=blue',
      OTEL_SERVICE_NAME: 'ours',
    };
    const server = await startServer(kind, { env });
    const wrong = await server.call('POST', '/api/v1/users/register?from=query-secret', {
      body: { email: 'no address of mail' },
      headers: { traceparent },
    });
    assert.equal(wrong.status, 400, wrong.text);
    const registered = await server.call('POST', '/api/v1/users/register', {
      body: { email: 'traced@example.com' },
      headers: { traceparent },
    });
    assert.equal(registered.status, 201, registered.text);
    await mailTo(server.dataDir, 'traced@example.com');
    // The last spans are sent when the server closes.
    await server.close();

    const ours = collector.spans.filter(({ traceId }) => traceId === CALLER.trace);
    const [refused, request] = ours.filter(({ kind: number }) => number === 2);
    assert.equal(refused?.attributes['http.response.status_code'], 400);
    assert.equal(refused?.status, 0, 'a mistake of the client is no error of the server');
    assert.equal(request?.name, 'POST /api/v1/users/register');
    assert.equal(request.parent, CALLER.span);
    assert.equal(request.attributes['http.response.status_code'], 201);
    assert.equal(request.attributes['simcha.request_id'], registered.headers.get('x-request-id'));
    assert.equal(request.resource['service.name'], 'ours');
    assert.match(String(request.resource['service.version']), /^\d+\.\d+\.\d+/);
    assert.ok(request.resource['host.name']);
    const inserted = ours.find(({ name }) => name === 'insert users');
    assert.equal(inserted?.parent, request.id);
    assert.match(String(inserted.attributes['db.query.text']), /\$1/);
    const job = ours.find(({ name }) => name === 'job mail');
    assert.deepEqual([job?.parent, job?.kind], [request.id, 5]);
    assert.equal(ours.find(({ name }) => name === 'mail')?.parent, job?.id);
    assert.equal(collector.headers[0]?.['x-tenant'], 'blue');
    for (const secret of [
      'traced@example.com',
      'no address of mail',
      'query-secret',
      registered.body.api_key,
    ])
      assert.ok(!collector.bodies.some((body) => body.includes(secret)), `a trace has ${secret}`);
  });
}

test('a request that fails, and a webhook that is refused, are errors with their reason', async () => {
  await using collector = await startTraceCollector();
  await using receiver = await startReceiver();
  receiver.answers.push(500);
  const server = await startServer('postgres', { env: settings(collector) });
  const { call } = await newDeveloper(server);
  const webhook = await newWebhook(call, { url: receiver.url, kinds: ['event.created'] });
  await call('POST', `${WEBHOOKS}/${webhook.id}/test`);
  await sql`alter table events rename to gone`.execute(server.simcha.database.sql);
  const failed = await call('GET', '/api/events');
  assert.equal(failed.status, 500);
  await sql`alter table gone rename to events`.execute(server.simcha.database.sql);
  await server.close();

  const request = collector.spans.find(({ name }) => name === 'GET /api/events');
  assert.equal(request?.status, 2);
  assert.match(String(request.events[0]?.attributes['exception.message']), /"events" does not exist/);
  const statement = collector.spans.find(({ parent, status }) => parent === request.id && status === 2);
  assert.match(String(statement?.attributes['db.query.text']), /events/);
  const sent = collector.spans.find(({ name }) => name === 'webhook');
  assert.deepEqual([sent?.status, sent?.attributes['http.response.status_code']], [2, 500]);
  const test = collector.spans.find(({ id }) => id === sent?.parent);
  assert.equal(test?.name, `POST ${WEBHOOKS}/:webhook/test`);
  assert.ok(!collector.bodies.some((body) => body.includes(new URL(receiver.url).pathname)));
});

test('guests’ links, tokens and names stay out of traces, and so do traces that a caller does not record', async () => {
  await using collector = await startTraceCollector();
  const server = await startServer('postgres', { env: settings(collector) });
  const token = await server.token('me');
  const { body } = await server.call('POST', '/api/events', { token, body: EVENT });
  const guests = `/api/events/${body.event.id}/guests`;
  const guest = await server.call('POST', guests, { token, body: { name: 'Shira Hidden' } });
  assert.equal(guest.status, 201, guest.text);
  await server.call('GET', '/r/a-guests-own-token');
  const unrecorded = `00-${'a'.repeat(32)}-${CALLER.span}-00`;
  await server.call('GET', '/api/events', { token, headers: { traceparent: unrecorded } });
  await server.close();

  const names = collector.spans.filter(({ kind }) => kind === 2).map(({ name }) => name);
  assert.ok(names.includes('POST /api/events/:id/guests'), names.join());
  assert.ok(names.some((name) => /^GET \/r\/:/.test(name)));
  assert.ok(!collector.spans.some(({ traceId }) => traceId === 'a'.repeat(32)));
  for (const secret of ['Shira', 'Secret party', 'a-guests-own-token', token, body.event.id])
    assert.ok(!collector.bodies.some((one) => one.includes(secret)), secret);
});

test('a sampler by ratio records only what its caller records', async () => {
  await using collector = await startTraceCollector();
  const sampler = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
  const server = await startServer('postgres', { env: { ...settings(collector), ...sampler } });
  await server.call('GET', '/openapi.json');
  await server.call('GET', '/openapi.json', { headers: { traceparent } });
  await server.close();
  const requests = collector.spans.filter(({ kind }) => kind === 2);
  assert.deepEqual(
    requests.map(({ traceId }) => traceId),
    [CALLER.trace],
  );
});

describe('a server', () => {
  /**
   * Files of the server for traces: in the sources, in the bundle (`npm run build`), and OpenTelemetry's packages. Its
   * API comes with the package of the metrics.
   */
  const OF_TRACES = /\/otlp[-.][^/]*$|@opentelemetry\/(?!api\/)/;

  /** Starts a server that writes which files it loads, and returns them with its log. */
  async function filesLoaded(env: Record<string, string>) {
    await using data = await mkdtempDisposable(join(tmpdir(), 'simcha-traces-'));
    const list = join(data.path, 'loaded');
    const hook = `import { appendFileSync } from 'node:fs';
      import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) {
        appendFileSync(${JSON.stringify(list)}, url + '\\n');
        return next(url, context);
      } });`;
    const server = await spawnReadyServer({
      ...env,
      DATA_DIR: join(data.path, 'data'),
      HOSTING: 'off',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
    });
    for (let n = 0; n < 3; n += 1) await createClient(server.url)('GET', '/openapi.json');
    const began = performance.now();
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    const endedMs = performance.now() - began;
    const loaded = (await readFile(list, 'utf8')).trim().split('\n');
    assert.ok(loaded.some((url) => /\/compose[-.]/.test(url)));
    return { loaded, output: server.output(), endedMs };
  }

  test('without a collector loads nothing for traces', async () => {
    const { loaded } = await filesLoaded({});
    assert.deepEqual(
      loaded.filter((url) => OF_TRACES.test(url)),
      [],
    );
  });

  testInLane('whose collector is away goes on, warns once and ends in time', async () => {
    const away = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const { loaded, output, endedMs } = await filesLoaded(away);
    assert.ok(loaded.some((url) => OF_TRACES.test(url)));
    assert.equal(output.split('traces could not be sent').length - 1, 1, output);
    assert.ok(endedMs < 10_000, `${endedMs} ms`);
  });
});

test('work in the background leaves the trace of the request that began it once the request has ended', async () => {
  await using collector = await startTraceCollector();
  const tracing = await openTracing(readConfig(settings(collector)), pino({ level: 'silent' }));
  const { promise: hasEnded, resolve: end } = Promise.withResolvers<void>();
  const request = tracing.start('request', { kind: 'server', parent: {} });
  const background = request.run(async () => {
    const during = tracing.traceparent();
    await hasEnded;
    tracing.start('later').end();
    return { during, after: tracing.traceparent() };
  });
  request.end();
  end();
  const { during, after } = await background;
  assert.match(during ?? '', new RegExp(`^00-${request.traceId}-`));
  assert.equal(after, undefined);
  await tracing.close();
  assert.deepEqual(
    collector.spans.map(({ name, parent }) => [name, parent]),
    [
      ['request', ''],
      ['later', ''],
    ],
  );
});

test('a statement is named by its first word and its first table', () => {
  for (const [text, name] of [
    ['select id from guests where id = $1', 'select guests'],
    ['\n  insert into "guests" (id) values ($1)', 'insert guests'],
    ['update events set title = $1', 'update events'],
    ['with one as (select 1) delete from only rounds', 'with rounds'],
    ['begin', 'begin'],
    ['', 'statement'],
  ] as const)
    assert.equal(statementName(text), name);
});
