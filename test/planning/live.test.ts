import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES, postgresDatabase, queryDatabase, startServer } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { startEvent, type TestEvent } from './event.ts';

interface Message {
  event: string;
  id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  data: any;
}

/** Follows a stream; `messages` grows as it comes. */
async function follow(url: string, who: string | { cookie: string }, lastId?: string) {
  const stop = new AbortController();
  const response = await fetch(url, {
    signal: stop.signal,
    headers: {
      ...(typeof who === 'string' ? { authorization: `Bearer ${who}` } : who),
      ...(lastId && { 'last-event-id': lastId }),
    },
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
    assert.equal(again.of('answer').length, 1);

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

    await queryDatabase(
      databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'simcha live'`,
    );
    await event.call('PUT', `/guests/${guest.id}`, { body: { rsvp_status: 'declined' } });
    await until(() => stream.of('counts').at(-1)?.data.rsvp_declined === 1);
    stream.stop();
  }
  await drop();
});

interface Heard {
  name: string;
  id: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  data: any;
}

/**
 * A client that is cut off again and again, after one message, after two, and so on, and connects to the next server
 * with the last id it got, until it has heard of line `upTo()`. Gives what it heard of all its lives, without `counts`.
 */
async function hearInPieces(
  urls: string[],
  token: string,
  first: string,
  upTo: () => number,
): Promise<Heard[]> {
  const heard: Heard[] = [];
  let last = first;
  for (let life = 0; Number(last) < upTo(); life += 1) {
    const cut = new AbortController();
    const response = await fetch(urls[life % urls.length] as string, {
      signal: cut.signal,
      headers: { authorization: `Bearer ${token}`, 'last-event-id': last },
    });
    assert.equal(response.status, 200);
    let left = 1 + (life % 9);
    let rest = '';
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (left > 0 && Number(last) < upTo()) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        if (left === 0) break;
        const [, name = '', id = '', data = ''] = /^event: (.*)\nid: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (!name) continue;
        left -= 1;
        last = id;
        if (name !== 'counts') heard.push({ name, id: Number(id), data: JSON.parse(data) });
      }
    }
    cut.abort();
    await reader?.cancel().catch(() => {});
  }
  return heard;
}

/** Guests answer, get places and lose them, strangers ask to come and the organizer changes things, all at once. */
async function muchAtOnce(event: TestEvent, urls: string[]): Promise<void> {
  const guests = await Promise.all(
    Array.from({ length: 40 }, (_, one) => event.guest({ name: `אורח ${one}` })),
  );
  const { body } = await event.call('PUT', '/rsvp', { body: { open: true } });
  const server = (turn: number) => urls[turn % urls.length] as string;
  const post = async (url: string, type: string, body: string): Promise<void> => {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': type },
      body,
    });
    // All of them are one caller to the server, and on a slow machine one may wait too long for its turn.
    if (answer.status === 429) return post(url, type, body);
    assert.ok(answer.status === 200 || answer.status === 303 || answer.status === 409, await answer.text());
  };
  const answerTwice = async (id: string, turn: number) => {
    const link = await event.call('GET', `/guests/${id}/link`);
    const path = `/api/rsvp/${new URL(link.body.link.url).pathname.split('/').at(-1)}`;
    const wish = (status: string) => JSON.stringify({ rsvp_status: status, coming: 1 });
    await post(server(turn) + path, 'application/json', wish('confirmed'));
    await post(server(turn + 1) + path, 'application/json', wish(turn % 2 ? 'declined' : 'confirmed'));
  };
  const ask = (turn: number) =>
    post(
      `${server(turn)}/e/${body.settings.slug}`,
      'application/x-www-form-urlencoded',
      `name=Dana&phone=05212345${10 + turn}&coming=2`,
    );
  const change = (id: string, turn: number) =>
    event.call('PUT', `/guests/${id}`, {
      body: turn % 2 ? { note: `${turn}` } : { rsvp_status: 'declined' },
    });
  await Promise.all([
    ...guests.slice(0, 35).map(({ id }, turn) => answerTwice(id, turn)),
    ...Array.from({ length: 15 }, (_, turn) => ask(turn)),
    ...guests.slice(0, 10).map(({ id }, turn) => change(id, turn)),
    ...guests.slice(35).map(({ id }) => event.call('DELETE', `/guests/${id}`)),
  ]);
}

for (const kind of DATABASES) {
  const servers = kind === 'postgres' ? 2 : 1;
  testInLane(
    `whoever is cut off at any moment misses nothing and hears nothing twice (${servers} × ${kind})`,
    async () => {
      const shared = kind === 'postgres' ? await postgresDatabase('simcha_template') : undefined;
      {
        const env = shared && { DATABASE_URL: shared.url };
        await using event = await startEvent(kind, { max_guests: 12 }, env ? { env } : {});
        await using other = env && (await startServer(kind, { env }));
        const urls = [event.server.url, ...(other ? [other.url] : [])];
        const token = await event.server.token('me');
        const streams = urls.map((url) => `${url}/api/events/${event.id}/stream`);
        const newest = async () => (await event.call('GET', '/history?limit=1')).body.history[0];
        const first = (await newest()).id;
        let upTo = Number.POSITIVE_INFINITY;
        const clients = [0, 1, 2].map((turn) =>
          hearInPieces(turn === 1 ? streams.toReversed() : streams, token, first, () => upTo),
        );
        const all = Promise.all(clients);
        all.catch(() => {});
        await muchAtOnce(event, urls);
        // The last word, so that every client hears of the end.
        await event.call('POST', '/guests', { body: { name: 'אחרון' } });
        upTo = Number((await newest()).id);

        const history: { id: string; subject: string; subject_id: string; action: string }[] = [];
        for (let page = 1; history.length === (page - 1) * 100; page += 1) {
          history.push(...(await event.call('GET', `/history?limit=100&page=${page}`)).body.history);
        }
        const lines = history.reverse().filter(({ subject }) => subject.startsWith('guest'));
        const guests = (await event.call('GET', '/guests?limit=1000')).body.guests;
        const requests = (await event.call('GET', '/guest-requests?limit=1000')).body.requests;
        assert.ok(
          lines.some(({ action }) => action === 'moved_up'),
          'somebody got a place that came free',
        );
        for (const heard of await all) {
          // How everybody stands, as the last that was heard of them says.
          const told = new Map(heard.map(({ data }) => [data.guest?.id ?? data.guest_id, data.guest]));
          for (const guest of guests) assert.deepEqual(told.get(guest.id), guest);
          const asked = heard.flatMap(({ name, data }) => (name === 'request' ? [data.request.id] : []));
          assert.deepEqual(
            asked.toSorted(),
            requests.map(({ id }: { id: string }) => id),
          );
          // Each line once, in its order; only of a guest who is gone since is there nothing to show.
          const ids = heard.map(({ id }) => id);
          assert.deepEqual(
            ids,
            [...new Set(ids)].sort((a, b) => a - b),
          );
          const missed = lines.filter(({ id }) => !ids.includes(Number(id)));
          const gone = new Set(
            lines.flatMap(({ action, subject_id }) => (action === 'deleted' ? [subject_id] : [])),
          );
          assert.deepEqual(
            missed.filter(({ subject_id }) => !gone.has(subject_id)),
            [],
          );
          for (const { id, action, subject_id } of lines) {
            const what = heard.find((one) => one.id === Number(id));
            if (action === 'moved_up' && !gone.has(subject_id)) assert.equal(what?.name, 'answer');
            if (action === 'deleted') assert.equal(what?.name, 'removed');
            if (action === 'asked') assert.equal(what?.data.request.id, subject_id);
          }
        }
      }
      await shared?.drop();
    },
  );
}

test('more than can be told one by one is told as one change, and so is a line there never was', async () => {
  await using event = await startEvent('postgres', { max_guests: 1 });
  const url = `${event.server.url}/api/events/${event.id}/stream`;
  const token = await event.server.token('me');
  const rows = Array.from({ length: 520 }, (_, number) => `אורח ${number},כן`).join('\n');
  await event.call('POST', '/guests/import', {
    body: `שם,תשובה\n${rows}`,
    headers: { 'content-type': 'text/csv' },
  });
  const stream = await follow(url, token);
  await until(() => stream.of('counts').at(-1)?.data.waiting === 519);
  const before = stream.of('counts').at(-1)?.id;
  await event.call('PUT', '', { body: { max_guests: 1_000 } });
  await until(() => stream.of('counts').at(-1)?.data.waiting === 0);
  assert.deepEqual(
    stream.messages.slice(1).map((message) => message.event),
    ['changed', 'counts'],
  );
  stream.stop();

  const heard = async (lastId: string | undefined) => {
    const again = await follow(url, token, lastId);
    await until(() => again.of('counts').length > 0);
    again.stop();
    return again.messages.map((message) => message.event);
  };
  assert.deepEqual(await heard(before), ['changed', 'counts']);
  assert.deepEqual(await heard('999999999'), ['changed', 'counts']);
  assert.deepEqual(await heard('2026-11-21T08:26:45.054Z'), ['counts']);
  assert.deepEqual(await heard(stream.messages.at(-1)?.id), ['counts']);
});

test('an organizer has fifty streams at most, also when all are opened at the same time', async () => {
  await using event = await startEvent('postgres');
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${await event.server.token('me')}` };
  const answers = await Promise.all(
    Array.from({ length: 70 }, () =>
      fetch(`${event.server.url}/api/events/${event.id}/stream`, { headers, signal: stop.signal }),
    ),
  );
  const of = (status: number) => answers.filter((answer) => answer.status === status);
  assert.deepEqual([of(200).length, of(429).length], [50, 20]);
  assert.equal(of(429)[0]?.headers.get('retry-after'), '5');
  stop.abort();
  const { call } = event.server;
  const token = await event.server.token('me');
  await until(async () => (await call('GET', `/api/events/${event.id}/stream`, { token })).status === 200);
});

for (const kind of DATABASES) {
  test(`who signed out, and with whom an event is shared no more, follows it no longer, on ${kind}`, async () => {
    await using event = await startEvent(kind);
    const { server } = event;
    const [leaving, unshared, staying] = [
      await newSession(server),
      await newSession(server),
      await newSession(server),
    ];
    const shares: string[] = [];
    for (const { email } of [leaving, unshared, staying]) {
      const { body } = await event.call('POST', '/co-organizers', { body: { email, access: 'view' } });
      shares.push(body.co_organizer.id);
    }
    const url = `${server.url}/api/events/${event.id}/stream`;
    const streams = await Promise.all(
      [leaving, unshared, staying].map(({ headers: { cookie } }) => follow(url, { cookie })),
    );
    await until(() => streams.every(({ of }) => of('counts').length > 0));

    assert.equal((await leaving.call('DELETE', '/api/auth/session')).status, 204);
    assert.equal((await event.call('DELETE', `/co-organizers/${shares[1]}`)).status, 204);
    // A stream is asked about at most once a second, so the first of these may still be told.
    const guest = await event.guest({ name: 'א' });
    let isOver = false;
    const over = Promise.all([streams[0]?.ended, streams[1]?.ended]).then(() => {
      isOver = true;
    });
    let note = 0;
    await until(async () => {
      await event.call('PUT', `/guests/${guest.id}`, { body: { note: String(note) } });
      note += 1;
      return isOver;
    });
    await over;
    const before = streams.map(({ messages }) => messages.length);
    await event.guest({ name: 'ב' });
    await until(() => (streams[2]?.messages.length ?? 0) > (before[2] ?? 0));
    streams[2]?.stop();
  });
}
