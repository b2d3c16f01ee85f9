import assert from 'node:assert/strict';
import type { Guest, GuestCounts } from '../../server/planning/guests/contract.ts';
import type { Answer, CallOptions } from '../support/client.ts';
import { type DatabaseKind, startServer, type TestServerOptions } from '../support/server.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';

export interface TestEvent extends AsyncDisposable {
  id: string;
  server: SharedServer;
  /** With the organizer's token, to a path under the event. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Adds a guest and gives it back. */
  guest(fields: object): Promise<Guest>;
  /** The guest as it is now. */
  read(id: string): Promise<Guest>;
  counts(): Promise<GuestCounts>;
}

/** Polls and retries that a test does not have to wait for long. */
const QUICK_JOBS = { pollSeconds: 0.5, retrySeconds: 1 };

/** A whole server with one event of one organizer, published. */
export async function startEvent(
  kind: DatabaseKind,
  fields: object = {},
  { lifetime = '1h', ...options }: TestServerOptions & { lifetime?: string } = {},
): Promise<TestEvent> {
  const server = await startServer(kind, { jobTimes: QUICK_JOBS, ...options });
  return { ...(await addEvent(server, fields, lifetime)), [Symbol.asyncDispose]: () => server.close() };
}

/** One more event on the folder's server, for tests that look at what is in their event alone. */
export async function newEvent(
  kind: DatabaseKind,
  fields: object = {},
  status: 'published' | 'draft' = 'published',
): Promise<TestEvent> {
  const event = await addEvent(await sharedServer(kind), fields, '1h', status);
  return { ...event, async [Symbol.asyncDispose]() {} };
}

async function addEvent(
  server: SharedServer,
  fields: object,
  lifetime = '1h',
  status: 'published' | 'draft' = 'published',
): Promise<Omit<TestEvent, typeof Symbol.asyncDispose>> {
  const token = await server.token('me', 'organizer', lifetime);
  const body = {
    title: 'החתונה של נועה ואיתי',
    event_date: '2099-06-15T19:30',
    venue_name: 'גן האירועים עדן',
    venue_address: 'דרך השרון 12, הוד השרון',
    ...fields,
  };
  const created = await server.call('POST', '/api/events', { token, body });
  assert.equal(created.status, 201, created.text);
  const { id } = created.body.event;
  if (status === 'published') {
    const published = await server.call('PUT', `/api/events/${id}`, { token, body: { status } });
    assert.equal(published.status, 200, published.text);
  }
  const call: TestEvent['call'] = (method, path, sent) =>
    server.call(method, `/api/events/${id}${path}`, { token, ...sent });
  return {
    id,
    server,
    call,
    async guest(guest) {
      const answer = await call('POST', '/guests', { body: guest });
      assert.equal(answer.status, 201, answer.text);
      return answer.body.guest;
    },
    async read(guestId) {
      return (await call('GET', `/guests/${guestId}`)).body.guest;
    },
    async counts() {
      return (await call('GET', '/guests/counts')).body.counts;
    },
  };
}
