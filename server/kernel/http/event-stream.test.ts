import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import fastify from 'fastify';
import { createEventStreams, formatEvent, writeEvents } from './event-stream.ts';

const HOUR = 3_600_000;
const never = new AbortController().signal;
const isStillAllowed = async () => true;

async function* quiet(signal: AbortSignal): AsyncGenerator<string> {
  if (!signal.aborted) await once(signal, 'abort');
  yield* [];
}

test('an event is framed so that nothing in it can pass for a field of its own', () => {
  assert.equal(formatEvent('one'), 'data: one\n\n');
  assert.equal(formatEvent('1', { id: 7, name: 'counts' }), 'event: counts\nid: 7\ndata: 1\n\n');
  assert.equal(formatEvent('a\rid: 9\r\nb\n'), 'data: a\ndata: id: 9\ndata: b\ndata: \n\n');
});

test('a client that does not read is asked for no more, and told the rest when it does', async () => {
  let asked = 0;
  const body = writeEvents(
    async function* () {
      for (; asked < 1_000; asked += 1) yield formatEvent('x'.repeat(1_000));
    },
    never,
    { longestMs: HOUR, isStillAllowed },
  );
  for (let turns = 0; turns < 100; turns += 1) await breathe();
  assert.ok(asked > 0 && asked < 500, `asked for ${asked}`);
  const pieces = await body.setEncoding('utf8').toArray();
  assert.equal(pieces.join('').split('\n\n').length, 1_002);
});

test('a client that never reads is let go', async () => {
  let over = false;
  const body = writeEvents(
    async function* () {
      try {
        for (;;) yield formatEvent('x'.repeat(10_000));
      } finally {
        over = true;
      }
    },
    never,
    { longestMs: HOUR, isStillAllowed, slowClientMs: 20 },
  );
  await once(body, 'close');
  while (!over) await breathe();
});

test('a stream ends by itself, with the server, and after its time; a quiet one is kept open by comments', async () => {
  const whole = async (body: ReturnType<typeof writeEvents>) =>
    (await body.setEncoding('utf8').toArray()).join('');
  const two = async function* () {
    yield formatEvent('1');
    yield formatEvent('2');
  };
  assert.equal(
    await whole(writeEvents(two, never, { longestMs: HOUR, isStillAllowed })),
    'retry: 2000\n\ndata: 1\n\ndata: 2\n\n',
  );
  assert.equal(await whole(writeEvents(quiet, never, { longestMs: 20, isStillAllowed })), 'retry: 2000\n\n');

  const closing = new AbortController();
  const beating = writeEvents(quiet, closing.signal, { longestMs: HOUR, isStillAllowed, heartbeatMs: 5 });
  beating.on('data', (text) => {
    if (String(text) === ':\n\n') closing.abort();
  });
  await once(beating, 'end');
});

test('a failure under way cuts the stream', async () => {
  const body = writeEvents(
    async function* () {
      yield formatEvent('1');
      throw new Error('the database is away');
    },
    never,
    { longestMs: HOUR, isStillAllowed },
  );
  await assert.rejects(body.toArray(), /away/);
});

test('of many that open at the same time as many are let in as may be, and one that ends makes room', async (t) => {
  const app = fastify({ forceCloseConnections: true });
  const streams = createEventStreams();
  t.after(async () => {
    streams.close();
    await app.close();
  });
  app.get('/', (_request, reply) =>
    streams.open(reply, [{ key: 'mine', most: 3 }], { longestMs: HOUR, isStillAllowed }, async () => {
      await breathe();
      return quiet;
    }),
  );
  app.get('/fails', (_request, reply) =>
    streams.open(reply, [{ key: 'mine', most: 3 }], { longestMs: HOUR, isStillAllowed }, async () => {
      throw new Error('no');
    }),
  );
  app.setErrorHandler((error, _request, reply) =>
    reply.code((error as { status?: number }).status ?? 500).send(),
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  assert.equal((await fetch(`${url}/fails`)).status, 500);
  assert.equal((await fetch(url, { method: 'HEAD' })).status, 200);
  const all = await Promise.all(Array.from({ length: 20 }, () => fetch(url)));
  const open = all.filter(({ status }) => status === 200);
  assert.equal(open.length, 3);
  assert.equal(all.filter(({ status }) => status === 429).length, 17);
  await open[0]?.body?.cancel();
  for (let status = 0; status !== 200; ) ({ status } = await fetch(url));
});

test('who may be told no more is told nothing that comes after, and is not kept open', async () => {
  let mayBeTold = true;
  const options = { longestMs: HOUR, isStillAllowed: async () => mayBeTold, recheckAfterMs: 0 };
  const news = new EventTarget();
  const told = async function* (signal: AbortSignal) {
    yield formatEvent('before');
    await once(news, 'more', { signal });
    yield formatEvent('after');
  };
  const busy = writeEvents(told, never, options).setEncoding('utf8');
  const [first] = await once(busy, 'data');
  mayBeTold = false;
  news.dispatchEvent(new Event('more'));
  const rest = await busy.toArray();
  assert.doesNotMatch([first, ...rest].join(''), /after/);

  const idle = writeEvents(quiet, never, { ...options, heartbeatMs: 5 });
  assert.match((await idle.setEncoding('utf8').toArray()).join(''), /^retry: 2000\n\n(:\n\n)+$/);
});
