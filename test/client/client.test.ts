import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import {
  connect,
  createApplication,
  createEvent,
  createGuest,
  deleteEvent,
  deleteGuest,
  deploy,
  followDeploymentLines,
  followGuests,
  type GuestEvent,
  idempotencyKey,
  importGuests,
  listEvents,
  listGuests,
  listTokens,
  type Progress,
  paginate,
  putPicture,
  readEvent,
  readGuest,
  readSession,
  SimchaError,
  updateEvent,
  updateGuest,
  withUploadProgress,
} from 'simcha-client';
import { newEvent, type TestEvent } from '../planning/event.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE, startServer } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { sharedServer } from '../support/shared-server.ts';
import { startUnsteady, type Trouble } from './unsteady.ts';

/** An event, and its organizer's client over a way on which things happen. */
async function unsteadyEvent(trouble: (nth: number) => Trouble = () => undefined) {
  const event = await newEvent(ANY_DATABASE);
  const way = await startUnsteady(event.server.url, trouble);
  const token = await event.server.token('me');
  const path = { id: event.id };
  return {
    event,
    way,
    path,
    client: connect({ baseUrl: way.url, token, language: 'en' }),
    [Symbol.asyncDispose]: () => way[Symbol.asyncDispose](),
  };
}

const names = async (event: TestEvent) =>
  (await event.call('GET', '/guests')).body.guests.map(({ name }: { name: string }) => name);

const refused = async (asked: Promise<unknown>): Promise<SimchaError> => {
  const error = await asked.then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SimchaError, String(error));
  return error;
};

test('a call gives what it says, an error its code, field and the language that was asked for', async () => {
  await using at = await unsteadyEvent();
  const { client, path } = at;
  const { data, response } = await createGuest({ client, path, body: { name: 'נועה', party_size: 2 } });
  assert.deepEqual([response.status, data.guest.name, data.guest.party_size], [201, 'נועה', 2]);

  const error = await refused(createGuest({ client, path, body: { name: 'נועה', email: 'nobody' } }));
  assert.deepEqual([error.status, error.field, error.retryAfter], [400, 'email', undefined]);
  assert.match(error.message, /email/i);
  assert.ok(error.requestId);
  const gone = { id: '00000000-0000-4000-8000-000000000000' };
  assert.equal((await refused(readEvent({ client, path: gone }))).status, 404);
  const stranger = connect({ baseUrl: at.way.url });
  assert.equal((await refused(listGuests({ client: stranger, path }))).status, 401);
});

test('a page’s client says its session’s token with what it changes, and sends nothing else by a cookie', async () => {
  await using server = await sharedServer(ANY_DATABASE);
  const page = await newSession(server);
  const seen: Request[] = [];
  /** The part of the browser. */
  const browser: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    seen.push(request.clone());
    request.headers.set('cookie', page.headers.cookie);
    request.headers.set('origin', page.headers.origin);
    return fetch(request);
  };
  const { url: baseUrl } = server;
  let said: string | undefined;
  const client = connect({ baseUrl, csrf: () => said, language: 'en', fetch: browser });
  const body = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
  const error = await refused(createEvent({ client, body }));
  assert.deepEqual([error.status, error.code], [403, 'csrf_token']);
  const { data: session } = await readSession({ client });
  assert.ok(session);
  said = session.csrf_token;
  const { event } = (await createEvent({ client, body })).data;
  await deleteEvent({ client, path: { id: event.id } });
  assert.deepEqual((await listEvents({ client })).data.events, []);
  assert.deepEqual(
    seen.map(({ method, headers, credentials }) => [method, headers.get('x-csrf-token'), credentials]),
    [
      ['POST', null, 'same-origin'],
      ['GET', null, 'same-origin'],
      ['POST', said, 'same-origin'],
      ['DELETE', said, 'same-origin'],
      ['GET', null, 'same-origin'],
    ],
  );
  seen.length = 0;
  await refused(listTokens({ client: connect({ baseUrl, token: 'x', apiKey: 'sk_x', fetch: browser }) }));
  await readSession({ client: connect({ baseUrl, token: 'x', apiKey: 'sk_x', fetch: browser }) });
  assert.deepEqual(
    seen.map(({ headers }) => headers.get('cookie')),
    [null, null],
  );
});

test('what was changed meanwhile is a 412, and is not written', async () => {
  await using at = await unsteadyEvent();
  const { client, path } = at;
  const { response } = await readEvent({ client, path });
  const headers = { 'if-match': response.headers.get('etag') ?? '' };
  await updateEvent({ client, path, headers, body: { title: 'First' } });
  const error = await refused(updateEvent({ client, path, headers, body: { title: 'Second' } }));
  assert.equal(error.status, 412);
  assert.equal((await readEvent({ client, path })).data.event.title, 'First');
});

