import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { verifiedUser } from './support/deployed.ts';
import { describedOperations } from './support/request-bodies.ts';
import { startServer } from './support/server.ts';

/** These take any query, as the contracts have it. */
const CONTRACTS = [
  'post /api/events',
  'get /api/events',
  'get /api/events/{id}',
  'put /api/events/{id}',
  'delete /api/events/{id}',
  'post /api/v1/users/verify',
];

test('a query’s name that nobody reads is refused with those that are, on every route', async () => {
  await using server = await startServer('postgres', { env: { OPERATORS: 'noa@example.com' } });
  const headers = { 'accept-language': 'he' };
  const organizer = { headers, token: await server.token('me') };
  const { key, call } = await verifiedUser(server.url, server.dataDir);
  const body = { name: 'mine', repository: 'https://example.com/mine.git' };
  const { application_uuid } = (await call('POST', '/api/v1/applications', { body })).body;
  const developer = { headers: { ...headers, 'x-api-key': key } };
  const { body: document } = await server.call('GET', '/openapi.json');
  const routes = describedOperations(document).filter(
    ({ method, path, credential }) =>
      credential && credential !== 'session' && !CONTRACTS.includes(`${method} ${path}`),
  );
  assert.ok(routes.length > 130, `${routes.length} routes`);
  for (const { method, path, query, credential } of routes) {
    const place = path.replace('{uuid}', application_uuid).replaceAll(/\{\w+\}/g, randomUUID());
    const caller = credential === 'apiKey' ? developer : organizer;
    const answer = await server.call(method.toUpperCase(), `${place}?dry_runs=true`, caller);
    assert.deepEqual(
      [answer.status, answer.body.field],
      [400, 'dry_runs'],
      `${method} ${path} ${answer.text}`,
    );
    for (const { name } of query) assert.ok(answer.body.error.includes(name), `${path} ${answer.text}`);
  }
});

test('whoever tries out removing an event is told that it can’t be, and it stays', async () => {
  await using server = await startServer('postgres');
  const token = await server.token('me');
  const body = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
  const { event } = (await server.call('POST', '/api/events', { token, body })).body;
  for (const name of ['dry_run', 'dryRun']) {
    const refused = await server.call('DELETE', `/api/events/${event.id}?${name}=true`, { token });
    assert.equal(refused.status, 400, refused.text);
    assert.ok(refused.body.error.includes(name), refused.text);
  }
  assert.equal((await server.call('GET', `/api/events/${event.id}`, { token })).status, 200);
  // Other names are passed over, as the contract has it.
  const changed = await server.call('PUT', `/api/events/${event.id}?x=1`, { token, body });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await server.call('DELETE', `/api/events/${event.id}?x=1`, { token })).status, 204);
});
