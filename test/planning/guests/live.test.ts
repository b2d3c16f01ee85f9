import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES, postgresDatabase, query, startServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { startEvent } from '../event.ts';

interface Message {
  event: string;
  id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  data: any;
}

/** Follows a stream; `messages` grows as it comes. */
async function follow(url: string, token: string, lastId?: string) {
  const stop = new AbortController();
  const response = await fetch(url, {
    signal: stop.signal,
    headers: { authorization: `Bearer ${token}`, ...(lastId && { 'last-event-id': lastId }) },
  });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const messages: Message[] = [];
  const ended = (async () => {
    let rest = '';
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
        const event = fields.get('event');
        if (event) messages.push({ event, id: fields.get('id'), data: JSON.parse(fields.get('data') ?? '') });
      }
    }
  })().catch(() => {});
  const of = (event: string) => messages.filter((message) => message.event === event);
  return { messages, of, ended, stop: () => stop.abort() };
}

for (const kind of DATABASES) {
  test(`answers and counts are told as they come, and what was missed on connecting again, on ${kind}`, async () => {
    await using event = await startEvent(kind);
    const token = await event.server.token('me');
    const url = `${event.server.url}/api/events/${event.id}/stream`;
    const [first, second] = [await event.guest({ name: 'א' }), await event.guest({ name: 'ב' })];
    const stream = await follow(url, token);
    await until(() => stream.of('counts').length > 0);
    assert.equal(stream.of('counts')[0]?.data.rsvp_total, 2);

    await event.call('PUT', `/guests/${first.id}`, { body: { rsvp_status: 'confirmed' } });
    await until(() => stream.of('answer').length === 1);
    const [told] = stream.of('answer');
    assert.deepEqual([told?.data.guest.id, told?.data.guest.rsvp_status], [first.id, 'confirmed']);
    await until(() => stream.of('counts').at(-1)?.data.rsvp_confirmed === 1);
    stream.stop();
    await stream.ended;

    await event.call('PUT', `/guests/${second.id}`, { body: { rsvp_status: 'declined' } });
    const again = await follow(url, token, told?.id);
    await until(() => again.of('counts').length > 0);
    const answered = () => [...new Set(again.of('answer').map(({ data }) => data.guest.id))];
    assert.deepEqual(answered(), [second.id]);
    // Of an import only that much changed is told.
    const rows = Array.from({ length: 80 }, (_, number) => `אורח ${number},כן`).join('\n');
    await event.call('POST', '/guests/import', {
      body: `שם,תשובה\n${rows}`,
      headers: { 'content-type': 'text/csv' },
    });
    await until(() => again.of('counts').at(-1)?.data.rsvp_confirmed === 81);
    assert.ok(again.of('changed').length > 0);
    // One that was missed may be told twice: read on connecting, and heard right after.
    assert.deepEqual(answered(), [second.id]);

    const foreign = await event.server.call('GET', `/api/events/${event.id}/stream`, {
      token: await event.server.token('stranger'),
    });
    assert.equal(foreign.status, 403);
    // Shutting down ends streams rather than waiting for them.
    await event.server.simcha.app.close();
    await again.ended;
  });
}

test('an answer given to one server is told by another, also after the connection was cut', async () => {
  const { url: databaseUrl, drop } = await postgresDatabase('simcha_template');
  {
    await using event = await startEvent('postgres', {}, { env: { DATABASE_URL: databaseUrl } });
    const guest = await event.guest({ name: 'א' });
    await using other = await startServer('postgres', { env: { DATABASE_URL: databaseUrl } });
    const stream = await follow(`${other.url}/api/events/${event.id}/stream`, await other.token('me'));
    await until(() => stream.of('counts').length > 0);
    await event.call('PUT', `/guests/${guest.id}`, { body: { rsvp_status: 'confirmed' } });
    await until(() => stream.of('answer').length === 1);

    await query(
      databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'simcha live'`,
    );
    await event.call('PUT', `/guests/${guest.id}`, { body: { rsvp_status: 'declined' } });
    await until(() => stream.of('counts').at(-1)?.data.rsvp_declined === 1);
    stream.stop();
  }
  await drop();
});