test('what the server can’t answer now is asked again; a POST without a key, and what may be done, is not', async () => {
  const troubles: Trouble[] = [];
  await using at = await unsteadyEvent(() => troubles.shift());
  const { client, path, way } = at;
  const during = async <T>(these: Trouble[], work: () => Promise<T>) => {
    troubles.splice(0, troubles.length, ...these);
    const before = way.seen.length;
    const [result] = await Promise.allSettled([work()]);
    return { result, asked: way.seen.slice(before) };
  };
  const now = { 'retry-after': '0' };

  const read = await during(
    [{ status: 503, headers: now }, { status: 502 }, { status: 429, headers: now }],
    () => listGuests({ client, path }),
  );
  assert.deepEqual([read.result.status, read.asked.length], ['fulfilled', 4]);

  const added = await during([{ status: 503, headers: now }], () =>
    createGuest({ client, path, body: { name: 'Once' } }),
  );
  assert.deepEqual([added.result.status, added.asked.length], ['rejected', 1]);

  const lost = await during(['lost', 'lost'], () =>
    createGuest({ client, path, headers: idempotencyKey(), body: { name: 'Noa' } }),
  );
  assert.deepEqual([lost.result.status, lost.asked.length], ['fulfilled', 3]);
  assert.equal(new Set(lost.asked.map(({ headers }) => headers['idempotency-key'])).size, 1);
  assert.deepEqual(await names(at.event), ['Noa']);

  const late = await during([{ status: 503, headers: { 'retry-after': '900' } }], () =>
    listGuests({ client, path }),
  );
  assert.deepEqual([late.result.status, late.asked.length], ['rejected', 1]);
  assert.equal(late.result.status === 'rejected' && late.result.reason.retryAfter, 900);

  const [guest] = (await listGuests({ client, path })).data.guests;
  const guestPath = { ...path, guestId: guest?.id ?? '' };
  const removed = await during([{ status: 502 }], () => deleteGuest({ client, path: guestPath }));
  assert.deepEqual([removed.result.status, removed.asked.length], ['rejected', 1]);
  const removedThen = await during([{ status: 503, headers: now }], () =>
    deleteGuest({ client, path: guestPath }),
  );
  assert.deepEqual([removedThen.result.status, removedThen.asked.length], ['fulfilled', 2]);
});

test('each try is told of, also one that is made again', async () => {
  const troubles: Trouble[] = [{ status: 503, headers: { 'retry-after': '0' } }, 'lost'];
  await using at = await unsteadyEvent(() => troubles.shift());
  const outcomes: (number | string)[] = [];
  const client = connect({
    baseUrl: at.way.url,
    token: await at.event.server.token('me'),
    onAttempt: ({ method }, outcome) =>
      outcomes.push(method, outcome instanceof Error ? 'lost' : outcome.status),
  });
  const { data } = await createGuest({
    client,
    path: at.path,
    headers: idempotencyKey(),
    body: { name: 'Noa' },
  });
  assert.equal(data.guest.name, 'Noa');
  assert.deepEqual(outcomes, ['POST', 503, 'POST', 'lost', 'POST', 201]);
});

test('whoever has gone is not waited for', async () => {
  await using at = await unsteadyEvent(() => ({ status: 503, headers: { 'retry-after': '20' } }));
  const { client, path, way } = at;
  const leaving = new AbortController();
  const asked = listGuests({ client, path, signal: leaving.signal });
  while (way.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  leaving.abort();
  await assert.rejects(asked, { name: 'AbortError' });
  assert.equal(way.seen.length, 1);
});

test('a list is read to its end, page by page', async () => {
  await using at = await unsteadyEvent();
  const { client, path, event, way } = at;
  const rows = Array.from({ length: 250 }, (_, nth) => `Guest ${String(nth).padStart(3, '0')}`);
  const body = ['name', ...rows].join('\n');
  await event.call('POST', '/guests/import', { body, headers: { 'content-type': 'text/csv' } });
  const read: string[] = [];
  for await (const guest of paginate((page) =>
    listGuests({ client, path, query: { ...page, answered: false } }),
  ))
    read.push(guest.name);
  assert.deepEqual(read, rows);
  assert.equal(way.seen.length, 3);
  for await (const _ of paginate((page) => listGuests({ client, path, query: page }), 10)) break;
  assert.equal(way.seen.length, 4);
});

test('a stream goes on where it was cut, and tells each thing once', async () => {
  // Anywhere, also within a line.
  await using at = await unsteadyEvent((nth) => ({ cutAfter: 1500 + 1397 * nth }));
  const { client, path, event } = at;
  const guests = await Promise.all(Array.from({ length: 12 }, (_, nth) => event.guest({ name: `${nth}` })));
  const after: string = (await event.call('GET', '/history?limit=1')).body.history[0].id;
  const leaving = new AbortController();
  const told: GuestEvent[] = [];
  let lost = 0;
  const following = (async () => {
    const stream = followGuests({
      client,
      path,
      lastEventId: after,
      signal: leaving.signal,
      onDisconnect: () => lost++,
    });
    for await (const one of stream) {
      if (one.event !== 'counts') told.push(one);
      if (told.length === guests.length) return;
    }
  })();
  for (const { id } of guests)
    await event.call('PUT', `/guests/${id}`, { body: { rsvp_status: 'declined' } });
  await following;
  assert.deepEqual(
    told.map((one) => one.event === 'answer' && one.data.guest.id),
    guests.map(({ id }) => id),
  );
  assert.ok(lost > 1, `it was cut ${lost} times`);

  const foreign = connect({ baseUrl: event.server.url, token: await event.server.token('stranger') });
  const stream = followGuests({ client: foreign, path });
  assert.equal((await refused(stream.next())).status, 403);
  leaving.abort();
  assert.deepEqual(await followGuests({ client, path, signal: leaving.signal }).next(), {
    value: undefined,
    done: true,
  });
});

test('a file is uploaded, and how far it is is told', async () => {
  await using at = await unsteadyEvent();
  const { client, path, event } = at;
  const rows = Array.from({ length: 3000 }, (_, nth) => `Guest ${nth},a note that makes the row longer`);
  const file = new File([['name,note', ...rows].join('\n')], 'guests.csv', { type: 'text/csv' });
  const shown: Progress[] = [];
  const show = (progress: Progress) => shown.push(progress);
  const { data } = await importGuests({ client, path, body: { file }, ...withUploadProgress(show) });
  assert.equal(data.import.created, 3000);
  const last = shown.at(-1);
  assert.ok(last && last.sent === last.total && last.total > file.size, JSON.stringify(last));

  const wide = sharp({ create: { width: 1200, height: 630, channels: 3, background: '#824' } });
  const picture = new Blob([new Uint8Array(await wide.png().toBuffer())], { type: 'image/png' });
  const put = await putPicture({ client, path, body: picture, ...withUploadProgress(show) });
  assert.equal(put.response.status, 200);
  assert.equal((await event.call('GET', '/invitation/picture')).status, 200);
});

test('a change to a guest comes with the version that it changes', async () => {
  await using at = await unsteadyEvent();
  const { client, event } = at;
  const { id } = await event.guest({ name: 'Dana' });
  const path = { ...at.path, guestId: id };
  const { response } = await readGuest({ client, path });
  const headers = { 'if-match': response.headers.get('etag') ?? '' };
  await updateGuest({ client, path, headers, body: { note: 'one' } });
  assert.equal((await refused(updateGuest({ client, path, headers, body: { note: 'two' } }))).status, 412);
});

test('a developer deploys, reads the log as it is written, and how it ended', async () => {
  await using repository = await createRepository({ 'index.html': '<h1>Mazal tov</h1>' });
  await using server = await startServer(ANY_DATABASE, { env: { APPS_GIT_PROTOCOLS: 'file' }, stays: true });
  const { apiKey } = await newDeveloper(server);
  await using way = await startUnsteady(server.url, () => undefined);
  const client = connect({ baseUrl: way.url, apiKey });
  const { data: made } = await createApplication({
    client,
    body: { name: 'Site', repository: repository.address, subdomain: 'client-site' },
  });
  const uuid = made.application_uuid;
  const { data: asked } = await deploy({ client, path: { uuid } });
  const lines: string[] = [];
  const stream = followDeploymentLines({ client, path: { uuid, deployment: asked.deployment_uuid } });
  let next = await stream.next();
  for (; !next.done; next = await stream.next()) lines.push(next.value.text);
  assert.deepEqual(next.value, { status: 'live' });
  assert.ok(lines.length > 2, lines.join('\n'));
  const field = await refused(
    createApplication({ client, body: { name: 'Site', repository: 'nothing', subdomain: 'other-site' } }),
  );
  assert.deepEqual([field.status, field.field], [400, 'repository']);
});
